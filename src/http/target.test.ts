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
    ["HTTPS://user@host:8443/api/", "/api/", ""],
    ["http://host", "/", ""],
    ["http://host?x", "/", "x"],
    ["/%61pi/", "/%61pi/", ""],
    ["//host/api/", "//host/api/", ""],
    ["/http://host/", "/http://host/", ""],
  ])("splits %s", (url, path, search) => {
    expect(splitTarget(url)).toEqual({ path, search });
  });

  it.each(["*", "host:80", "api/?@=sysinfo", "ftp://host/api/", ""])(
    "leaves %j whole, a path that is unknown",
    (url) => {
      expect(splitTarget(url)).toEqual({ path: url, search: "" });
    },
  );

  it("loses nothing of an origin-form target", () => {
    fc.assert(
      fc.property(fc.string(), (rest) => {
        const { path, search } = splitTarget(`/${rest}`);
        expect(path.includes("?")).toBe(false);
        expect([path, `${path}?${search}`]).toContain(`/${rest}`);
      }),
    );
  });
});
