import fc from "fast-check";
import { expect, it } from "vitest";
import { checkHead, clientAddress, splitTarget } from "./head.ts";

// Both sides of every limit, hosts, targets, paths and codings are sent to the running service by
// `http/url-limit`, `http/header-limit`, `http/header-count`, `http/malformed-request`,
// `http/unknown-path`, `http/dot-segments` and `http/framing`. Here is what they lack.
const malformed = expect.objectContaining({ code: "malformed-request" });

it.each([
  ["a value that is the name of a field", "1.1", "Host a X Host", true],
  ["two Hosts in HTTP/1.0", "1.0", "Host a host a", false],
  [
    "the coding chunked twice",
    "1.1",
    "Host a Transfer-Encoding chunked Transfer-Encoding chunked",
    false,
  ],
])("of a head with %s", (_, httpVersion, fields, isRight) => {
  const limits = { MAX_URL_BYTES: 20, MAX_HEADER_BYTES: 99, maxHeaderFields: 3 };
  const check = () => checkHead({ url: "/", rawHeaders: fields.split(" "), httpVersion }, limits);
  if (isRight) expect(check).not.toThrow();
  else expect(check).toThrow(malformed);
});

it.each([
  ["http://[::1]:80/api/?http://other/", "/api/", "http://other/"],
  ["http://host?x", "/", "x"],
  ["//host/api/", "//host/api/", ""],
  ["/http://host/", "/http://host/", ""],
  ["/.api/a./..b/..;/", "/.api/a./..b/..;/", ""],
])("splits the target %s", (url, path, search) => {
  expect(splitTarget(url)).toEqual({ path, search });
});

it.each(["", "http:/api/", "http:", "http://u@h/"])("rejects the target %j", (url) => {
  expect(() => splitTarget(url)).toThrow(malformed);
});

it("removes dot segments as the URL standard does, of all that is before the query", () => {
  // Not `.b`: behind one, Node 20 leaves dot segments where they are.
  const segments = fc.array(fc.constantFrom("a", "", ".", "..", "...", "b.", "%61"));
  fc.assert(
    fc.property(segments, fc.string({ unit: fc.constantFrom(..."/a%?;.") }), (some, search) => {
      const path = `/${some.join("/")}`;
      expect(splitTarget(`${path}?${search}`)).toEqual({
        path: new URL(`http://host${path}`).pathname,
        search,
      });
    }),
  );
});

it.each([
  ["the socket's, when no proxy is trusted", "192.0.2.9", "198.51.100.1", 0, "192.0.2.9"],
  ["an IPv4 address in IPv6 clothes, shortened", "::ffff:1.2.3.4", undefined, 0, "1.2.3.4"],
  [
    "the second from the right with two",
    "10.0.0.1",
    "6.6.6.6,203.0.113.7 , 10.0.0.2",
    2,
    "203.0.113.7",
  ],
  [
    "the leftmost when there are fewer entries than hops",
    "10.0.0.1",
    "203.0.113.7",
    3,
    "203.0.113.7",
  ],
  [
    "the last trustworthy one before an entry that is no address",
    "10.0.0.1",
    "junk, 10.0.0.2",
    2,
    "10.0.0.2",
  ],
  ["the socket's when the first entry is no address", "10.0.0.1", "1.1.1.1, <b>", 1, "10.0.0.1"],
  ["the socket's when the header is empty", "10.0.0.1", "", 1, "10.0.0.1"],
  ["an entry without its port", "10.0.0.1", "192.0.2.1:443", 1, "192.0.2.1"],
  ["an IPv6 entry without brackets and port", "10.0.0.1", "[2001:db8::1]:443", 1, "2001:db8::1"],
  ["the same in hexadecimal", "10.0.0.1", "::ffff:cb00:7109", 1, "203.0.113.9"],
  ["the same with every group", "10.0.0.1", "0:0:0:0:0:ffff:203.0.113.9", 1, "203.0.113.9"],
  [
    "an IPv6 address that only ends like one",
    "10.0.0.1",
    "2001::ffff:cb00:7109",
    1,
    "2001::ffff:cb00:7109",
  ],
  [
    "an IPv6 address that only begins like one",
    "10.0.0.1",
    "::ffff:0:203.0.113.9",
    1,
    "::ffff:0:203.0.113.9",
  ],
  [
    "the socket's when what is in IPv6 clothes is no address",
    "10.0.0.1",
    "::ffff:999.0.113.9",
    1,
    "10.0.0.1",
  ],
  ["unknown when the socket is gone", undefined, undefined, 0, "unknown"],
])("the address of a client is %s", (_, socket, forwarded, hops, expected) => {
  expect(clientAddress(socket, forwarded, hops)).toBe(expected);
});
