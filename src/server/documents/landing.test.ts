import { describe, expect, it } from "vitest";
import { contract, type SystemInformation } from "../../../generated/contract.ts";
import { publication } from "../../publication.ts";
import { loadDocuments } from "./documents.ts";
import { landingPage } from "./landing.ts";
import { referenceAsset } from "./reference.ts";

const { operations } = contract;

const information: SystemInformation = {
  status: "Operational",
  version: "3.0.3",
  server: "Atpoint",
  runtime: "Node.js 20.19.0",
  clientAddress: "192.0.2.7",
  requestMethod: "GET",
  time: "2026-01-31T12:00:00.000Z",
};

const page = landingPage(publication, ["https://one.example/at", "https://two.example"]);
const html = page(information, "one.example");

describe("landingPage", () => {
  it.each([
    ["one.example", "https://one.example/at"],
    ["two.example", "https://two.example"],
    ["<script>", "https://one.example/at"],
    [undefined, "https://one.example/at"],
  ])("has, for Host %s, a first call of the deployment %s, in one line to be copied", (host, url) => {
    expect(page(information, host)).toContain(`<pre><code>curl &#39;${url}/api/?@=sysinfo&#39;</code></pre>`);
  });

  it("links to the documents and the contract by relative links, so that a path prefix holds", () => {
    const links = [...html.matchAll(/<a href="([^"]*)"/g)].map(([, href]) => href);
    for (const name of Object.keys(publication.documents)) expect(links).toContain(`./api/?@=docs.get.${name}`);
    for (const path of ["openapi.yaml", "reference", ".well-known/api-catalog"]) expect(links).toContain(`./${path}`);
    expect(links.filter((href) => !href?.startsWith("./"))).toEqual([]);
  });

  it("lists every operation with its method and what it does, and links to its section of the reference", () => {
    const { representations } = loadDocuments(publication).get("reference") ?? {};
    const reference = String(representations?.["text/html"]?.identity().bytes);
    for (const { name, method, summary } of Object.values(operations)) {
      const row = html.split("<tr>").find((text) => text.includes(`>${name}</a>`));
      expect(row).toContain(`<td>${method}</td><td>${summary}</td>`);
      const [, id] = /href="[^"]*docs\.get\.reference#([^"]*)"/.exec(row ?? "") ?? [];
      expect(reference).toContain(`<h2 id="${id}">`);
    }
  });

  it("explains the address of the client and the method", () => {
    expect(html).toMatch(/<dd>192\.0\.2\.7<\/dd><dd>[^<]*Rate limits/);
    expect(html).toMatch(/<dd>GET<\/dd><dd>[^<]*proxy/);
    expect(html).toContain("<dd>Node.js 20.19.0</dd></div>");
  });

  it("links to the quickstart and the reference in its text", () => {
    const [, content = ""] = html.split("<main>");
    expect(content).toContain('<a href="./api/?@=docs.get.quickstart">quickstart</a>');
    expect(content).toContain('<a href="./reference">reference page</a>');
  });

  it.each(Object.keys(information))("escapes %s", (member) => {
    const hostile = Object.assign({ ...information }, { [member]: `"><script>alert('1')</script>` });
    expect(page(hostile, undefined)).not.toContain("<script");
    expect(page(hostile, undefined)).toContain("&#34;&#62;&#60;script&#62;alert(&#39;1&#39;)&#60;/script&#62;");
  });
});

describe("referenceAsset", () => {
  it("lists the operations without scripts too", () => {
    const html = String(referenceAsset(publication).identity().bytes);
    for (const { name, summary } of Object.values(operations)) expect(html).toContain(`>${name}</a>: ${summary}</li>`);
  });
});
