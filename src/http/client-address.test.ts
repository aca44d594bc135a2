import { describe, expect, it } from "vitest";
import { clientAddress } from "./client-address.ts";

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
    ["unknown when the socket is gone", undefined, undefined, 0, "unknown"],
  ])("is %s", (_, socket, forwarded, hops, expected) => {
    expect(clientAddress(socket, forwarded, hops)).toBe(expected);
  });
});
