import { type Golden, golden, rejected, served } from "./table.ts";

/**
 * What reaches no operation, of any contract: the head of a request, paths and methods, CORS, the
 * body of a POST (D1 to D15).
 */

const BAD_QUERY = rejected(400, "malformed-query");
const NO_OPERATION = rejected(400, "operation-missing");
const REPEATED = rejected(400, "parameter-repeated");
const UNKNOWN = rejected(404, "operation-not-found");
const NO_PATH = rejected(404, "path-not-found");
const TOO_LARGE = rejected(413, "content-too-large");
const UNSUPPORTED = rejected(415, "unsupported-media-type");
const HEAD_TOO_LARGE = rejected(431, "headers-too-large");
const ALL_METHODS = { allow: "GET, HEAD, POST, OPTIONS" };

/** Exchanges that name no operation of the contract. */
export const endpoint: readonly Golden[] = [
  golden("dispatch/missing", NO_OPERATION, { "An empty @ is none": "/api/?@=" }),
  golden("dispatch/prototype-names", UNKNOWN, {
    "Names that every object has are unknown": "/api/?@=constructor",
  }),
  golden(
    "dispatch/other-paths-methods",
    rejected(405, "method-not-allowed", { allow: "GET, HEAD, OPTIONS" }),
    { "Another method on another path": { method: "PUT", target: "/" } },
  ),
  golden("cors/preflight", served(204, ALL_METHODS), {
    "It allows every request header of the contract and those of a trace": {
      method: "OPTIONS",
      fields: [
        ["Origin", "https://page.example"],
        ["Access-Control-Request-Method", "POST"],
        [
          "Access-Control-Request-Headers",
          "content-type,traceparent,tracestate,x-api-key,x-platform",
        ],
      ],
    },
  }),
  golden("http/slash-options", served(204, ALL_METHODS), {
    "OPTIONS is not redirected": { method: "OPTIONS", target: "/api" },
  }),
  golden("http/slash-redirect", served(308, { location: "api/?", orLocation: "api/" }), {
    "An empty query may be dropped": { target: "/api?", body: "{}" },
  }),
  golden("http/malformed-json", NO_OPERATION, {
    "An empty object is an object: it lacks @": { key: "full", body: "{}" },
  }),
  golden("http/media-type", UNSUPPORTED, {
    "Another media type; it comes before the size": {
      fields: [["Content-Type", "text/plain"]],
      body: "a".repeat(65_537),
    },
  }),
  golden("answers/problems-whatever-accept", UNKNOWN, {
    "A problem has its own media type": {
      target: "/api/?@=unknown",
      fields: [["Accept", "text/html"]],
    },
  }),
].flat();

/** Exchanges with the name of a query. */
export function ofQuery(query: string): readonly Golden[] {
  const target = `/api/?@=${query}`;
  const odd = `?@=${query}&x=%4&y=+`;
  return [
    golden("http/url-limit", rejected(414, "uri-too-long", { or: ["headers-too-large"] }), {
      "A target of 8,193 bytes is too long, whether it is counted alone or with the fields":
        `${target}&X-API-KEY=`.padEnd(8193, "k"),
    }),
    golden("http/header-count", HEAD_TOO_LARGE, {
      "101 fields are too many": {
        target,
        fields: [["Connection", "close"], ...Array(99).fill(["X-More", "a"])],
      },
    }),
    golden("http/header-limit", HEAD_TOO_LARGE, {
      "Fields of 16 KiB and one byte more are too much": {
        target,
        fields: [["Connection", "close"]],
        headBytes: 16_385,
      },
    }),
    golden("http/malformed-request", rejected(400, "malformed-request"), {
      "An unknown method token": { method: "FETCH-IT", target },
      "A target with a byte that is no visible ASCII character (RFC 9112, 3.2)": `${target}&x=é`,
      "A target that is neither a path nor an http(s) address": `ftp://one.invalid${target}`,
      "Another transfer coding than chunked": { target, fields: [["Transfer-Encoding", "gzip"]] },
      "Any transfer coding of HTTP/1.0, which has none": {
        method: "GET",
        target,
        version: "1.0",
        fields: [["Transfer-Encoding", "chunked"]],
        body: "0\r\n\r\n",
      },
    }),
    golden("http/expectation", rejected(417, "expectation-failed"), {
      "Another expectation than 100-continue cannot be met": {
        target,
        fields: [["Expect", "200-ok"]],
      },
    }),
    golden("dispatch/repeated", REPEATED, {
      "@ and %40 together are one parameter twice": `${target}&%40=${query}`,
    }),
    golden("dispatch/repeated-credential", REPEATED, {
      "A credential header that is sent twice, on a public operation too": {
        target,
        fields: [
          ["X-PLATFORM", "{platform}"],
          ["x-platform", "{platform}"],
        ],
      },
    }),
    golden("dispatch/malformed-query", BAD_QUERY, {
      "A broken percent-escape": `${target}&x=%4`,
      "Escaped bytes that are not UTF-8": `${target}&x=%FF`,
    }),
    golden("dispatch/plus-is-space", UNKNOWN, {
      "A name with a blank behind it is unknown": `${target}+`,
    }),
    golden("dispatch/unknown-method", rejected(405, "method-not-allowed", ALL_METHODS), {
      "Another method on the endpoint, whatever the operation": { method: "DELETE", target },
    }),
    golden("http/slash-redirect", served(308, { location: `api/${odd}` }), {
      "/api redirects by a relative address and keeps the query byte for byte": `/api${odd}`,
    }),
    golden("dispatch/no-version-in-path", NO_PATH, {
      "A version behind /api/ is another path": `/api/v1/?@=${query}`,
    }),
    golden("http/unknown-path", NO_PATH, {
      "A path that is not served, whatever the method": {
        method: "DELETE",
        target: `/API/?@=${query}`,
      },
      "What is behind /api/ is another path": `/api/${query}?@=${query}`,
    }),
    golden(
      "http/unknown-path",
      { ...NO_PATH, or: ["malformed-request"] },
      {
        "No target has a fragment": `${target}#x`,
      },
    ),
    golden("http/dot-segments", NO_PATH, {
      "Percent-encoded dot segments are not removed": `/api/${query}/%2e%2e/?@=${query}`,
    }),
    golden("http/body-limit-on-get", TOO_LARGE, {
      "A body on GET of 65,537 bytes is too large": {
        method: "GET",
        target,
        body: "a".repeat(65_537),
      },
    }),
  ].flat();
}

/** Exchanges with the name of a command. */
export function ofCommand(command: string): readonly Golden[] {
  const start = `{"@":"${command}"`;
  const whole = `${start}}`;
  const send = (body: string | Buffer) => ({ key: "full", body });
  const named = (name: string) =>
    send(`${start},"data":{"name":${name},"email":"{mark}1@example.com"}}`);
  const levels = `${"[".repeat(15)}${"]".repeat(15)}`;
  const badJson = (requirement: string, requests: Parameters<typeof golden>[2]) =>
    golden(requirement, rejected(400, "malformed-json"), requests);
  return [
    golden("dispatch/missing-in-body", NO_OPERATION, {
      "On POST the query names no operation": {
        key: "full",
        target: `/api/?@=${command}`,
        body: '{"@":1}',
      },
    }),
    golden("dispatch/ambiguous", rejected(400, "operation-ambiguous"), {
      "On POST it must not name one in addition": {
        key: "full",
        target: `/api/?%40=${command}`,
        body: whole,
      },
    }),
    golden("dispatch/options", served(204, ALL_METHODS), {
      "OPTIONS does not read the query": {
        method: "OPTIONS",
        target: `/api/?@=${command}&x=%4`,
      },
    }),
    golden("http/body-limit", TOO_LARGE, {
      "A body of 65,537 bytes is not; which operation it names is not known then": send(
        whole.padEnd(65_537),
      ),
    }),
    badJson("http/nesting", {
      "17 levels are not read": named(levels),
      "The text counts, of a member too whose value another one replaces": named(
        `${levels},"name":"Ada"`,
      ),
    }),
    badJson("http/body-parts", {
      "1,025 parts are not read": named(`[${"0,".repeat(1020)}0]`),
      "The text counts, of a member too whose value another one replaces": named(
        `[${"0,".repeat(1019)}0],"name":"Ada"`,
      ),
    }),
    badJson("dispatch/no-batch", { "A list is not one JSON object": send(`[${whole}]`) }),
    badJson("http/not-utf8", {
      "A byte order mark is not taken": send(Buffer.from(`\xef\xbb\xbf${whole}`, "latin1")),
      "Bytes that are not UTF-8 are not taken": send(Buffer.from(`${start},"x":"\xff"}`, "latin1")),
    }),
    badJson("http/proto-member", {
      "A member __proto__, however it is written": named('"Ada","\\u005f_proto__":{}'),
    }),
    golden("http/charset", UNSUPPORTED, {
      "Another charset": {
        fields: [["Content-Type", "application/json; charset=latin1"]],
        body: whole,
      },
    }),
    golden("http/content-encoding", UNSUPPORTED, {
      "A content coding": { fields: [["Content-Encoding", "gzip"]], body: whole },
    }),
  ].flat();
}
