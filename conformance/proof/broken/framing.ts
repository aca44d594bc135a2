import { broken, type Mutant } from "../mutant.ts";
import { answerBytes, received, verbatimBytes } from "../proxy/answer.ts";
import { values } from "../proxy/head.ts";
import { header } from "../proxy/look.ts";
import type { Context, Hooks, ProxyAnswer, ProxyRequest } from "../proxy/message.ts";
import {
  refusal,
  respond,
  respondProblem,
  verbatim,
  withAddedHeader,
  withHeader,
  withoutHeader,
} from "../proxy/shape.ts";
import { connect } from "../proxy/upstream.ts";

/** Bytes that are not a request, or might be two: each server reads them differently. And responses that are written wrongly. */

const HEAD_END = "\r\n\r\n";
/** The id of a request after the others, which ends the connection, and of its response. */
const LAST_ID = "end-of-the-exchange";
/** Less than a check waits for. */
const PATIENCE = 2000;

/** The target's response to other bytes on a separate connection. */
function exchange(bytes: Buffer, { target }: Context): Promise<Buffer> {
  const last = ["GET / HTTP/1.1", `Host: ${target.host}`, `X-Request-Id: ${LAST_ID}`, "Connection: close"];
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const upstream = connect(target);
    const done = () => {
      clearTimeout(timer);
      upstream.destroy();
      resolve(withoutLast(Buffer.concat(chunks)));
    };
    const timer = setTimeout(done, PATIENCE);
    upstream.on("data", (chunk: Buffer) => chunks.push(chunk));
    upstream.on("error", done).on("end", done).on("close", done);
    upstream.write(Buffer.concat([bytes, Buffer.from(last.join("\r\n") + HEAD_END)]));
  });
}

function withoutLast(bytes: Buffer): Buffer {
  for (let at = 0; ; ) {
    const read = received(bytes.subarray(at), "GET", true);
    if (!read) return bytes;
    if (header(read.answer, "X-Request-Id") === LAST_ID) return bytes.subarray(0, at);
    at += read.bytes.length;
  }
}

/** Responds to bytes of this form by itself. */
const reads = (id: string, form: RegExp, unreadable: NonNullable<Hooks["unreadable"]>): Mutant =>
  broken(id, {
    unreadable: (bytes, context) => (form.test(bytes.toString("latin1")) ? unreadable(bytes, context) : null),
  });

const AMBIGUOUS = /^(?:content-length|transfer-encoding)[ \t]*:/im;
const FIELDS = /^(?:content-length|transfer-encoding)[ \t]*:.*\r\n/gim;

/** A server's own framing fields, instead of those that were sent. */
const framings: Readonly<Record<string, (head: string, body: Buffer) => string>> = {
  "reads chunks, whatever the length": () => "Transfer-Encoding: chunked",
  "reads by the length, whatever the chunks": (head) => /content-length:.*/i.exec(head)?.[0] ?? "Content-Length: 0",
  "reads no body by a length that it does not know": () => "Content-Length: 0",
  "reads all there is": (_head, body) => `Content-Length: ${body.length}`,
};

const framed = Object.entries(framings).map(([id, framing]) =>
  reads(id, AMBIGUOUS, async (bytes, context) => {
    const end = bytes.indexOf(HEAD_END) + HEAD_END.length;
    const head = bytes.toString("latin1", 0, end);
    const body = bytes.subarray(end);
    const fields = `${head.replace(FIELDS, "").slice(0, -2)}${framing(head, body)}${HEAD_END}`;
    return { ...respond(200, {}), raw: await exchange(Buffer.concat([Buffer.from(fields, "latin1"), body]), context) };
  }),
);

/** For the proxy a message with chunks is readable, whatever its version is. */
const isOldAndCoded = ({ version, headers }: ProxyRequest) =>
  version === "1.0" && values(headers, "transfer-encoding").length > 0;

const reading: readonly Mutant[] = [
  broken("reads the chunks of HTTP/1.0", {
    request: (request) => (isOldAndCoded(request) ? { ...request, version: "1.1" } : request),
  }),
  broken("reads on behind the chunks of HTTP/1.0", {
    answer: (answer, request) => (isOldAndCoded(request) ? withHeader(answer, "Connection", "keep-alive") : answer),
  }),
  ...framed,
  reads("serves what is no request", /^(?![A-Z]+ \S+ HTTP\/1\.1\r\n)/, () => respond(200, {})),
  reads("serves a line that is no field", /\r\n[^:\r\n]+\r\n/, () => respond(200, {})),
  reads("says 505 of another version", /^GET \S+ HTTP\/[^1]/, () => respondProblem(505, "malformed-request")),
  // It belongs to a valid request before it.
  reads("forgets what came before what it cannot read", /HTTP\/1\.1\r\n.*\r\n\r\n/s, () =>
    refusal("malformed-request"),
  ),
];

function inChunks(answer: ProxyAnswer): ProxyAnswer {
  const { body } = answer;
  const start = Buffer.from(`${body.length.toString(16)}\r\n`);
  const chunked = withAddedHeader(withoutHeader(answer, "Content-Length"), "Transfer-Encoding", "chunked");
  return { ...chunked, body: Buffer.concat([start, body, Buffer.from("\r\n0\r\n\r\n")]) };
}

/** Writes responses that have a body in another way, where it `holds`. */
const writes = (
  id: string,
  holds: (answer: ProxyAnswer, request: ProxyRequest) => boolean,
  write: (answer: ProxyAnswer, request: ProxyRequest) => ProxyAnswer,
): Mutant =>
  broken(id, {
    answer: (answer, request) =>
      request.method !== "HEAD" && answer.body.length > 0 && holds(answer, request) ? write(answer, request) : answer,
  });
const isSuccess = ({ status }: ProxyAnswer) => status < 300;
const isRejection = ({ status }: ProxyAnswer) => status >= 400;

const writing: readonly Mutant[] = [
  writes("a rejection has a byte more than announced", isRejection, (answer) =>
    verbatim({ ...answer, body: Buffer.concat([answer.body, Buffer.from("\n")]) }),
  ),
  writes("a rejection is written twice", isRejection, (answer, { method }) => {
    const bytes = answerBytes(answer, method);
    return { ...answer, raw: Buffer.concat([bytes, bytes]) };
  }),
  writes("a rejection has length and chunks", isRejection, (answer) =>
    verbatim(withHeader(inChunks(answer), "Content-Length", String(answer.body.length))),
  ),
  writes("a success has no last chunk", isSuccess, (answer) => ({
    ...answer,
    raw: verbatimBytes(inChunks(answer)).subarray(0, -5),
  })),
  writes(
    "answers HTTP/1.0 in chunks",
    (_, { version }) => version === "1.0",
    (answer) => verbatim(inChunks(withHeader(answer, "Connection", "close"))),
  ),
  writes(
    "says br of what is not",
    (_, request) => header(request, "Accept-Encoding") !== null,
    (answer) => withHeader(answer, "Content-Encoding", "br"),
  ),
  broken("a 304 has a body", {
    answer: (answer) => (answer.status === 304 ? verbatim({ ...answer, body: Buffer.from("{}") }) : answer),
  }),
];

export const mutants: readonly Mutant[] = [...reading, ...writing];
