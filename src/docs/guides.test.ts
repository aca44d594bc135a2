import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadDocuments } from "../server/documents/documents.ts";
import { definition } from "../service.ts";

const { root, publication } = definition;
const { documents } = publication;
const written = Object.values(documents)
  .map(({ file }) => file)
  .filter((file) => file === "README.md" || file.startsWith("src/docs/"));

it("has the order of checks in words, those of the contract, where its picture is not shown", () => {
  const clause = readFileSync(join(root, documents.contract.file), "utf8");
  const [, order = ""] =
    /exactly one response: (.*?; then the operation is carried out)\./.exec(clause) ?? [];
  expect(order).toContain("the input; then");
  const html = String(
    loadDocuments(definition).get("README")?.representations["text/html"]?.identity().bytes,
  );
  const [words = "", link = ""] = html.slice(html.indexOf("in this order: ")).split("</p>");
  expect(words.replace(/\s+/g, " ")).toContain(order.replaceAll("`", ""));
  expect(link).toContain('<a href="?@=docs.get.reference">');
});

describe.each(written)("%s", (file) => {
  const text = readFileSync(join(root, file), "utf8");
  const prose = text.replace(/^```.*?^```$/gms, "");

  it("is short", () => {
    const words = prose.match(/\S*\w\S*/g) ?? [];
    expect(words.length).toBeLessThanOrEqual(file === "README.md" ? 450 : 900);
  });

  it("links only to files that exist, those that are not served too", () => {
    const links = [...prose.matchAll(/\]\(([^):#]+)[)#]/g)].map(([, href = ""]) =>
      join(root, dirname(file), href),
    );
    expect(links).not.toEqual([]);
    expect(links.filter((link) => !existsSync(link))).toEqual([]);
  });

  it("runs nothing by a name that is not ours in the registry", () => {
    const commands = text.match(/\bnpx (?:-\S+ )*atpoint/g) ?? [];
    expect(commands.filter((command) => !command.startsWith("npx --no-install "))).toEqual([]);
  });
});
