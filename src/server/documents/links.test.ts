import { describe, expect, it } from "vitest";
import { publication } from "../../publication.ts";
import { fileAddresses, resolveLink } from "./links.ts";

describe("resolveLink, at the endpoint", () => {
  const addresses = fileAddresses(publication);

  it.each([
    ["README.md", "generated/docs/reference.md", "?@=docs.get.reference"],
    ["README.md", "./CHANGELOG.md#303", "?@=docs.get.changelog#303"],
    ["README.md", "/generated/docs/problems.md#email-taken", "?@=docs.get.problems#email-taken"],
    ["generated/docs/reference.md", "problems.md", "?@=docs.get.problems"],
    ["generated/docs/reference.md", "../../README.md", "?@=docs.get.README"],
    ["generated/docs/reference.md", "../openapi.yaml", "../openapi.yaml"],
    ["README.md", "generated/openapi.operations.json", "../openapi.operations.json"],
    ["README.md", "src/docs/calling.md#paging", "?@=docs.get.calling#paging"],
    ["src/docs/clients.md", "publishing.md", "?@=docs.get.publishing"],
    ["README.md", "#usage", "#usage"],
    ["README.md", "https://example.com/README.md", "https://example.com/README.md"],
    ["README.md", "mailto:ada@example.com", "mailto:ada@example.com"],
  ])("links from %s by %s to %s", (file, href, address) => {
    expect(resolveLink(addresses, file, href)).toBe(address);
  });

  it.each(["CONTRIBUTING.md", "spec/", "readme.md", "../../etc/passwd", "http://["])("has no target for %s", (href) => {
    expect(resolveLink(addresses, "README.md", href)).toBeNull();
  });
});
