import type { Request } from "../oracle/model-state.ts";
import { stringOf } from "../oracle/values.ts";
import type { Script } from "../run/state.ts";
import { type SocketTestContext, withFields } from "./context.ts";
import { type Play, post, script, simple, single } from "./requests.ts";

/** Bytes that are no request, or might be two (D13). */

const NOT_HTTP = [
  "this is not HTTP\r\n\r\n",
  "\x00\x01\x02\x03\xff\xfe\r\n\r\n",
  '{"@":"x"}\r\n\r\n',
  // A TLS handshake.
  "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
];
const METHODS = "FOO GETT GE X-GET get Get head options post".split(" ");
const CODINGS = [
  "gzip, chunked",
  "identity, chunked",
  "gzip\r\nTransfer-Encoding: chunked",
  "gzip",
];
const CHUNK_SIZES = ["zz", "-1", "0x#", "# #", "fffffffffffffffff", ""];

/**
 * Right requests, as text: a query and a command in one chunk that end their connection, and a
 * query behind them.
 */
interface Right {
  readonly plain: string;
  readonly chunked: string;
  readonly next: string;
}

/** A right request with one thing replaced. */
function malformed({ run }: SocketTestContext, { plain }: Right): readonly string[] {
  const [, target = ""] = plain.split(" ");
  return [
    ...NOT_HTTP,
    `${run.source.caller.canary}\r\n\r\n`,
    ...METHODS.map((method) => plain.replace("GET", method)),
    ...["HTTP/2.0", "HTTP/3.0"].map((version) => plain.replace("HTTP/1.1", version)),
    // The address in the request line does not replace `Host` (RFC 9112, 3.2).
    plain.replace(target, () => run.options.target.origin + target).replace(/\r\nHost:.*/i, ""),
  ];
}

/** Rejected by any status, or by the end of the connection: parsers differ. */
const badLines = ({ run }: SocketTestContext, { plain }: Right): readonly string[] => [
  ...[run.options.target.host, "other.example"].map((host) =>
    plain.replace("\r\n", `\r\nHost: ${host}\r\n`),
  ),
  ...["this is no field", ": value", "X-Field : value"].map((line) =>
    plain.replace("\r\n", `\r\n${line}\r\n`),
  ),
  ...["HTTP/9.9", "http/1.1"].map((version) => plain.replace("HTTP/1.1", version)),
  plain.replace("?", " ?"),
  // The preface of HTTP/2 (RFC 9113, 3.4), and what is none.
  "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  "PRI /x\r\n\r\n",
];

/** 2^64: it is 0 in a 64-bit number. It is a single length, and too large as well. */
const OVERFLOWING = "18446744073709551616";
/**
 * Header lines, `|` between them; `#` is the length of the whole body, which is the next request.
 */
const LENGTHS = [
  "Content-Length: 0|Content-Length: #",
  "Content-Length: #|content-length: 0",
  ...["0, #", "-1", "-#", "+0", "0x0", "0.0", "none", "0 #", OVERFLOWING].map(
    (length) => `Content-Length: ${length}`,
  ),
];
/** The body is a last chunk, and the next request. */
const CHUNKED = [
  "Content-Length: #|Transfer-Encoding: chunked",
  "Transfer-Encoding: chunked|Content-Length: #",
  "Content-Length: 5|Transfer-Encoding: chunked",
  "content-length: 5|TRANSFER-ENCODING: Chunked",
  "Transfer-Encoding: chunked, identity",
  "Transfer-Encoding: chunked|Transfer-Encoding: identity",
  "Transfer-Encoding: xchunked",
  "Content-Length: 0|Transfer-Encoding : chunked",
  "Content-Length: 0|Transfer-Encoding: \x0bchunked",
  "Transfer-Encoding:",
];

/**
 * How long to wait for a server that neither responds nor closes: enough for a loaded machine, and
 * short enough for a run.
 */
const SILENCE_MS = 5000;

/**
 * Nothing is served, and no more than one response comes: the bytes behind the head are no request.
 */
async function* rejected(context: SocketTestContext, text: string, ends = false) {
  const bytes = Buffer.from(text, "latin1");
  const conversation = await context.send(bytes, { heads: [false], timeoutMs: SILENCE_MS });
  context.exercised();
  const { responses, closed } = conversation;
  const [response] = responses;
  if (responses.length > 1 || (closed === null && (ends || !response)))
    yield context.unlike("one rejection, or the end of the connection", bytes, conversation);
  else if (response) {
    const code = stringOf(Object(response.json).code ?? "");
    const actual = `${response.status} ${code}`;
    const wrong = (expected: string) =>
      context.unlike(expected, bytes, conversation, { aspect: "status", actual });
    // Any other code would show that the server has read the body, by one of two lengths.
    const isFraming = /^(?:content-length|transfer-encoding)/im.test(text) && code !== "";
    const isTooLarge = text.includes(OVERFLOWING) && response.status === 413;
    if (response.status < 400) yield wrong("a rejection");
    else if (isFraming && !isTooLarge && actual !== "400 malformed-request")
      yield wrong("400 malformed-request");
  }
}

/** What is broken are requests that are served. */
const broken = (
  id: string,
  requirement: string,
  play: (...given: [SocketTestContext, Right]) => ReturnType<Play>,
): Script =>
  script(id, requirement, "hostile", async function* (context) {
    const [plain, command] = [simple(context.run), post(context.run)];
    const inOne = { ...command, framing: { chunks: [command.body.length] } };
    yield* context.served([plain, command, inOne]);
    const textOf = (request: Request, ends: boolean) =>
      context.bytesOf(request, ends).toString("latin1");
    yield* play(context, {
      plain: textOf(plain, true),
      chunked: textOf(inOne, true),
      next: textOf(plain, false),
    });
  });

const eachRejected = (
  id: string,
  texts: (context: SocketTestContext, right: Right) => readonly string[],
): Script =>
  broken(id, "http/malformed-request", async function* (context, right) {
    for (const text of texts(context, right)) {
      // To HEAD, the rejection may have a body.
      const request = { method: text.split(" ")[0] ?? "", target: "", fields: [], body: "" };
      yield* context.together([
        { request, bytes: Buffer.from(text, "latin1"), codes: ["malformed-request"] },
      ]);
    }
  });

const framed = (id: string, cases: readonly string[], before: string): Script =>
  broken(id, "http/framing", async function* (context, { chunked, next }) {
    const [head = ""] = chunked
      .replace(/\r\n(?:Transfer-Encoding|Connection):.*/gi, "")
      .split("\r\n\r\n");
    const body = before + next;
    for (const lines of cases) {
      const fields = [head, ...lines.split("|")].join("\r\n").replaceAll("#", `${body.length}`);
      yield* rejected(context, `${fields}\r\n\r\n${body}`);
    }
  });

export const bytes: readonly Script[] = [
  eachRejected("bytes that are no request", malformed),
  eachRejected("a request of HTTP/0.9", (_, { plain }) => [plain.replace("HTTP/1.1", "HTTP/0.9")]),
  eachRejected("codings of a body", (_, { chunked }) =>
    CODINGS.map((coding) => chunked.replace("chunked", coding)),
  ),
  eachRejected("sizes of chunks", (_, { chunked }) =>
    CHUNK_SIZES.map((text) =>
      chunked.replace(/(?<=\r\n\r\n)[\da-f]+/, (size) => text.replaceAll("#", size)),
    ),
  ),
  single("a coding in capitals", "http/malformed-request", "hostile", ({ run }) => [
    { ...withFields(post(run), ["Transfer-Encoding", "Chunked"]), framing: { chunks: [99] } },
  ]),
  broken("lines that are no fields", "http/malformed-request", async function* (context, right) {
    for (const text of badLines(context, right)) yield* rejected(context, text);
  }),
  framed("lengths that contradict", LENGTHS, ""),
  framed("codings that contradict", CHUNKED, "0\r\n\r\n"),
  // A proxy that reads as HTTP/1.0 does sees another request in the chunks (RFC 9112, 6.1).
  broken("chunks in HTTP/1.0", "http/framing", async function* (context, { chunked, next }) {
    const old = chunked
      .replace("HTTP/1.1", "HTTP/1.0")
      .replace(/(?<=\r\nConnection: )close/i, "keep-alive");
    for (const coding of ["chunked", "Chunked", "gzip, chunked"])
      yield* rejected(context, old.replace("chunked", coding) + next, true);
  }),
  // A server that opens a tunnel, or keeps the connection, responds to the next request.
  broken("CONNECT", "http/connect", async function* (context, { next }) {
    const { host } = context.run.options.target;
    for (const target of [host, "other.example:443", simple(context.run).target]) {
      const fields = [["Host", target.startsWith("/") ? host : target]] as const;
      const opening = context.bytesOf({ method: "CONNECT", target, fields, body: "" }, false);
      yield* rejected(context, opening.toString("latin1") + next, true);
    }
  }),
];
