import { describe, expect, it } from "vitest";
import { parseTarget } from "./target.ts";

describe("parseTarget", () => {
  it("takes a base address apart", () => {
    expect(parseTarget("https://example.com/a/b/")).toEqual({
      url: "https://example.com/a/b",
      origin: "https://example.com",
      host: "example.com",
      hostname: "example.com",
      port: 443,
      tls: true,
      prefix: "/a/b",
      loopback: false,
    });
    expect(parseTarget("http://[::1]:8080")).toMatchObject({ hostname: "::1", port: 8080, prefix: "", loopback: true });
    expect(parseTarget("http://example.com").port).toBe(80);
  });

  it.each(["http://localhost", "http://127.0.0.9:1", "http://a.localhost"])("knows that %s is loopback", (url) => {
    expect(parseTarget(url).loopback).toBe(true);
  });

  it.each(["http://127.0.0.1.example.com", "http://localhost.example.com", "http://10.0.0.1"])(
    "knows that %s is not",
    (url) => {
      expect(parseTarget(url).loopback).toBe(false);
    },
  );
});
