import { type Check, check } from "../checks/check.ts";
import { ending, inCase, shown } from "../checks/probe.ts";
import type { Api } from "../client/api.ts";
import { describe, expectProblem, fail } from "../client/expect.ts";
import { bytesOf } from "../client/send.ts";
import { wordOf } from "../client/word.ts";
import { askingOf } from "../lists/list.ts";
import { post, simple } from "./requests.ts";
import { ALL, inChunks, type Message, message, SILENCE_MS, talk, talkEach, withFields } from "./talk.ts";

/** Bytes that are no request, or might be two (D13). */

const NOT_HTTP = [
  ...["this is not HTTP\r\n\r\n", "\x00\x01\x02\x03\xff\xfe\r\n\r\n", '{"@":"x"}\r\n\r\n'],
  // A TLS handshake, and the preface of HTTP/2 (RFC 9113, 3.4).
  "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
  ...["PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "PRI /x\r\n\r\n"],
];
const METHODS = "FOO GETT GE SYSINFO X-GET get Get head options post".split(" ");
const CODINGS = ["gzip, chunked", "identity, chunked", "gzip\r\nTransfer-Encoding: chunked", "gzip"];
const CHUNK_SIZES = ["zz", "-1", "0x#", "# #", "fffffffffffffffff", ""];

/** Of two right requests, one thing is replaced. */
function malformed(api: Api, plain: string, chunked: string): readonly string[] {
  const [, target = ""] = plain.split(" ");
  const size = /\r\n\r\n([\da-f]+)/.exec(chunked)?.[1] ?? "";
  return [
    ...[...NOT_HTTP, `${wordOf(api)}\r\n\r\n`],
    ...METHODS.map((method) => plain.replace("GET", method)),
    ...["HTTP/0.9", "HTTP/2.0", "HTTP/3.0"].map((version) => plain.replace("HTTP/1.1", version)),
    // The address in the request line does not replace `Host` (RFC 9112, 3.2).
    plain.replace(target, () => new URL(target, api.url).href).replace(/\r\nHost:.*/i, ""),
    ...CODINGS.map((coding) => chunked.replace("chunked", coding)),
    ...CHUNK_SIZES.map((text) => chunked.replace(`\r\n\r\n${size}`, `\r\n\r\n${text.replaceAll("#", size)}`)),
  ];
}

/** Rejected by any status, or by the end of the connection: parsers differ. */
const badLines = (api: Api, plain: string): readonly string[] => [
  ...[api.host, "other.example"].map((host) => plain.replace("\r\n", `\r\nHost: ${host}\r\n`)),
  ...["this is no field", ": value", "X-Field : value"].map((line) => plain.replace("\r\n", `\r\n${line}\r\n`)),
  ...["HTTP/9.9", "http/1.1"].map((version) => plain.replace("HTTP/1.1", version)),
  plain.replace("?", " ?"),
];

/** 2^64: it is 0 in a 64-bit number. It is a single length, and too large as well. */
const OVERFLOWING = "18446744073709551616";
/** Header lines, `|` between them; `#` is the length of the whole body, which is the next request. */
const LENGTHS = [
  ...["Content-Length: 0|Content-Length: #", "Content-Length: #|content-length: 0"],
  ...["0, #", "-1", "-#", "+0", "0x0", "0.0", "none", "0 #", OVERFLOWING].map((length) => `Content-Length: ${length}`),
];
/** The body is a last chunk, and the next request. */
const CHUNKED = [
  ...["Content-Length: #|Transfer-Encoding: chunked", "Transfer-Encoding: chunked|Content-Length: #"],
  ...["Content-Length: 5|Transfer-Encoding: chunked", "content-length: 5|TRANSFER-ENCODING: Chunked"],
  ...["Transfer-Encoding: chunked, identity", "Transfer-Encoding: chunked|Transfer-Encoding: identity"],
  ...["Transfer-Encoding: xchunked", "Content-Length: 0|Transfer-Encoding : chunked"],
  ...["Content-Length: 0|Transfer-Encoding: \x0bchunked", "Transfer-Encoding:"],
];

/** Nothing is served, and no more than one response comes: the bytes behind the head are no request. */
async function expectRejected(api: Api, bytes: string, ends = false): Promise<void> {
  await inCase(shown(bytes), async () => {
    const raw = await api.raw(bytes, { answers: ALL, timeoutMs: SILENCE_MS });
    const { replies, closed } = raw;
    const served = replies.find(({ status }) => status < 400);
    if (served) fail("status", "a rejection", describe(served));
    if (replies.length > 1 || (!closed && (ends || replies.length === 0)))
      fail("connection", "one rejection, or the end of the connection", ending(raw));
    // Any other code would show that the server has read the body, by one of two lengths.
    const [reply] = replies;
    const isTooLarge = bytes.includes(OVERFLOWING) && reply?.status === 413;
    if (reply?.mediaType !== "application/problem+json" || isTooLarge) return;
    if (/^(?:content-length|transfer-encoding)/im.test(bytes)) expectProblem(reply, 400, "malformed-request");
  });
}

/** For HEAD, the rejection may have a body. */
const unreadable = (text: string): Message => {
  const [method = ""] = text.split(" ");
  const request = { method, target: "", fields: [], body: "" };
  return { request, written: Buffer.from(text, "latin1"), codes: ["malformed-request"] };
};

const withBytes = (id: string, run: (api: Api, plain: string, chunked: string, next: string) => Promise<void>): Check =>
  check(id, { effect: "hostile", decided: true }, async (api) => {
    const asking = askingOf(api);
    const [plain, command] = [simple(asking), post(asking)];
    await talkEach(asking, [plain, command, message(command, inChunks([command.body.length]))]);
    const [ending, next] = (["close", null] as const).map((end) => bytesOf(api, plain, end).toString("latin1"));
    const chunked = inChunks([command.body.length])(command);
    await run(api, ending ?? "", bytesOf(api, chunked, "close").toString("latin1"), next ?? "");
  });

const framed = (name: string, cases: readonly string[], before: string): Check =>
  withBytes(`http/framing#${name}`, async (api, _plain, chunked, next) => {
    const [head = ""] = chunked.replace(/\r\n(?:Transfer-Encoding|Connection):.*/gi, "").split("\r\n\r\n");
    const body = before + next;
    for (const lines of cases)
      await expectRejected(
        api,
        `${[head, ...lines.split("|")].join("\r\n").replaceAll("#", `${body.length}`)}\r\n\r\n${body}`,
      );
  });

export const bytes: readonly Check[] = [
  withBytes("http/malformed-request#bytes", async (api, plain, chunked) => {
    for (const text of malformed(api, plain, chunked)) await talk(askingOf(api), [unreadable(text)]);
    const command = post(askingOf(api));
    const { body } = inChunks([99])(command);
    const written = { ...withFields(command, ["Transfer-Encoding", "Chunked"]), body };
    await talk(askingOf(api), [{ request: command, written }]);
  }),
  withBytes("http/malformed-request#lines", async (api, plain) => {
    for (const text of badLines(api, plain)) await expectRejected(api, text);
  }),
  framed("lengths", LENGTHS, ""),
  framed("codings", CHUNKED, "0\r\n\r\n"),
  // A proxy that reads as HTTP/1.0 does sees another request in the chunks (RFC 9112, 6.1).
  withBytes("http/framing#version-1.0", async (api, _plain, chunked, next) => {
    const old = chunked.replace("HTTP/1.1", "HTTP/1.0").replace(/(?<=\r\nConnection: )close/i, "keep-alive");
    for (const coding of ["chunked", "Chunked", "gzip, chunked"])
      await expectRejected(api, old.replace("chunked", coding) + next, true);
  }),
  // A server that opens a tunnel, or keeps the connection, responds to the next request.
  withBytes("http/connect#closed", async (api, _plain, _chunked, next) => {
    for (const target of [api.host, "other.example:443", api.path("/api/?@=x")]) {
      const host = target.startsWith("/") ? api.host : target;
      const opening = api.rawRequest({ method: "CONNECT", target, host, connection: null });
      await expectRejected(api, opening.toString("latin1") + next, true);
    }
  }),
];
