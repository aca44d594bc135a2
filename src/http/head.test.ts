import { describe, expect, it } from "vitest";
import { judgeHead, refuseRepeatedCredentials } from "./head.ts";

const limits = { maxUrlBytes: 20, maxHeaderBytes: 40, maxHeaderFields: 3 };
const judge = (rawHeaders: string[], { url = "/", httpVersion = "1.1" } = {}) =>
  judgeHead({ url, rawHeaders, httpVersion }, limits);
const refusedAs = (code: string) => expect.objectContaining({ code });

describe("judgeHead", () => {
  it("answers 414 uri-too-long one byte over the limit", () => {
    expect(() => judge(["Host", "a"], { url: "/".padEnd(20, "x") })).not.toThrow();
    expect(() => judge(["Host", "a"], { url: "/".padEnd(21, "x") })).toThrow(refusedAs("uri-too-long"));
  });

  it("answers 431 headers-too-large one byte over the limit, line ends counted", () => {
    // Host: a = 4 + 1 + 4; X: … = 1 + n + 4
    expect(() => judge(["Host", "a", "X", "y".repeat(26)])).not.toThrow();
    expect(() => judge(["Host", "a", "X", "y".repeat(27)])).toThrow(refusedAs("headers-too-large"));
  });

  it("answers 431 headers-too-large one field over the limit", () => {
    expect(() => judge(["Host", "a", "b", "", "c", ""])).not.toThrow();
    expect(() => judge(["Host", "a", "b", "", "c", "", "d", ""])).toThrow(refusedAs("headers-too-large"));
  });

  it.each(["/#", "/api\\?@=sysinfo#", "/openapi.json#z", "/?a=#b"])(
    "refuses the target %s, which has a fragment",
    (url) => {
      expect(() => judge(["Host", "a"], { url })).toThrow(refusedAs("malformed-request"));
    },
  );

  it.each(["example.com", "EXAMPLE.com:8080", "127.0.0.1:1", "[::1]", "[::1]:80", "a_b", "a%20b", "h:"])(
    "takes the Host %s",
    (host) => {
      expect(() => judge(["hOsT", host])).not.toThrow();
    },
  );

  it.each(["", "a b", "a/b", "a:b", "a:1:2", "[zz]", "u@h", "a%2", "h\u00e9"])("refuses the Host %j", (host) => {
    expect(() => judge(["Host", host])).toThrow(refusedAs("malformed-request"));
  });

  it("refuses HTTP/1.1 without Host, and any request with two", () => {
    expect(() => judge([])).toThrow(refusedAs("malformed-request"));
    expect(() => judge(["Host", "a", "host", "a"])).toThrow(refusedAs("malformed-request"));
    expect(() => judge(["Host", "a", "host", "a"], { httpVersion: "1.0" })).toThrow(refusedAs("malformed-request"));
  });

  it("lets HTTP/1.0 have no Host", () => {
    expect(() => judge([], { httpVersion: "1.0" })).not.toThrow();
    for (const httpVersion of ["0.9", "2.0"])
      expect(() => judge(["Host", "a"], { httpVersion })).toThrow(refusedAs("malformed-request"));
  });

  it("takes the transfer coding chunked in any letter case, and no other", () => {
    const coded = (...codings: string[]) => [
      "Host",
      "a",
      ...codings.flatMap((coding) => ["Transfer-Encoding", coding]),
    ];
    const wide = { ...limits, maxHeaderBytes: 200 };
    const judgeCoded = (...codings: string[]) =>
      judgeHead({ url: "/", rawHeaders: coded(...codings), httpVersion: "1.1" }, wide);
    for (const coding of ["chunked", "Chunked"]) expect(() => judgeCoded(coding)).not.toThrow();
    for (const codings of [["gzip, chunked"], ["identity"], [""], ["gzip", "chunked"], ["chunked", "chunked"]])
      expect(() => judgeCoded(...codings), codings.join()).toThrow(refusedAs("malformed-request"));
  });

  it("does not take a value for a name", () => {
    expect(() => judge(["Host", "a", "X", "Host"])).not.toThrow();
  });
});

describe("refuseRepeatedCredentials", () => {
  it.each([
    ["X-API-KEY", "x-api-key"],
    ["X-Platform", "X-PLATFORM"],
  ])("refuses %s beside %s", (first, second) => {
    expect(() => refuseRepeatedCredentials([first, "a", second, "a"])).toThrow(refusedAs("parameter-repeated"));
  });

  it("lets each stand once, and other headers twice", () => {
    expect(() =>
      refuseRepeatedCredentials(["X-API-KEY", "a", "X-PLATFORM", "b", "Via", "c", "Via", "d"]),
    ).not.toThrow();
  });
});
