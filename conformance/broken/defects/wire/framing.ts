import { received } from "../../answer.ts";
import { caught } from "../../caught.ts";
import type { Context, Defect } from "../../defect.ts";
import { header } from "../../look.ts";
import { respond, respondProblem } from "../../shape.ts";
import { connect } from "../../upstream.ts";

const FRAMING = /^(?:content-length|transfer-encoding)[ \t]*:.*\r\n/gim;

/** The id of a request behind the others, with which the connection ends, and of its answer. */
const LAST_ID = "end-of-the-exchange";

/** What the target answers to other bytes on a connection of their own. */
function exchange(bytes: Buffer, { target }: Context): Promise<Buffer> {
  const last = `GET ${target.pathname} HTTP/1.1\r\nHost: ${target.host}\r\nX-Request-Id: ${LAST_ID}\r\nConnection: close\r\n\r\n`;
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const upstream = connect(target);
    const done = () => {
      clearTimeout(timer);
      upstream.destroy();
      resolve(withoutLast(Buffer.concat(chunks)));
    };
    // Less than a check waits for.
    const timer = setTimeout(done, 4000);
    upstream
      .on("data", (chunk: Buffer) => chunks.push(chunk))
      .on("error", done)
      .on("end", done)
      .on("close", done);
    upstream.write(Buffer.concat([bytes, Buffer.from(last)]));
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

/** Reads a message by framing fields of its own making, in place of those that were sent. */
const reads =
  (framing: (head: string, body: Buffer) => string): Defect["unreadable"] =>
  async (bytes, context) => {
    const end = bytes.indexOf("\r\n\r\n") + 4;
    const head = bytes.toString("latin1", 0, end);
    const body = bytes.subarray(end);
    const changed = head.replace(FRAMING, "").replace(/\r\n\r\n$/, `\r\n${framing(head, body)}\r\n\r\n`);
    const answer = await exchange(Buffer.concat([Buffer.from(changed, "latin1"), body]), context);
    return { ...respond(200, {}), raw: answer };
  };

const CHUNKED = ["length-then-chunks", "chunks-then-length", "short-length-and-chunks", "chunks-in-another-case"];
const LAST = [
  "chunked-not-last",
  "two-codings",
  "unknown-coding",
  "coding-after-a-blank",
  "coding-after-a-control-character",
];
const ZERO = [
  "two-lengths",
  "two-lengths-reversed",
  "lengths-in-a-list",
  "negative-length",
  "negative-long-length",
  "signed-length",
];
const WORDS = [
  "hexadecimal-length",
  "fractional-length",
  "length-in-words",
  "length-with-a-blank",
  "length-beyond-counting",
];

const framing = (
  id: string,
  description: string,
  variants: readonly string[],
  reason: RegExp,
  unreadable: Defect["unreadable"],
) =>
  caught(
    `http/framing-${id}`,
    description,
    variants.map((name) => `http/framing#${name}`),
    reason,
    unreadable ? { unreadable } : {},
  );

/** Two answers, as of a server that has read two requests. */
export const framingDefects: readonly Defect[] = [
  framing(
    "chunks-win",
    "Reads chunks whatever the length says.",
    [...CHUNKED, ...LAST],
    /second request|refus/,
    reads(() => "Transfer-Encoding: chunked"),
  ),
  framing(
    "length-wins",
    "Reads by the length whatever is said of chunks.",
    CHUNKED,
    /malformed-request|second|refus/,
    reads((head) => /content-length:.*/i.exec(head)?.[0] ?? "Content-Length: 0"),
  ),
  framing(
    "no-length",
    "Reads no body when it does not understand the length.",
    [...ZERO, ...WORDS],
    /second request|refus/,
    reads(() => "Content-Length: 0"),
  ),
  framing(
    "last-length",
    "Takes the last of several lengths.",
    ["two-lengths"],
    /malformed-request|refus/,
    reads((_head, body) => `Content-Length: ${body.length}`),
  ),
  framing("accepted", "Serves what is ambiguous.", [...CHUNKED, ...LAST, ...ZERO, ...WORDS], /refus/, () =>
    respond(200, {}),
  ),
  framing("invalid-input", "Judges the input of an ambiguous request.", [...CHUNKED, ...ZERO], /400/, () =>
    respondProblem(422, "invalid-input"),
  ),
  framing(
    "silent",
    "Leaves an ambiguous request without an answer.",
    ["length-then-chunks", "negative-length"],
    /refused/,
    () => new Promise<null>(() => {}),
  ),
];
