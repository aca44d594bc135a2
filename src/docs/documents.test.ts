import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { operations, problems } from "../../generated/operations.ts";
import { validators } from "../../generated/validators.ts";
import { checkDocuments, DOCUMENT_MEDIA_TYPES, loadDocuments, packageRoot } from "./documents.ts";

const readme = "# Größe <&>\n\n[Problems](generated/docs/problems.md#email-taken), [how](CONTRIBUTING.md)\n";
let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "documents-"));
  for (const folder of ["generated/docs", "src/docs"]) mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, "src/docs/quickstart.md"), "# Quickstart\n");
  writeFileSync(join(root, "README.md"), readme);
  writeFileSync(join(root, "CHANGELOG.md"), "# Changelog\n");
  writeFileSync(join(root, "generated/docs/reference.md"), "<!-- Generated. -->\n\n# Reference\n");
  writeFileSync(join(root, "generated/docs/problems.md"), "# Problems\n\n## email-taken\n");
  writeFileSync(join(root, "generated/docs/contract.md"), "# Contract\n\n### user.list/limit\n");
});

afterEach(() => rmSync(root, { recursive: true }));

describe("loadDocuments", () => {
  it("lists the entries as the contract has them, sizes in bytes", () => {
    const items = loadDocuments(root).list();
    expect(items.map(({ name, title }) => [name, title])).toEqual([
      ["README", "Größe <&>"],
      ["quickstart", "Quickstart"],
      ["reference", "Reference"],
      ["problems", "Problems"],
      ["contract", "Contract"],
      ["changelog", "Changelog"],
    ]);
    expect(items[0]).toMatchObject({ mediaType: "text/markdown", operation: "docs.get.README" });
    expect(items[0]?.size).toBe(new TextEncoder().encode(readme).length);
    expect(items[0]?.size).toBeGreaterThan(readme.length);
    expect(validators["docs.list"].answers["200 application/json"]?.({ items })).toBe(true);
  });

  it("puts the first deployment in for its placeholder", async () => {
    const problems = loadDocuments(packageRoot(), "https://api.example.com").get("problems");
    const { content } = JSON.parse(String(problems?.representations["application/json"].identity().bytes));
    expect(content).toContain("https://api.example.com/api/?@=docs.get.problems#path-not-found");
    expect(content).not.toContain(".invalid");
  });

  it.each(["readme", "README.md", "../README", "nothing", "", "__proto__", "constructor", "toString"])(
    "has no entry %s",
    (name) => {
      expect(loadDocuments(root).get(name)).toBeNull();
    },
  );

  it("has every media type of the contract, in its order", () => {
    expect(DOCUMENT_MEDIA_TYPES).toEqual(operations["docs.get"].answers[0].mediaTypes);
  });

  it("represents a document as JSON, Markdown, plain text and HTML, each a UTF-8 asset", () => {
    const { representations } = loadDocuments(root).get("README") ?? {};
    for (const mediaType of DOCUMENT_MEDIA_TYPES) {
      expect(representations?.[mediaType].mediaType).toBe(`${mediaType}; charset=utf-8`);
    }
    const json = JSON.parse(String(representations?.["application/json"].identity().bytes));
    expect(json).toEqual({ name: "README", title: "Größe <&>", mediaType: "text/markdown", content: readme });
    expect(String(representations?.["text/markdown"].identity().bytes)).toBe(readme);
    expect(String(representations?.["text/plain"].identity().bytes)).toBe(readme);
  });

  it("renders a page with its title escaped, its place in the navigation, and links only to what is served", () => {
    const html = String(loadDocuments(root).get("README")?.representations["text/html"].identity().bytes);
    expect(html).toContain("<title>Größe &#60;&#38;&#62;</title>");
    expect(html).toContain('<a href="?@=docs.get.README" aria-current="page">README</a>');
    expect(html).toContain('<a href="../">');
    expect(html).toContain('<a href="?@=docs.get.problems#email-taken">Problems</a>, how');
  });

  it("refuses to start without a file", () => {
    rmSync(join(root, "CHANGELOG.md"));
    expect(() => loadDocuments(root)).toThrow("CHANGELOG.md");
  });

  it("refuses to start with a document that has no title", () => {
    writeFileSync(join(root, "CHANGELOG.md"), "## 3.0.3\n");
    expect(() => loadDocuments(root)).toThrow("CHANGELOG.md has no heading of level 1");
  });
});

describe("our own documents", () => {
  const documents = loadDocuments(packageRoot());
  const pages = documents.list().map(({ name }) => ({
    name,
    html: String(documents.get(name)?.representations["text/html"].identity().bytes),
  }));
  const idsIn = (html: string) => new Set([...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id));

  it("have an anchor for every problem code", () => {
    const ids = idsIn(pages.find(({ name }) => name === "problems")?.html ?? "");
    expect(Object.keys(problems).filter((code) => !ids.has(code))).toEqual([]);
  });

  it.each(pages)("lead by every link of $name to an anchor that is there", ({ name, html }) => {
    const anchors = [...html.matchAll(/href="(?:\?@=docs\.get\.(\w+))?#([^"]*)"/g)];
    const broken = anchors.filter(([, target = name, id = ""]) => {
      const page = pages.find((other) => other.name === target);
      return !page || !idsIn(page.html).has(decodeURIComponent(id));
    });
    expect(broken.map(([link]) => link)).toEqual([]);
  });
});

describe("checkDocuments", () => {
  const docsGet = validators["docs.get"];
  const { "200 text/html": _, ...answers } = docsGet.answers;
  const fault = "README: 200 text/html is not documented";
  const told = (contract: typeof docsGet, checkAnswers: "off" | "log" | "throw") => {
    const said: string[] = [];
    checkDocuments(loadDocuments(packageRoot()), contract, checkAnswers, (faults) => said.push(...faults));
    return said;
  };

  it("finds nothing in our own", () => {
    expect(told(docsGet, "throw")).toEqual([]);
  });

  it("tells what breaks the contract, or refuses to start with it, as is configured", () => {
    const withoutHtml = { ...docsGet, answers };
    expect(told(withoutHtml, "log")).toContain(fault);
    expect(() => told(withoutHtml, "throw")).toThrow(fault);
    expect(told(withoutHtml, "off")).toEqual([]);
  });
});

describe("packageRoot", () => {
  it("is the folder of package.json, from the source as from what is built of it", () => {
    writeFileSync(join(root, "package.json"), "{}");
    for (const module of ["src/docs/documents.ts", "dist/src/docs/documents.js"]) {
      expect(packageRoot(pathToFileURL(join(root, module)))).toBe(`${root}/`);
    }
  });

  it("is not guessed where there is none", () => {
    expect(() => packageRoot("file:///nowhere/src/docs/documents.ts")).toThrow("no package.json");
  });
});
