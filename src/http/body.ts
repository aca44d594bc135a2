import type { IncomingMessage } from "node:http";
import getRawBody from "raw-body";
import { Problem } from "../protocol/problem.ts";
import type { Request } from "../protocol/request.ts";
import { valuesOf } from "./head.ts";
import { parseMediaType } from "./negotiation.ts";

/** Bytes of an unwanted body that are read before the response; beyond that the response is sent while Node reads on. */
const DRAIN_BYTES = 1024 * 1024;

const NOTHING: Buffer = Buffer.alloc(0);

/** Why the rest of a request's body can no longer arrive, and the event that notifies its reader. */
const broken = new WeakMap<IncomingMessage, Problem>();
const BROKEN = Symbol("broken");

/** How much of a body is accepted, and how long an unwanted rest is read (D13). */
export interface BodyLimits {
  readonly maxBodyBytes: number;
  readonly drainTimeoutMs: number;
}

/**
 * The whole body, at most `maxBodyBytes`. Throws `content-too-large` after the rest was discarded for a bounded
 * time, so that the response arrives (D13), and `malformed-request` or `request-timeout` when the upload is interrupted.
 */
export function readBody(request: IncomingMessage, limits: BodyLimits): Buffer | Promise<Buffer> {
  const { "content-length": length, "transfer-encoding": coding } = request.headers;
  // RFC 9112 6.3: most requests have only a head, and need nothing of the rest, not even a promise.
  return length === undefined && coding === undefined ? NOTHING : readSent(request, limits);
}

async function readSent(request: IncomingMessage, { maxBodyBytes, drainTimeoutMs }: BodyLimits): Promise<Buffer> {
  const { "content-length": length = null } = request.headers;
  const known = broken.get(request);
  if (known) throw known;
  let fail: (problem: Problem) => void = () => {};
  const breaking = new Promise<never>((_, reject) => {
    fail = reject;
    request.once(BROKEN, fail);
  });
  try {
    return await Promise.race([getRawBody(request, { length, limit: maxBodyBytes }), breaking]);
  } catch (thrown) {
    if (thrown instanceof Problem) throw thrown;
    if (!isTooLarge(thrown)) throw new Problem("malformed-request", { detail: "The body broke off.", cause: thrown });
    await drain(request, drainTimeoutMs);
    throw new Problem("content-too-large");
  } finally {
    request.off(BROKEN, fail);
  }
}

/** Requests that have used up their waiting time: none is waited for twice. */
const drained = new WeakSet<IncomingMessage>();

/**
 * Reads and discards what is still being uploaded, so that the client reads the response instead of a reset. Ends
 * with the upload, after `timeoutMs`, or after 1 MiB, whichever is first; never throws.
 */
export async function drain(request: IncomingMessage, timeoutMs: number): Promise<void> {
  if (request.complete || request.destroyed || broken.has(request) || drained.has(request)) return;
  drained.add(request);
  await new Promise<void>((resolve) => {
    let received = 0;
    const count = (chunk: Buffer): void => {
      received += chunk.length;
      if (received > DRAIN_BYTES) finish();
    };
    const finish = (): void => {
      clearTimeout(timer);
      request.off("data", count).off("end", finish).off("close", finish).off(BROKEN, finish);
      resolve();
    };
    const timer = setTimeout(finish, timeoutMs);
    request.on("data", count).on("end", finish).on("close", finish).on(BROKEN, finish);
    request.resume();
  });
}

/**
 * Reports that the rest of the body will not arrive, although the socket is open: its reader fails with `problem`.
 * Destroying the request instead would destroy the socket and the response with it.
 */
export function breakUpload(request: IncomingMessage, problem: Problem): void {
  broken.set(request, problem);
  request.emit(BROKEN, problem);
}

/** Throws `unsupported-media-type` unless a POST is `application/json` in UTF-8, declared once, without a content coding (D6). */
export function checkMediaType({ headers, rawHeaders }: Pick<Request, "headers" | "rawHeaders">): void {
  const coding = headers["content-encoding"] ?? "";
  if (!/^(?:identity)?$/i.test(coding)) {
    throw new Problem("unsupported-media-type", { headers: { "Accept-Encoding": "identity" } });
  }
  // Node drops a second field, and a proxy in front may have used that one.
  const [type = "", ...others] = valuesOf(rawHeaders, "content-type");
  const sent = others.length === 0 ? parseMediaType(type) : null;
  const charsets = sent?.parameters.filter(({ name }) => name === "charset") ?? [];
  const isUtf8 = charsets.every(({ value }) => value.toLowerCase() === "utf-8");
  if (sent?.type !== "application/json" || !isUtf8) {
    throw new Problem("unsupported-media-type", { headers: { Accept: "application/json" } });
  }
}

function isTooLarge(thrown: unknown): boolean {
  return thrown instanceof Error && "type" in thrown && thrown.type === "entity.too.large";
}
