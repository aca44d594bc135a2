import { describe, expect, it } from "vitest";
import { baseHeaders } from "./base-headers.ts";

describe("baseHeaders", () => {
  it("holds the request id and what keeps an answer harmless", () => {
    expect(baseHeaders("r-1")).toEqual({
      "X-Request-Id": "r-1",
      "X-Content-Type-Options": "nosniff",
      "Referrer-Policy": "no-referrer",
      "Cache-Control": "no-store",
    });
  });
});
