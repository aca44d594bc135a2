import { describe, expect, it } from "vitest";
import { readCredentials } from "./credentials.ts";

const query = (entries: Record<string, string>) => new Map(Object.entries(entries));

describe("readCredentials", () => {
  it.each([
    [["X-API-KEY", "k", "X-PLATFORM", "web"], {}],
    [["x-api-key", "k"], { "X-PLATFORM": "web" }],
    [["Host", "X-API-KEY", "x-Platform", "web"], { "X-API-KEY": "k" }],
    [[], { "X-API-KEY": "k", "X-PLATFORM": "web" }],
    [["X-API-KEY", "k", "X-PLATFORM", "web"], { "X-API-KEY": "k", "X-PLATFORM": "web" }],
    [["X-API-KEY", "", "X-PLATFORM", "web"], { "X-API-KEY": "k", "X-PLATFORM": "" }],
  ])("finds both in %j and %j", (headers, parameters) => {
    expect(readCredentials(headers, query(parameters))).toEqual({ key: "k", platform: "web" });
  });

  it("takes an empty value as not sent, and query names only as they are", () => {
    expect(readCredentials(["X-API-KEY", ""], query({ "x-api-key": "k", "x-platform": "web" }))).toEqual({
      key: null,
      platform: null,
    });
  });

  it.each(["X-API-KEY", "X-PLATFORM"])("refuses a %s that differs, in case or by a blank too", (name) => {
    for (const other of ["WEB", "web ", "ios"])
      expect(() => readCredentials([name, "web"], query({ [name]: other }))).toThrow(
        expect.objectContaining({ code: "credential-conflict", message: expect.not.stringContaining(other) }),
      );
  });
});
