import type { Api } from "../../client/api.ts";
import { describe, fail } from "../../client/expect.ts";
import { type Check, check } from "../check.ts";
import { ending, inCase } from "../probe.ts";
import { expectWhole } from "./connection.ts";
import {
  ALL,
  at,
  type Case,
  casesOf,
  chunked,
  converse,
  emptyCreate,
  expectCases,
  refusedPost,
  type Sent,
  SILENCE_MS,
  SYSINFO,
  sysinfo,
  withFields,
} from "./support.ts";

const refused = (what: string, sent: Sent): Case => [what, sent, "malformed-request"];
const wellFormed = (api: Api): Case => ["the same, well-formed", sysinfo(api), "sysinfo"];

const NOT_HTTP = [
  "this is not HTTP\r\n\r\n",
  "\x00\x01\x02\x03\xff\xfe\r\n\r\n",
  '{"@":"sysinfo"}\r\n\r\n',
  // A TLS handshake, and the preface of HTTP/2 (RFC 9113, 3.4).
  "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
  "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  "PRI /x\r\n\r\n",
];

const METHODS = ["FOO", "GETT", "GE", "SYSINFO", "X-GET"];

/** Most URL parsers throw for some of these. */
const schemes = (api: Api) => [
  ...[`ftp://${api.host}`, `a://${api.host}`, "file://", "a://[", "ftp://[::1", "ftp://xn--"],
  ...["http://", "http://[::1", "https://a:b"],
];

/** Rejected with any 4xx status (or 5xx for unimplemented features), or by closing the connection. */
function badLines(api: Api): Readonly<Record<string, Sent>> {
  const lines = (first: string, ...more: string[]) =>
    `${[first, `Host: ${api.host}`, ...more, "Connection: close"].join("\r\n")}\r\n\r\n`;
  const first = `GET ${api.path(SYSINFO)} HTTP`;
  const hosts = [api.host, "other.example"].map((host) => ["Host", host] as const);
  return {
    "two Hosts": sysinfo(api, { headers: hosts }),
    "a header line without a colon": lines(`${first}/1.1`, "this is no field"),
    "a field without a name": lines(`${first}/1.1`, ": value"),
    "a blank before the colon": lines(`${first}/1.1`, "X-Field : value"),
    "an unknown version": lines(`${first}/9.9`),
    "no such protocol": lines(`GET ${api.path(SYSINFO)} http/1.1`),
    "a blank in the target": lines(`GET ${api.path("/api/ ?@=sysinfo")} HTTP/1.1`),
  };
}

const coded = (api: Api, ...codings: readonly string[]) => ({
  ...withFields(refusedPost(api), ...codings.map((coding) => ["Transfer-Encoding", coding] as const)),
  body: chunked(refusedPost(api), emptyCreate).body ?? "",
});

const inChunkOf = (api: Api, size: string) => ({
  ...withFields(refusedPost(api), ["Transfer-Encoding", "chunked"]),
  body: `${size}\r\n${emptyCreate}\r\n0\r\n\r\n`,
});

const malformed: readonly Check[] = [
  check("http/malformed-request#not-http", { effect: "hostile" }, async (api) => {
    const methods = METHODS.map((method) => refused(`the method ${method}`, sysinfo(api, { method })));
    const bytes = NOT_HTTP.map((text) => refused(JSON.stringify(text), text));
    await expectCases(api, [wellFormed(api), ...bytes, ...methods], expectWhole);
  }),
  ...casesOf("http/malformed-request", "hostile", {
    "method-in-lower-case": (api) => [
      wellFormed(api),
      ...["get", "Get", "head", "options"].map((method) => refused(method, sysinfo(api, { method }))),
      refused("post", { ...refusedPost(api), method: "post" }),
    ],
    "missing-host": (api) => [
      wellFormed(api),
      ...["GET", "HEAD", "OPTIONS", "DELETE"].map((method) => refused(method, sysinfo(api, { method, host: null }))),
      refused("POST", { ...refusedPost(api), host: null }),
      ...["/", "/api?@=sysinfo", "/openapi.json", "/no-such-path"].map((path) =>
        refused(path, at(api, path, { host: null })),
      ),
      // The address in the request line does not replace `Host` (RFC 9112, 3.2).
      refused("the absolute form", { target: api.url + SYSINFO, host: null }),
    ],
    targets: (api) => [
      wellFormed(api),
      ...schemes(api).map((start) => refused(`the target ${start}…`, { target: start + api.path(SYSINFO) })),
      refused("the target * of GET", { target: "*" }),
    ],
    versions: (api) => [
      wellFormed(api),
      ...["0.9", "2.0", "3.0"].map((version) => refused(`HTTP/${version}`, sysinfo(api, { version }))),
    ],
    "transfer-codings": (api) => [
      ["Chunked", coded(api, "Chunked"), "invalid-input"],
      ...[["gzip, chunked"], ["identity, chunked"], ["gzip", "chunked"], ["gzip"]].map((codings) =>
        refused(codings.join(" and "), coded(api, ...codings)),
      ),
    ],
    "broken-chunks": (api) => {
      const size = emptyCreate.length.toString(16);
      const broken = ["zz", "-1", `0x${size}`, `${size} ${size}`, "fffffffffffffffff", ""];
      return [
        [`the chunk size ${size}`, inChunkOf(api, size), "invalid-input"],
        ...broken.map((text) => refused(`the chunk size "${text}"`, inChunkOf(api, text))),
      ];
    },
  }),
  check("http/malformed-request#bad-lines", { effect: "hostile" }, async (api) => {
    await expectCases(api, [wellFormed(api)]);
    for (const [what, sent] of Object.entries(badLines(api)))
      await inCase(what, async () => {
        const raw = await converse(api, sent, { answers: ALL, timeoutMs: SILENCE_MS });
        const served = raw.replies.find(({ status }) => status < 400);
        if (served) fail("status", "a refusal", describe(served));
        if (raw.replies.length === 0 && !raw.closed) fail("connection", "a refusal, or the end", ending(raw));
      });
  }),
];

const connect: readonly Check[] = [
  check("http/connect#closed", { effect: "hostile" }, async (api) => {
    // The server would respond to the next request if it opened a tunnel or kept the connection.
    const next = api.rawRequest(sysinfo(api));
    for (const target of [api.host, "other.example:443", api.path(SYSINFO)])
      await inCase(`CONNECT ${target}`, async () => {
        const host = target.startsWith("/") ? api.host : target;
        const opening = api.rawRequest({ method: "CONNECT", target, host, connection: null });
        const raw = await api.raw(Buffer.concat([opening, next]), { answers: ALL, timeoutMs: SILENCE_MS });
        const served = raw.replies.find(({ status }) => status < 400);
        if (served || !raw.closed)
          fail("connection", "the end of the connection", served ? describe(served) : ending(raw));
      });
  }),
];

/** Bytes that are no HTTP request, and requests that are not served (D13). */
export const malformedRequests: readonly Check[] = [...malformed, ...connect];
