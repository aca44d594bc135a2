import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { definition } from "../../service.ts";
import { readConfig } from "../../test/atpoint.ts";
import { run } from "../../test/command.ts";
import { fresh } from "../../test/databases.ts";
import { patience } from "../../test/patience.ts";
import { start } from "../../test/running-service.ts";
import { startService } from "../service.ts";
import { packageRoot } from "../settings/package.ts";
import { databaseFolder } from "../storage/address.ts";
import { checkDocuments, loadDocuments } from "./documents.ts";
import { loadContract } from "./files.ts";
import { fileAddresses, resolveLink } from "./links.ts";

const { contract, publication } = definition;
const htmlOf = (documents: ReturnType<typeof loadDocuments>, name: string) =>
  String(documents.get(name)?.representations["text/html"]?.identity().bytes);

describe("documents of a package", () => {
  let root: string;
  const load = () => loadDocuments({ contract, root, publication });

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "documents-"));
    for (const { file } of Object.values(publication.documents)) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), "<!-- Generated. -->\n\n# Title\n");
    }
    const text = "# Größe <&>\n\n[Problems](generated/docs/problems.md#email-taken), [how](CONTRIBUTING.md)\n";
    writeFileSync(join(root, "README.md"), text);
  });

  afterEach(() => rmSync(root, { recursive: true }));

  it("are pages with the title escaped, the place in the navigation, and links only to what is served", () => {
    const html = htmlOf(load(), "README");
    expect(html).toContain("<title>Größe &#60;&#38;&#62;</title>");
    expect(html).toContain('<a href="?@=docs.get.README" aria-current="page">Overview</a>');
    expect(html).toContain('<a href="../">');
    expect(html).toContain('<a href="?@=docs.get.problems#email-taken">Problems</a>, how');
  });

  it("are named where a start fails without them, or without their title", () => {
    writeFileSync(join(root, "CHANGELOG.md"), "## 3.0.3\n");
    expect(load).toThrow("CHANGELOG.md has no heading of level 1");
    rmSync(join(root, "CHANGELOG.md"));
    expect(load).toThrow("CHANGELOG.md");
  });

  it("are found from the source as from what is built of it, and nowhere else", () => {
    writeFileSync(join(root, "package.json"), "{}");
    for (const module of ["src/server/documents/documents.ts", "dist/src/server/documents/documents.js"])
      expect(packageRoot(pathToFileURL(join(root, module)))).toBe(`${root}/`);
    expect(() => packageRoot("file:///nowhere/src/documents.ts")).toThrow("no package.json");
  });
});

describe("our own documents", () => {
  const documents = loadDocuments(definition);
  const pages = new Map([...documents.keys()].map((name) => [name, htmlOf(documents, name)]));
  const idsIn = (html = "") => new Set([...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id));

  it("have an anchor for every problem code", () => {
    const ids = idsIn(pages.get("problems"));
    expect(Object.keys(contract.problems).filter((code) => !ids.has(code))).toEqual([]);
  });

  it.each([...pages])("link from %s only to anchors that exist", (name, html) => {
    const anchors = [...html.matchAll(/href="(?:\?@=docs\.get\.([\w-]+))?#([^"]*)"/g)];
    const broken = anchors.filter(([, page = name, id = ""]) => !idsIn(pages.get(page)).has(decodeURIComponent(id)));
    expect(broken.map(([link]) => link)).toEqual([]);
  });

  it("are reported, or are no start, where they break the contract, as is configured", () => {
    const { "200 text/html": _, ...answers } = contract.validators["docs.get"].answers;
    const fault = "README: 200 text/html is not documented";
    const reported = (checkAnswers: "off" | "log" | "throw") => {
      const reports: string[] = [];
      const docsGet = { ...contract.validators["docs.get"], answers };
      checkDocuments(documents, docsGet, checkAnswers, (faults) => reports.push(...faults));
      return reports;
    };
    expect(reported("log")).toContain(fault);
    expect(() => reported("throw")).toThrow(fault);
    expect(reported("off")).toEqual([]);
  });

  it.each(["/openapi.json", "/openapi.yaml"])("are all among the values of @ in %s", (path) => {
    const asset = loadContract(definition, ["https://api.example.com"]).get(path);
    const { parameters } = parse(String(asset?.identity().bytes)).paths["/api/"].get;
    const names: string[] = parameters.find(({ name }: { name: string }) => name === "@").schema.enum;
    const expected = Object.keys(publication.documents).map((name) => `docs.get.${name}`);
    expect(names.filter((name) => name.startsWith("docs.get.")).sort()).toEqual(expected.sort());
  });
});

it("of a service without documents, every link of its pages is served", async () => {
  const { publication: _, ...plain } = definition;
  const settings = { PORT: "0", MANAGEMENT_PORT: "off", CHECK_ANSWERS: "throw", LOG_LEVEL: "silent" };
  const config = readConfig({ ...patience, DATABASE_URL: (await fresh()).url, ...settings });
  const service = await startService(plain, config);
  onTestFinished(() => service.close());
  for (const path of ["/", "/reference"]) {
    const html = await (await fetch(service.url + path)).text();
    const links = new Set([...html.matchAll(/ (?:href|src)="(\.\/[^"]*)"/g)].map(([, link = ""]) => link));
    expect(links).toContain("./reference");
    for (const link of links) expect([link, (await fetch(new URL(link, service.url))).status]).toEqual([link, 200]);
  }
  const catalog = await (await fetch(`${service.url}/.well-known/api-catalog`)).text();
  expect(catalog).not.toContain("docs.get");
});

it.each([
  ["README.md", "generated/docs/reference.md", "?@=docs.get.reference"],
  ["README.md", "./CHANGELOG.md#303", "?@=docs.get.changelog#303"],
  ["README.md", "/generated/docs/problems.md#email-taken", "?@=docs.get.problems#email-taken"],
  ["README.md", "generated/openapi.operations.json", "../openapi.operations.json"],
  ["generated/docs/reference.md", "../../README.md", "?@=docs.get.README"],
  ["generated/docs/reference.md", "../openapi.yaml", "../openapi.yaml"],
  ["src/docs/clients.md", "publishing.md", "?@=docs.get.publishing"],
  ["README.md", "#usage", "#usage"],
  ["README.md", "https://example.com/README.md", "https://example.com/README.md"],
  ["README.md", "mailto:ada@example.com", "mailto:ada@example.com"],
  ["README.md", "CONTRIBUTING.md", null],
  ["README.md", "spec/", null],
  ["README.md", "readme.md", null],
  ["README.md", "../../etc/passwd", null],
  ["README.md", "http://[", null],
])("a document at the endpoint links from %s by %s to %s", (file, href, address) => {
  expect(resolveLink(fileAddresses(publication), file, href)).toBe(address);
});

describe("security.txt", () => {
  const CONTACT = "Contact: mailto:security@example.com\r\n";

  /** A file with this in it, for as long as the test. */
  async function file(text: string): Promise<string> {
    const path = join(databaseFolder((await fresh()).url), "security.txt");
    writeFileSync(path, text);
    return path;
  }

  it("is served as it is, and only where it is configured", async () => {
    const text = `${CONTACT}Expires: 2999-12-31T23:59:59Z\r\n`;
    const { service } = await start({ SECURITY_TXT: await file(text) });
    const response = await fetch(`${service.url}/.well-known/security.txt`);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
    expect(await response.text()).toBe(text);
    expect((await fetch(`${(await start()).service.url}/.well-known/security.txt`)).status).toBe(404);
  });

  it("is named by a start that cannot read it, or finds a field missing or wrong", async () => {
    await expect(start({ SECURITY_TXT: "/nowhere" })).rejects.toThrow(
      "The file of SECURITY_TXT cannot be read: /nowhere",
    );
    for (const text of [CONTACT, "Expires: 2999-12-31T23:59:59Z\n", `${CONTACT}Expires: soon\n`])
      await expect(start({ SECURITY_TXT: await file(text) })).rejects.toThrow(
        "needs a field Contact and one field Expires",
      );
  });

  it("is a fault of doctor once it has expired", async () => {
    const { out } = await run({ SECURITY_TXT: await file(`${CONTACT}Expires: 2020-01-01T00:00:00Z\n`) }, "doctor");
    expect(out).toMatch(/^fault {4}security.txt: It is valid until 2020-01-01T00:00:00.000Z. To do: Renew .*\n/m);
  });
});
