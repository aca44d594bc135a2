import { describe, expect, it } from "vitest";
import type { SystemInformation } from "../../generated/operations.ts";
import { landingPage } from "./landing.ts";

const information: SystemInformation = {
  status: "Operational",
  version: "3.0.3",
  server: "Atpoint",
  runtime: "Node.js 20.19.0",
  clientAddress: "192.0.2.7",
  requestMethod: "GET",
  time: "2026-01-31T12:00:00.000Z",
};

describe("landingPage", () => {
  it.each(Object.entries(information))("shows %s: %s", (_, value) => {
    expect(landingPage(information)).toContain(`>${value}</`);
  });

  it("leads to the documents and the contract by relative links, so that a path prefix holds", () => {
    const links = [...landingPage(information).matchAll(/href="([^"]*)"/g)].map(([, href]) => href);
    for (const name of ["README", "reference", "problems", "changelog"]) {
      expect(links).toContain(`./api/?@=docs.get.${name}`);
    }
    expect(links).toContain("./openapi.yaml");
    expect(links.filter((href) => !href?.startsWith("./"))).toEqual([]);
  });

  it.each(Object.keys(information))("escapes %s", (member) => {
    const hostile = Object.assign({ ...information }, { [member]: `"><script>alert('1')</script>` });
    const html = landingPage(hostile);
    expect(html).not.toContain("<script");
    expect(html).toContain("&#34;&#62;&#60;script&#62;alert(&#39;1&#39;)&#60;/script&#62;");
  });
});
