import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { definition } from "../../service.ts";
import { readConfig } from "../../test/atpoint.ts";
import { run } from "../../test/command.ts";
import { fresh } from "../../test/databases.ts";
import { patience } from "../../test/patience.ts";
import { start } from "../../test/running-service.ts";
import { startService } from "../service.ts";
import { databaseFolder } from "../storage/address.ts";
import { checkDocuments, loadDocuments } from "./documents.ts";
import { fileAddresses, resolveLink } from "./links.ts";

const { contract, publication } = definition;
it("escapes titles, marks the place in the navigation, and links to what is served", () => {
  const root = mkdtempSync(join(tmpdir(), "documents-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const { file } of Object.values(publication.documents)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), "<!-- Generated. -->\n\n# Title\n");
  }
  const text =
    "# Größe <&>\n\n[Problems](generated/docs/problems.md#email-taken), [how](CONTRIBUTING.md)\n";
  writeFileSync(join(root, "README.md"), text);
  const load = () => loadDocuments({ contract, root, publication });
  const page = load().get("README")?.representations["text/html"];
  const html = String(page?.identity().bytes);
  expect(html).toContain("<title>Größe &#60;&#38;&#62;</title>");
  expect(html).toContain('<a href="?@=docs.get.README" aria-current="page">Overview</a>');
  expect(html).toContain('<a href="../">');
  expect(html).toContain('<a href="?@=docs.get.problems#email-taken">Problems</a>, how');
  writeFileSync(join(root, "CHANGELOG.md"), "## 3.0.3\n");
  expect(load).toThrow("CHANGELOG.md has no heading of level 1");
  rmSync(join(root, "CHANGELOG.md"));
  expect(load).toThrow("CHANGELOG.md");
});

it("replaces the placeholder and the address in guides by that of the deployment", () => {
  const url = "http://127.0.0.1:3000/prefix$&";
  const documents = loadDocuments(definition, url);
  expect(documents.get("quickstart")?.content).toContain(`export BASE=${url} API_KEY=`);
  expect(documents.get("problems")?.content).toContain(`${url}/api/?@=docs.get.problems#`);
  const texts = [...documents.values()].map(({ content }) => content.replaceAll(url, "")).join("");
  expect(texts).not.toMatch(/one\.invalid|http:\/\/127\.0\.0\.1:3000\b/);
  // The ports that operators use stay.
  expect(texts).toContain("http://127.0.0.1:13000/readyz");
});

it("reports documents that break the contract, and in tests prevent a start", () => {
  const documents = loadDocuments(definition);
  const { "200 text/html": _, ...answers } = contract.validators["docs.get"].answers;
  const fault = "README: 200 text/html is not documented";
  const reported = (checkResponses: "log" | "throw") => {
    const reports: string[] = [];
    const docsGet = { ...contract.validators["docs.get"], answers };
    checkDocuments(documents, docsGet, checkResponses, (faults) => reports.push(...faults));
    return reports;
  };
  expect(reported("log")).toContain(fault);
  expect(() => reported("throw")).toThrow(fault);
});

it.each([
  [
    "the standard documents",
    definition.contract.operations,
    ["README", "reference", "problems", "contract"],
  ],
  ["no documents", {}, []],
])("of a service with %s, every link of its pages is served", async (_, operations, documents) => {
  const { publication, ...rest } = definition;
  const plain = { ...rest, contract: { ...definition.contract, operations } };
  const settings = { PORT: "0", MANAGEMENT_PORT: "off", NODE_ENV: "test", LOG_LEVEL: "silent" };
  const config = readConfig({ ...patience, DATABASE_URL: (await fresh()).url, ...settings });
  const service = await startService(plain, config);
  onTestFinished(() => service.close());
  for (const path of ["/", "/reference"]) {
    const html = await (await fetch(service.url + path)).text();
    const links = new Set(
      [...html.matchAll(/ (?:href|src)="(\.\/[^"]*)"/g)].map(([, link = ""]) => link),
    );
    expect(links).toContain("./reference");
    for (const link of links)
      expect([link, (await fetch(new URL(link, service.url))).status]).toEqual([link, 200]);
  }
  const page = await (await fetch(service.url)).text();
  const linked = new Set(page.match(/(?<=api\/\?@=docs\.get\.)\w+(?=")/g));
  expect([...linked]).toEqual(documents);
  const catalog = await (await fetch(`${service.url}/.well-known/api-catalog`)).text();
  expect(catalog.includes("docs.get.reference")).toBe(documents.length > 0);
});

it.each([
  ["README.md", "generated/openapi.operations.json", "../openapi.operations.json"],
  ["generated/docs/reference.md", "../../README.md", "?@=docs.get.README"],
  ["generated/docs/reference.md", "../openapi.yaml", "../openapi.yaml"],
  ["README.md", "#usage", "#usage"],
  ["README.md", "mailto:ada@example.com", "mailto:ada@example.com"],
  ["README.md", "CONTRIBUTING.md", null],
  ["README.md", "readme.md", null],
  ["README.md", "../../etc/passwd", null],
  ["README.md", "http://[", null],
])("a document at the endpoint links from %s by %s to %s", (file, href, address) => {
  expect(resolveLink(fileAddresses(publication), file, href)).toBe(address);
});

it("serves security.txt unchanged, rejects a wrong one, and reports an expired one", async () => {
  const SECURITY_TXT = join(databaseFolder((await fresh()).url), "security.txt");
  const contact = "Contact: mailto:security@example.com\r\n";
  const text = `${contact}Expires: 2999-12-31T23:59:59Z\r\n`;
  await expect(start({ SECURITY_TXT })).rejects.toThrow(
    `The file of SECURITY_TXT cannot be read: ${SECURITY_TXT}`,
  );
  for (const wrong of [contact, "Expires: 2999-12-31T23:59:59Z\n", `${contact}Expires: soon\n`]) {
    writeFileSync(SECURITY_TXT, wrong);
    await expect(start({ SECURITY_TXT })).rejects.toThrow(
      "needs a field Contact and one field Expires",
    );
  }
  writeFileSync(SECURITY_TXT, `${contact}Expires: 2020-01-01T00:00:00Z\n`);
  const { out } = await run({ SECURITY_TXT }, "doctor");
  expect(out).toMatch(
    /^fault {4}security.txt: It is valid until 2020-01-01T00:00:00.000Z. To do: Renew .*\n/m,
  );
  writeFileSync(SECURITY_TXT, text);
  const { service } = await start({ SECURITY_TXT });
  const response = await fetch(`${service.url}/.well-known/security.txt`);
  expect([response.status, response.headers.get("content-type")]).toEqual([
    200,
    "text/plain; charset=utf-8",
  ]);
  expect(await response.text()).toBe(text);
});
