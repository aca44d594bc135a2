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

  it("knows what is loopback, and what is not", () => {
    const loopback = ["localhost", "127.0.0.9:1", "a.localhost"];
    const others = ["127.0.0.1.example.com", "localhost.example.com", "10.0.0.1"];
    const found = [...loopback, ...others].filter((host) => parseTarget(`http://${host}`).loopback);
    expect(found).toEqual(loopback);
  });
});
