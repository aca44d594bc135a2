import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkHead, clientAddress, splitTarget } from "./head.ts";

const limits = { maxUrlBytes: 20, maxHeaderBytes: 40, maxHeaderFields: 3 };
const check = (rawHeaders: string[], { url = "/", httpVersion = "1.1" } = {}) =>
  checkHead({ url, rawHeaders, httpVersion }, limits);
const rejectedAs = (code: string) => expect.objectContaining({ code });

describe("checkHead", () => {
  it("answers 414 uri-too-long one byte over the limit", () => {
    expect(() => check(["Host", "a"], { url: "/".padEnd(20, "x") })).not.toThrow();
    expect(() => check(["Host", "a"], { url: "/".padEnd(21, "x") })).toThrow(rejectedAs("uri-too-long"));
  });

  it("answers 431 headers-too-large one byte over the limit, line ends counted", () => {
    // Host: a = 4 + 1 + 4; X: … = 1 + n + 4
    expect(() => check(["Host", "a", "X", "y".repeat(26)])).not.toThrow();
    expect(() => check(["Host", "a", "X", "y".repeat(27)])).toThrow(rejectedAs("headers-too-large"));
  });

  it("answers 431 headers-too-large one field over the limit", () => {
    expect(() => check(["Host", "a", "b", "", "c", ""])).not.toThrow();
    expect(() => check(["Host", "a", "b", "", "c", "", "d", ""])).toThrow(rejectedAs("headers-too-large"));
  });

  it.each(["/#", "/api\\?@=sysinfo#", "/openapi.json#z", "/?a=#b"])(
    "rejects the target %s, which has a fragment",
    (url) => {
      expect(() => check(["Host", "a"], { url })).toThrow(rejectedAs("malformed-request"));
    },
  );

  it.each(["example.com", "EXAMPLE.com:8080", "127.0.0.1:1", "[::1]", "[::1]:80", "a_b", "a%20b", "h:"])(
    "takes the Host %s",
    (host) => {
      expect(() => check(["hOsT", host])).not.toThrow();
    },
  );

  it.each(["", "a b", "a/b", "a:b", "a:1:2", "[zz]", "u@h", "a%2", "h\u00e9"])("rejects the Host %j", (host) => {
    expect(() => check(["Host", host])).toThrow(rejectedAs("malformed-request"));
  });

  it("rejects HTTP/1.1 without Host, and any request with two", () => {
    expect(() => check([])).toThrow(rejectedAs("malformed-request"));
    expect(() => check(["Host", "a", "host", "a"])).toThrow(rejectedAs("malformed-request"));
    expect(() => check(["Host", "a", "host", "a"], { httpVersion: "1.0" })).toThrow(rejectedAs("malformed-request"));
  });

  it("lets HTTP/1.0 have no Host", () => {
    expect(() => check([], { httpVersion: "1.0" })).not.toThrow();
    for (const httpVersion of ["0.9", "2.0"])
      expect(() => check(["Host", "a"], { httpVersion })).toThrow(rejectedAs("malformed-request"));
  });

  it("takes the transfer coding chunked in any letter case, and no other; none in HTTP/1.0", () => {
    const coded = (...codings: string[]) => [
      "Host",
      "a",
      ...codings.flatMap((coding) => ["Transfer-Encoding", coding]),
    ];
    const wide = { ...limits, maxHeaderBytes: 200 };
    const checkAs = (httpVersion: string, ...codings: string[]) =>
      checkHead({ url: "/", rawHeaders: coded(...codings), httpVersion }, wide);
    const checkCoded = (...codings: string[]) => checkAs("1.1", ...codings);
    expect(() => checkAs("1.0")).not.toThrow();
    for (const coding of ["chunked", "gzip, chunked", ""])
      expect(() => checkAs("1.0", coding), coding).toThrow(rejectedAs("malformed-request"));
    for (const coding of ["chunked", "Chunked"]) expect(() => checkCoded(coding)).not.toThrow();
    for (const codings of [["gzip, chunked"], ["identity"], [""], ["gzip", "chunked"], ["chunked", "chunked"]])
      expect(() => checkCoded(...codings), codings.join()).toThrow(rejectedAs("malformed-request"));
  });

  it("does not take a value for a name", () => {
    expect(() => check(["Host", "a", "X", "Host"])).not.toThrow();
  });
});

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
  ])("rejects %j as malformed-request", (url) => {
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

describe("clientAddress", () => {
  it.each([
    ["the socket's, when no proxy is trusted", "192.0.2.9", "198.51.100.1", 0, "192.0.2.9"],
    ["an IPv4 address in IPv6 clothes, shortened", "::ffff:1.2.3.4", undefined, 0, "1.2.3.4"],
    ["an IPv6 address as it is", "2001:db8::1", undefined, 0, "2001:db8::1"],
    ["the socket's, when nothing was forwarded", "192.0.2.9", undefined, 1, "192.0.2.9"],
    ["the rightmost entry with one hop", "10.0.0.1", "203.0.113.7, 198.51.100.1", 1, "198.51.100.1"],
    ["the second from the right with two", "10.0.0.1", "6.6.6.6,203.0.113.7 , 10.0.0.2", 2, "203.0.113.7"],
    ["the leftmost when there are fewer entries than hops", "10.0.0.1", "203.0.113.7", 3, "203.0.113.7"],
    ["the last trustworthy one before an entry that is no address", "10.0.0.1", "junk, 10.0.0.2", 2, "10.0.0.2"],
    ["the socket's when the first entry is no address", "10.0.0.1", "1.1.1.1, <b>", 1, "10.0.0.1"],
    ["the socket's when the header is empty", "10.0.0.1", "", 1, "10.0.0.1"],
    ["an entry without its port", "10.0.0.1", "192.0.2.1:443", 1, "192.0.2.1"],
    ["an IPv6 entry without brackets and port", "10.0.0.1", "[2001:db8::1]:443", 1, "2001:db8::1"],
    ["an IPv6 entry without brackets", "10.0.0.1", "[2001:db8::1]", 1, "2001:db8::1"],
    ["a forwarded address in IPv6 clothes, shortened", "10.0.0.1", "::FFFF:192.0.2.1", 1, "192.0.2.1"],
    ["the same in hexadecimal", "10.0.0.1", "::ffff:cb00:7109", 1, "203.0.113.9"],
    ["the same with every group", "10.0.0.1", "0:0:0:0:0:ffff:203.0.113.9", 1, "203.0.113.9"],
    ["the same with every digit", "10.0.0.1", "[0000:0000:0000:0000:0000:FFFF:CB00:7109]:443", 1, "203.0.113.9"],
    ["the same with a zone", "::0:ffff:203.0.113.9%eth0", undefined, 0, "203.0.113.9"],
    ["the lowest of these", "10.0.0.1", "::ffff:0:0", 1, "0.0.0.0"],
    [
      "an IPv6 address that only ends like one of these",
      "10.0.0.1",
      "2001:db8::ffff:cb00:7109",
      1,
      "2001:db8::ffff:cb00:7109",
    ],
    ["an IPv6 address that only begins like one", "10.0.0.1", "::ffff:0:203.0.113.9", 1, "::ffff:0:203.0.113.9"],
    ["the socket's when what is in IPv6 clothes is no address", "10.0.0.1", "::ffff:999.0.113.9", 1, "10.0.0.1"],
    ["unknown when the socket is gone", undefined, undefined, 0, "unknown"],
  ])("is %s", (_, socket, forwarded, hops, expected) => {
    expect(clientAddress(socket, forwarded, hops)).toBe(expected);
  });
});
