import type { IncomingMessage, ServerResponse } from "node:http";
import { type OverloadGuard, overloaded } from "../overload-guard.ts";
import { Problem } from "../problem.ts";
import { valuesOf } from "./head.ts";
import { parseMediaType } from "./negotiation.ts";
import type { Request } from "./request.ts";

const NOTHING: Buffer = Buffer.alloc(0);

/** A body that arrives. */
export interface Upload {
  hasFailed(): boolean;
  /**
   * The rest does not arrive, or is not accepted: the reader gets `problem`, unless the body is
   * complete, and the response is the last one.
   */
  fail(problem: Problem): void;
  /**
   * The whole body. Throws `content-too-large`, `overloaded`, or why the upload was interrupted:
   * `malformed-request`, `request-timeout`.
   */
  read(): Buffer | Promise<Buffer>;
}

const uploads = new WeakMap<IncomingMessage, Upload>();

/**
 * The body of a request that the server handed over, empty when there is none (RFC 9112 6.3), as
 * most have; see `Upload`.
 */
export const readBody = (request: IncomingMessage): Buffer | Promise<Buffer> =>
  uploads.get(request)?.read() ?? NOTHING;

/**
 * Collects the body of a request, null when it has none, from its first byte on whether or not it
 * is needed: one that is not read would wait in pieces. They are copied into one buffer that grows,
 * since a piece is an object of some 400 bytes, however small it is. The buffer counts as
 * `heldBytes` of the guard until the body is complete or has failed.
 */
export function receiveBody(
  response: ServerResponse<IncomingMessage>,
  maxBytes: number,
  guard: OverloadGuard,
): Upload | null {
  const { req: request } = response;
  const { "content-length": declared, "transfer-encoding": coding } = request.headers;
  if (declared === undefined && coding === undefined) return null;
  /** Not a number for a body in chunks. */
  const length = Number(declared);
  let buffer = NOTHING;
  let bytes = 0;
  let result: Buffer | Problem | null = null;
  let complete: Buffer | null = null;
  let notify = () => {};

  const settle = (settled: Buffer | Problem) => {
    if (result !== null) return;
    result = settled;
    guard.removeBytes(buffer.length);
    buffer = NOTHING;
    notify();
  };
  const fail = (problem: Problem) => {
    response.shouldKeepAlive = false;
    settle(problem);
  };
  const read = (): Buffer | Promise<Buffer> => {
    if (result instanceof Problem) throw result;
    return result ?? new Promise<void>((resolve) => (notify = resolve)).then(read);
  };

  /** Makes room for so many bytes; `false` when too many are held. */
  const grow = (needed: number): boolean => {
    if (needed <= buffer.length) return true;
    const size = Math.max(needed, Math.min(2 * buffer.length, maxBytes));
    if (!guard.addBytes(size - buffer.length)) return false;
    const larger = Buffer.allocUnsafeSlow(size);
    buffer.copy(larger);
    buffer = larger;
    return true;
  };

  if (length > maxBytes) fail(new Problem("content-too-large"));
  request.on("data", (piece: Buffer) => {
    if (result !== null) return;
    const start = bytes;
    bytes += piece.length;
    if (bytes > maxBytes) fail(new Problem("content-too-large"));
    // Complete, so it does not wait for more.
    else if (bytes === length)
      complete = start === 0 ? piece : Buffer.concat([buffer.subarray(0, start), piece]);
    else if (grow(bytes)) piece.copy(buffer, start);
    else fail(overloaded());
  });
  // Not before: until then, the response would announce that the connection closes.
  request.on("end", () => settle(complete ?? buffer.subarray(0, bytes)));
  request.on("error", (cause) =>
    fail(new Problem("malformed-request", { detail: "The body broke off.", cause })),
  );
  const upload = { hasFailed: () => result instanceof Problem, fail, read };
  uploads.set(request, upload);
  return upload;
}

/**
 * Throws `unsupported-media-type` unless a POST is `application/json` in UTF-8, declared once,
 * without a content coding (D6).
 */
export function checkMediaType({
  headers,
  rawHeaders,
}: Pick<Request, "headers" | "rawHeaders">): void {
  const coding = headers["content-encoding"] ?? "";
  if (!/^(?:identity)?$/i.test(coding)) {
    throw new Problem("unsupported-media-type", {
      detail: "The body must have no content coding. Leave out the header Content-Encoding.",
      headers: { "Accept-Encoding": "identity" },
    });
  }
  // Node drops a second field, and a proxy in front may have used that one.
  const [type = "", ...otherTypes] = valuesOf(rawHeaders, "content-type");
  const sent = otherTypes.length === 0 ? parseMediaType(type) : null;
  const charsets = sent?.parameters.filter(({ name }) => name === "charset") ?? [];
  const isUtf8 = charsets.every(({ value }) => value.toLowerCase() === "utf-8");
  if (sent?.type !== "application/json" || !isUtf8) {
    throw new Problem("unsupported-media-type", { headers: { Accept: "application/json" } });
  }
}
