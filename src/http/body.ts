import type { IncomingMessage } from "node:http";
import getRawBody from "raw-body";
import { Problem } from "../protocol/problem.ts";
import type { Request } from "../protocol/request.ts";
import { valuesOf } from "./head.ts";
import { parseMediaType } from "./negotiation.ts";

/** Bytes of an unwanted body that are read before its answer; past them the answer is sent while Node reads on. */
const DRAIN_BYTES = 1024 * 1024;

/** How much of a body is taken, and how long an unwanted rest is read (D13). */
export interface BodyLimits {
  readonly maxBodyBytes: number;
  readonly drainTimeoutMs: number;
}

/**
 * The whole body, at most `maxBodyBytes`. Throws `content-too-large` after the rest was thrown away for a bounded
 * time, so that the answer arrives (D13), and `malformed-request` or `request-timeout` when the upload breaks off.
 */
export async function readBody(
  request: IncomingMessage,
  { maxBodyBytes, drainTimeoutMs }: BodyLimits,
): Promise<Buffer> {
  const signal = uploadSignal(request);
  signal.throwIfAborted();
  let fail: () => void = () => {};
  const broken = new Promise<never>((_, reject) => {
    fail = () => reject(signal.reason);
    signal.addEventListener("abort", fail);
  });
  const length = request.headers["content-length"] ?? null;
  try {
    return await Promise.race([getRawBody(request, { length, limit: maxBodyBytes }), broken]);
  } catch (thrown) {
    if (thrown instanceof Problem) throw thrown;
    if (!isTooLarge(thrown)) throw new Problem("malformed-request", { detail: "The body broke off.", cause: thrown });
    await drain(request, drainTimeoutMs);
    throw new Problem("content-too-large");
  } finally {
    signal.removeEventListener("abort", fail);
  }
}

/** Requests that were given their time: nobody waits for one twice. */
const drained = new WeakSet<IncomingMessage>();

/**
 * Reads and throws away what is still being uploaded, so that the client reads the answer instead of a reset. Ends
 * with the upload, after `timeoutMs`, or after 1 MiB, whichever is first; never throws.
 */
export async function drain(request: IncomingMessage, timeoutMs: number): Promise<void> {
  const signal = uploadSignal(request);
  if (request.complete || request.destroyed || signal.aborted || drained.has(request)) return;
  drained.add(request);
  await new Promise<void>((resolve) => {
    let received = 0;
    const count = (chunk: Buffer): void => {
      received += chunk.length;
      if (received > DRAIN_BYTES) finish();
    };
    const finish = (): void => {
      clearTimeout(timer);
      request.off("data", count).off("end", finish).off("close", finish);
      signal.removeEventListener("abort", finish);
      resolve();
    };
    const timer = setTimeout(finish, timeoutMs);
    request.on("data", count).on("end", finish).on("close", finish);
    signal.addEventListener("abort", finish);
    request.resume();
  });
}

const broken = new WeakMap<IncomingMessage, AbortController>();

/** Aborted, with the problem as its reason, once the rest of this request's body cannot come any more. */
function uploadSignal(request: IncomingMessage): AbortSignal {
  return controllerOf(request).signal;
}

/**
 * Says that the rest of the body will not come, although the socket is open: whoever reads it fails with `problem`.
 * Destroying the request instead would destroy the socket and with it the answer.
 */
export function breakUpload(request: IncomingMessage, problem: Problem): void {
  controllerOf(request).abort(problem);
}

function controllerOf(request: IncomingMessage): AbortController {
  const known = broken.get(request);
  if (known) return known;
  const controller = new AbortController();
  broken.set(request, controller);
  return controller;
}

/** Throws `unsupported-media-type` unless a POST is `application/json` in UTF-8, said once, and not encoded further (D6). */
export function judgeMediaType({ headers, rawHeaders }: Pick<Request, "headers" | "rawHeaders">): void {
  const coding = headers["content-encoding"] ?? "";
  if (!/^(?:identity)?$/i.test(coding)) {
    throw new Problem("unsupported-media-type", { headers: { "Accept-Encoding": "identity" } });
  }
  // Node drops a second field, and who is in front may have read that one.
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
