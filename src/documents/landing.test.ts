import { describe, expect, it } from "vitest";
import { operations, type SystemInformation } from "../../generated/operations.ts";
import { packageRoot } from "../package.ts";
import { loadDocuments } from "./documents.ts";
import { DOCUMENT_NAMES } from "./files.ts";
import { addressOf, landingPage as landing } from "./landing.ts";

const information: SystemInformation = {
  status: "Operational",
  version: "3.0.3",
  server: "Atpoint",
  runtime: "Node.js 20.19.0",
  clientAddress: "192.0.2.7",
  requestMethod: "GET",
  time: "2026-01-31T12:00:00.000Z",
};

const landingPage = (facts: SystemInformation) => landing(facts, "https://api.example.com/at");

describe("addressOf", () => {
  const urls = ["https://one.example/at", "https://two.example"];
  it.each([
    ["one.example", "https://one.example/at"],
    ["two.example", "https://two.example"],
    ["<script>", "https://one.example/at"],
    [undefined, "https://one.example/at"],
  ])("is of Host %s the deployment %s", (host, url) => expect(addressOf(host, urls)).toBe(url));
});

describe("landingPage", () => {
  it("leads to the documents and the contract by relative links, so that a path prefix holds", () => {
    const links = [...landingPage(information).matchAll(/<a href="([^"]*)"/g)].map(([, href]) => href);
    for (const name of DOCUMENT_NAMES) {
      expect(links).toContain(`./api/?@=docs.get.${name}`);
    }
    for (const path of ["openapi.yaml", "reference", ".well-known/api-catalog"]) expect(links).toContain(`./${path}`);
    expect(links.filter((href) => !href?.startsWith("./"))).toEqual([]);
  });

  it("lists every operation with its method and what it does, and leads to its section of the reference", () => {
    const html = landingPage(information);
    const reference = String(
      loadDocuments(packageRoot()).get("reference")?.representations["text/html"].identity().bytes,
    );
    for (const { name, method, summary } of Object.values(operations)) {
      const row = html.split("<tr>").find((text) => text.includes(`>${name}</a>`));
      expect(row).toContain(`<td>${method}</td><td>${summary}</td>`);
      const [, id] = /href="[^"]*docs\.get\.reference#([^"]*)"/.exec(row ?? "") ?? [];
      expect(reference).toContain(`<h2 id="${id}">`);
    }
  });

  it("has a first call of this deployment, in one line to be copied", () => {
    expect(landingPage(information)).toContain(
      "<pre><code>curl &#39;https://api.example.com/at/api/?@=sysinfo&#39;</code></pre>",
    );
  });

  it("says what the address of the client and the method are for", () => {
    const html = landingPage(information);
    expect(html).toMatch(/<dd>192\.0\.2\.7<\/dd><dd>[^<]*Rate limits/);
    expect(html).toMatch(/<dd>GET<\/dd><dd>[^<]*proxy/);
    expect(html).toContain("<dd>Node.js 20.19.0</dd></div>");
  });

  it("leads a newcomer on", () => {
    const [, content = ""] = landingPage(information).split("<main>");
    expect(content).toContain('<a href="./api/?@=docs.get.quickstart">quickstart</a>');
    expect(content).toContain('<a href="./reference">reference page</a>');
  });

  it.each(Object.keys(information))("escapes %s", (member) => {
    const hostile = Object.assign({ ...information }, { [member]: `"><script>alert('1')</script>` });
    const html = landingPage(hostile);
    expect(html).not.toContain("<script");
    expect(html).toContain("&#34;&#62;&#60;script&#62;alert(&#39;1&#39;)&#60;/script&#62;");
  });
});
