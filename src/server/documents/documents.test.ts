import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { contract } from "../../../generated/contract.ts";
import { publication } from "../../publication.ts";
import { packageRoot } from "../settings/package.ts";
import { checkDocuments, loadDocuments } from "./documents.ts";

const { problems, validators } = contract;

const readme = "# Größe <&>\n\n[Problems](generated/docs/problems.md#email-taken), [how](CONTRIBUTING.md)\n";
let root: string;
const load = () => loadDocuments({ ...publication, root });

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "documents-"));
  for (const { file } of Object.values(publication.documents)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), "<!-- Generated. -->\n\n# Title\n");
  }
  writeFileSync(join(root, "README.md"), readme);
});

afterEach(() => rmSync(root, { recursive: true }));

describe("loadDocuments", () => {
  it("declares every representation as UTF-8", () => {
    for (const [mediaType, asset] of Object.entries(load().get("README")?.representations ?? {}))
      expect(asset.mediaType).toBe(`${mediaType}; charset=utf-8`);
    expect.assertions(4);
  });

  it("renders a page with its title escaped, its place in the navigation, and links only to what is served", () => {
    const html = String(load().get("README")?.representations["text/html"]?.identity().bytes);
    expect(html).toContain("<title>Größe &#60;&#38;&#62;</title>");
    expect(html).toContain('<a href="?@=docs.get.README" aria-current="page">Overview</a>');
    expect(html).toContain('<a href="../">');
    expect(html).toContain('<a href="?@=docs.get.problems#email-taken">Problems</a>, how');
  });

  it("throws without a file", () => {
    rmSync(join(root, "CHANGELOG.md"));
    expect(load).toThrow("CHANGELOG.md");
  });

  it("throws with a document that has no title", () => {
    writeFileSync(join(root, "CHANGELOG.md"), "## 3.0.3\n");
    expect(load).toThrow("CHANGELOG.md has no heading of level 1");
  });
});

describe("our own documents", () => {
  const documents = loadDocuments(publication);
  const pages = documents.list().map(({ name }) => ({
    name,
    html: String(documents.get(name)?.representations["text/html"]?.identity().bytes),
  }));
  const idsIn = (html: string) => new Set([...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id));

  it("have an anchor for every problem code", () => {
    const ids = idsIn(pages.find(({ name }) => name === "problems")?.html ?? "");
    expect(Object.keys(problems).filter((code) => !ids.has(code))).toEqual([]);
  });

  it.each(pages)("link from $name only to anchors that exist", ({ name, html }) => {
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
  const reported = (checkAnswers: "off" | "log" | "throw") => {
    const reports: string[] = [];
    const withoutHtml = { ...docsGet, answers };
    checkDocuments(loadDocuments(publication), withoutHtml, checkAnswers, (faults) => reports.push(...faults));
    return reports;
  };

  it("reports what breaks the contract, or throws, as is configured", () => {
    expect(reported("log")).toContain(fault);
    expect(() => reported("throw")).toThrow(fault);
    expect(reported("off")).toEqual([]);
  });
});

describe("packageRoot", () => {
  it("is the folder of package.json, from the source as from what is built of it", () => {
    writeFileSync(join(root, "package.json"), "{}");
    for (const module of ["src/server/documents/documents.ts", "dist/src/server/documents/documents.js"]) {
      expect(packageRoot(pathToFileURL(join(root, module)))).toBe(`${root}/`);
    }
  });

  it("is not guessed where there is none", () => {
    expect(() => packageRoot("file:///nowhere/src/server/documents/documents.ts")).toThrow("no package.json");
  });
});
