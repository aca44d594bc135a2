import { type Body, readChunks } from "./chunks.ts";
import type { Answer } from "./exchange.ts";

/** What was read from a connection: whole responses, and the bytes after the last of them. */
export interface ParsedAnswers {
  readonly answers: readonly Answer[];
  readonly rest: Buffer;
}

export const HEAD_END = "\r\n\r\n";

interface AnswerBody extends Body {
  /** It has an end of its own, not the end of the connection (RFC 9112, 6.3). */
  readonly framed: boolean;
}

function readBody(head: Answer, bytes: Buffer, start: number, toHead: boolean, ended: boolean): AnswerBody | null {
  const field = (name: string) => head.headers.find(([key]) => key.toLowerCase() === name)?.[1];
  const until = (end: number, framed = true) =>
    bytes.length >= end ? { body: bytes.subarray(start, end), end, framed } : null;
  if (toHead || head.status < 200 || head.status === 204 || head.status === 304) return until(start);
  if (/chunked\s*$/i.test(field("transfer-encoding") ?? "")) {
    const read = readChunks(bytes, start);
    return typeof read === "string" ? null : { ...read, framed: true };
  }
  const length = field("content-length");
  if (length !== undefined) return until(start + Number(length));
  return ended ? until(bytes.length, false) : null;
}

function readHead(text: string): Answer | null {
  const [first = "", ...lines] = text.split("\r\n");
  const status = /^HTTP\/(\d\.\d) (\d{3})(?: (.*))?$/.exec(first);
  if (!status) return null;
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  return {
    status: Number(status[2]),
    reason: status[3] ?? "",
    httpVersion: status[1] ?? "",
    headers,
    body: Buffer.alloc(0),
  };
}

export interface ReadAnswer extends AnswerBody {
  readonly answer: Answer;
}

/**
 * The response that begins at `at`, an interim one (1xx) too; null if it is incomplete. `toHead`: the request is HEAD, so it has
 * no body.
 */
export function readAnswer(bytes: Buffer, at: number, toHead: boolean, ended: boolean): ReadAnswer | null {
  const headEnd = bytes.indexOf(HEAD_END, at);
  const head = headEnd < 0 ? null : readHead(bytes.toString("latin1", at, headEnd));
  const read = head && readBody(head, bytes, headEnd + HEAD_END.length, toHead, ended);
  return head && read && { ...read, answer: { ...head, body: read.body } };
}

/**
 * Reads whole HTTP/1.x responses (RFC 9112) from the beginning of `bytes`. `heads[n]`: the nth request was HEAD, so its response
 * has no body. `ended`: the connection has closed. Interim responses (1xx) are skipped.
 */
export function parseAnswers(bytes: Buffer, heads: readonly boolean[], ended: boolean): ParsedAnswers {
  const answers: Answer[] = [];
  let at = 0;
  for (;;) {
    const read = readAnswer(bytes, at, heads[answers.length] ?? false, ended);
    if (!read) return { answers, rest: bytes.subarray(at) };
    if (read.answer.status >= 200) answers.push(read.answer);
    at = read.end;
  }
}
