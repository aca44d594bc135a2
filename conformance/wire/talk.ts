import { ending, inCase, shown } from "../checks/probe.ts";
import { counted } from "../client/counted.ts";
import { fail } from "../client/expect.ts";
import type { Reply } from "../client/reply.ts";
import { bytesOf } from "../client/send.ts";
import { readChunks } from "../client/wire/chunks.ts";
import { compare } from "../lists/compare.ts";
import type { Asking } from "../lists/list.ts";
import { mayEndAtParser, type Prediction } from "../oracle/predict.ts";
import type { Request } from "../oracle/world.ts";

/** Requests as bytes on one connection: each response is compared with its prediction, however the request was written. */

export interface Message {
  /** As a right server reads it. */
  readonly request: Request;
  /** As it is written. */
  readonly written: Request | Buffer;
  /** Of bytes that are not one readable request: the allowed codes of the rejection. */
  readonly codes?: readonly string[];
}

/** Another way to write a request, which does not change what it says. */
export type Way = (request: Request) => Request;

export const message = (request: Request, way: Way = (same) => same): Message => ({ request, written: way(request) });

/** A request that is written as it is, or a message. */
export type Said = Request | Message;

export const withFields = (request: Request, ...fields: Request["fields"]): Request => ({
  ...request,
  fields: [...request.fields, ...fields],
});

/** The body in chunks of these sizes in turn, with these fields behind it (RFC 9112, 7.1). */
export const inChunks =
  (sizes: readonly number[], trailers: Request["fields"] = []): Way =>
  (request) => {
    const chunks: string[] = [];
    for (let from = 0; from < request.body.length; ) {
      const chunk = request.body.slice(from, from + (sizes[chunks.length % sizes.length] ?? 1));
      chunks.push(`${chunk.length.toString(16)}\r\n${chunk}\r\n`);
      from += chunk.length;
    }
    const behind = trailers.map(([name, value]) => `${name}: ${value}\r\n`);
    const body = [...chunks, "0\r\n", ...behind, "\r\n"].join("");
    return { ...withFields(request, ["Transfer-Encoding", "chunked"]), body };
  };

/** How long to wait for a server that neither responds nor closes: enough for a loaded machine, and short enough for a run. */
export const SILENCE_MS = 5000;
/** Reads to the end of the connection. */
export const ALL = Number.POSITIVE_INFINITY;

export interface Options {
  /** Each in a TCP segment of its own, or also only after the response to the one before. */
  readonly by?: "segment" | "turn";
  /** The minimum number of responses; default all. */
  readonly least?: number;
}

function predictionOf({ oracle, model }: Asking, { request, codes }: Message): Prediction {
  if (!codes) return oracle.predict(request, model);
  const [code = "", ...or] = codes;
  const status = oracle.contract.problems[code]?.status ?? 0;
  return { by: "http/malformed-request", step: "readHead", status, code, or, operation: null };
}

/** Whether these bytes are the body that the response announces. */
function isBodyOf(reply: Reply, bytes: Buffer): boolean {
  if (reply.header("transfer-encoding") === undefined) return reply.header("content-length") === `${bytes.length}`;
  const read = readChunks(bytes, 0);
  return typeof read !== "string" && read.end === bytes.length;
}

/** Each with an id of its own, which its response has too, and its prediction. */
export const numbered = (asking: Asking, said: readonly Said[]) =>
  said.map((one, index) => {
    const { request, written, codes } = "written" in one ? one : message(one);
    const id = `${asking.api.runId}-${index}`;
    const named = withFields(request, ["X-Request-Id", id]);
    const bytes = Buffer.isBuffer(written) ? written : withFields(written, ["X-Request-Id", id]);
    const prediction = predictionOf(asking, { request: named, written, ...(codes && { codes }) });
    const what = Buffer.isBuffer(written) ? shown(written.toString("latin1")) : `${request.method} ${written.target}`;
    const isHead = request.method === "HEAD";
    const judge = (reply: Reply): Promise<void> =>
      inCase(what.slice(0, 100), () => {
        compare(reply, prediction, asking.oracle.contract, isHead);
        const told = reply.header("x-request-id");
        // A response with an `ETag` may be stored by shared caches, and has an id of the service (D12).
        const isOwn = said.length === 1 || reply.header("etag") !== undefined || prediction.step === "readHead";
        if (told !== id && !isOwn) fail("header:x-request-id", `the response to ${id}`, `that to ${told}`);
      });
    return { request: named, written: bytes, prediction, isHead, judge };
  });

/**
 * Writes the messages on one connection, which ends with the last, and compares the responses: one for each, in order, and
 * nothing behind them. A server may close a connection after any response, if it announces that: the rest is sent on another one.
 */
export async function talk(asking: Asking, said: readonly Said[], options: Options = {}): Promise<void> {
  const { by, least = said.length } = options;
  const messages = numbered(asking, said);
  const bytes = messages.map(({ written }, index) =>
    Buffer.isBuffer(written) ? written : bytesOf(asking.api, written, index === said.length - 1 ? "close" : null),
  );
  const raw = await asking.api.rawRequests(bytes, {
    ...{ apart: by !== undefined, inTurn: by === "turn", answers: ALL, least },
    heads: messages.map(({ isHead }) => isHead),
  });
  const { replies, leftover, closed, reset } = raw;
  const [reply, last] = [replies.at(-1), messages[replies.length - 1]];
  const mayHaveBody = last?.isHead && mayEndAtParser(last.prediction);
  if (leftover.length > 0 && reply && !(mayHaveBody && isBodyOf(reply, leftover)))
    fail("body", "as many bytes as announced", ending(raw));
  if (replies.length < least || replies.length > said.length || !closed || reset)
    fail("connection", `${counted(least, "response")}, then the end of the connection`, ending(raw));
  for (const [index, reply] of replies.entries()) await messages[index]?.judge(reply);
}

/** Each on a connection of its own. */
export async function talkEach(asking: Asking, said: readonly Said[]): Promise<void> {
  for (const one of said) await talk(asking, [one]);
}
