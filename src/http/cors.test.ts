import { describe, expect, it } from "vitest";
import { corsHeaders, preflightHeaders } from "./cors.ts";

describe("corsHeaders", () => {
  const page = "https://page.example";

  it("lets every origin read when none is configured, and varies by nothing", () => {
    for (const origin of [undefined, page]) {
      const headers = corsHeaders(origin, "*");
      expect(headers["Access-Control-Allow-Origin"]).toBe("*");
      expect(headers["Access-Control-Expose-Headers"]).toContain("X-Request-Id, X-Operation, ETag");
      expect(headers).not.toHaveProperty("Vary");
    }
  });

  it("names the origin of a configured list", () => {
    expect(corsHeaders(page, ["https://other.example", page])).toMatchObject({
      "Access-Control-Allow-Origin": page,
      Vary: "Origin",
    });
  });

  it.each([undefined, "https://evil.example", "https://page.example.evil"])(
    "tells %s only that it varies",
    (origin) => {
      expect(corsHeaders(origin, [page])).toEqual({ Vary: "Origin" });
    },
  );

  it("never allows credentials", () => {
    expect(corsHeaders(page, [page])).not.toHaveProperty("Access-Control-Allow-Credentials");
  });
});

describe("preflightHeaders", () => {
  it("lists methods and headers, for ten minutes", () => {
    expect(preflightHeaders(["GET", "HEAD"])).toEqual({
      "Access-Control-Allow-Methods": "GET, HEAD",
      "Access-Control-Allow-Headers": "X-API-KEY, X-PLATFORM, Content-Type, X-Request-Id, If-None-Match",
      "Access-Control-Max-Age": "600",
    });
  });
});
