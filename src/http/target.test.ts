import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitTarget } from "./target.ts";

describe("splitTarget", () => {
  it.each([
    ["/api/?@=sysinfo", "/api/", "@=sysinfo"],
    ["/api", "/api", ""],
    ["/?", "/", ""],
    ["/a?b?c", "/a", "b?c"],
    ["http://host/api/?x=1", "/api/", "x=1"],
    ["HTTPS://host:8443/api/", "/api/", ""],
    ["http://[::1]:80/api/?http://other/", "/api/", "http://other/"],
    ["http://host", "/", ""],
    ["http://host?x", "/", "x"],
    ["/%61pi/", "/%61pi/", ""],
    ["//host/api/", "//host/api/", ""],
    ["/http://host/", "/http://host/", ""],
  ])("splits %s", (url, path, search) => {
    expect(splitTarget(url)).toEqual({ path, search });
  });

  it.each([
    ["/api/user.list/../?@=user.list", "/api/"],
    ["http://host/x/../api/?@=sysinfo", "/api/"],
    ["/api/..", "/"],
    ["/api/x/..", "/api/"],
    ["/api/.", "/api/"],
    ["/./api/./", "/api/"],
    ["/../../api", "/api"],
    ["/api//../", "/api/"],
    ["/a/b/c/./../../g", "/a/g"],
    ["//..", "/"],
    ["/?/../", "/"],
    ["/api/...", "/api/..."],
    ["/.api/a./..b/", "/.api/a./..b/"],
    ["/a/.b/..", "/a/"],
    ["/api/%2e%2e/%2E/", "/api/%2e%2e/%2E/"],
    ["/api/..;/..\\/", "/api/..;/..\\/"],
  ])("removes the dot segments of %s", (url, path) => {
    expect(splitTarget(url).path).toBe(path);
  });

  it("removes dot segments as the URL standard does", () => {
    // Not `.b`: behind one, Node 20 leaves dot segments where they are.
    const segment = fc.constantFrom("a", "", ".", "..", "...", "b.");
    fc.assert(
      fc.property(fc.array(segment), (segments) => {
        const path = `/${segments.join("/")}`;
        expect(splitTarget(path).path).toBe(new URL(`http://host${path}`).pathname);
      }),
    );
  });

  it.each([
    ...["*", "", "host:80", "api/?@=sysinfo", "a://[?@=user.list&X-API-KEY=canary", "ftp://[::1/api/", "ftp://xn--/"],
    ...[
      "a://h/api/",
      "file:///api/",
      "xhttp://h/",
      "http:/api/",
      "http:///api/",
      "http://[/api/",
      "http://u@h/",
      "http:",
    ],
  ])("refuses %j as malformed-request", (url) => {
    expect(() => splitTarget(url)).toThrow(expect.objectContaining({ code: "malformed-request" }));
  });

  it("loses nothing of an origin-form target", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."/a%?;") }), (rest) => {
        const { path, search } = splitTarget(`/${rest}`);
        expect(path.includes("?")).toBe(false);
        expect([path, `${path}?${search}`]).toContain(`/${rest}`);
      }),
    );
  });
});
