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

it("describes the order of checks in words, where its picture is not shown", () => {
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

// In the registry our names belong to nobody, or to somebody else.
it("runs by npx only what is installed, in a clone", () => {
  expect(readFileSync(join(root, ".npmrc"), "utf8")).toMatch(/^yes=false$/m);
});

describe.each(written)("%s", (file) => {
  const text = readFileSync(join(root, file), "utf8");
  const prose = text.replace(/^```.*?^```$/gms, "");

  it("is short", () => {
    const words = prose.match(/\S*\w\S*/g) ?? [];
    expect(words.length).toBeLessThanOrEqual(file === "README.md" ? 600 : 900);
  });

  it("links only to files that exist, those that are not served too", () => {
    const links = [...prose.matchAll(/\]\(([^):#]+)[)#]/g)].map(([, href = ""]) =>
      join(root, dirname(file), href),
    );
    expect(links).not.toEqual([]);
    expect(links.filter((link) => !existsSync(link))).toEqual([]);
  });

  it("runs commands that print an error where they do not exist", () => {
    expect(text).not.toMatch(/\brun (?:-s |--silent )*(?:keys|conformance)\b/);
  });
});
