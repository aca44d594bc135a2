import { describe, expect, it } from "vitest";
import { buildCall, type CallOptions } from "./call.ts";

const credentials = { full: { key: "k+y", platform: "web" }, special: { revoked: { key: "old", platform: "app" } } };
const build = (name: string, options: CallOptions = {}) => buildCall(name, options, credentials, "/prefix");
const keyHeaders = [
  ["X-API-KEY", "k+y"],
  ["X-PLATFORM", "web"],
];

describe("buildCall", () => {
  it("puts the input of a GET into the query, lists comma-separated", () => {
    const { method, path, headers, body } = build("user.list", { input: { limit: 5, many: ["a", "b"] } });
    expect({ method, path, headers, body }).toEqual({
      method: "GET",
      path: "/prefix/api/?@=user.list&limit=5&many=a%2Cb",
      headers: keyHeaders,
      body: null,
    });
  });

  it("puts the input of a POST into data", () => {
    const { method, path, headers, body } = build("user.create", { input: { name: "A" } });
    expect({ method, path, body: String(body) }).toEqual({
      method: "POST",
      path: "/prefix/api/",
      body: '{"@":"user.create","data":{"name":"A"}}',
    });
    expect(headers).toEqual([...keyHeaders, ["Content-Type", "application/json"]]);
  });

  it("builds the name of a template from its parts", () => {
    expect(build("docs.get", { input: { name: "README" } }).path).toBe("/prefix/api/?@=docs.get.README");
    expect(build("docs.get.README").path).toBe("/prefix/api/?@=docs.get.README");
  });

  it("sends credentials to an operation that needs them, and to one that is unknown", () => {
    expect(build("sysinfo").headers).toEqual([]);
    expect(build("no.such").headers).toEqual(keyHeaders);
    expect(build("sysinfo", { credentials: "good" }).headers).toEqual(keyHeaders);
    expect(build("user.list", { credentials: "none" }).headers).toEqual([]);
    expect(build("user.list", { credentials: "revoked" }).headers).toEqual([
      ["X-API-KEY", "old"],
      ["X-PLATFORM", "app"],
    ]);
    expect(() => build("user.list", { credentials: "expired" })).toThrow("without saying so in needs");
  });

  it("places credentials by hand", () => {
    expect(build("user.list", { credentials: "query" }).path).toBe(
      "/prefix/api/?@=user.list&X-API-KEY=k%2By&X-PLATFORM=web",
    );
    const both = build("user.list", { credentials: { key: { header: "a", query: "b" } } });
    expect([both.headers, both.path]).toEqual([[["X-API-KEY", "a"]], "/prefix/api/?@=user.list&X-API-KEY=b"]);
    expect(build("user.list", { credentials: { platform: { query: "web" } } }).headers).toEqual([]);
  });

  it("follows another method with the operation's place", () => {
    expect(build("user.create", { method: "GET", input: { name: "A" } }).path).toBe(
      "/prefix/api/?@=user.create&name=A",
    );
    expect(String(build("sysinfo", { method: "POST" }).body)).toBe('{"@":"sysinfo","data":{}}');
    expect(String(build("user.create", { method: "PUT" }).body)).toBe('{"@":"user.create","data":{}}');
    expect(build("sysinfo", { method: "DELETE" }).path).toBe("/prefix/api/?@=sysinfo");
  });

  it("takes a query and a body as they are", () => {
    expect(build("sysinfo", { rawQuery: "@=a&@=b" }).path).toBe("/prefix/api/?@=a&@=b");
    expect(build("sysinfo", { rawQuery: "" }).path).toBe("/prefix/api/");
    expect(build("sysinfo", { at: "%40", query: [["x y", "&"]] }).path).toBe("/prefix/api/?%40=sysinfo&x%20y=%26");
    const bytes = Buffer.from([0xff]);
    expect(build("user.create", { body: bytes }).body).toBe(bytes);
    expect(String(build("user.create", { body: "{" }).body)).toBe("{");
    expect(String(build("user.create", { body: null }).body)).toBe("null");
    expect(String(build("user.create", { body: [1] }).body)).toBe("[1]");
  });

  it("replaces and removes default headers in any spelling", () => {
    const headers = { "content-type": "text/plain", "x-platform": null };
    expect(build("user.create", { headers, accept: "text/html" }).headers).toEqual([
      ["X-API-KEY", "k+y"],
      ["Accept", "text/html"],
      ["content-type", "text/plain"],
    ]);
  });
});
