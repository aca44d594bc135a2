import type { IncomingMessage, ServerResponse } from "node:http";
import { type OverloadGuard, overloaded } from "../overload-guard.ts";
import { Problem } from "../problem.ts";
import { valuesOf } from "./head.ts";
import { parseMediaType } from "./negotiation.ts";
import type { Request } from "./request.ts";

const NOTHING: Buffer = Buffer.alloc(0);

/**
 * D13: a body may arrive in more pieces than these only while they have so many bytes on average. A chunk of 16 bytes is up to two
 * pieces, since the network may cut it anywhere.
 */
const FREE_PIECES = 1_024;
const PIECE_BYTES = 8;

/** For a client that sends smaller pieces: the size of the body is not the reason. */
const FRAGMENTED = `The body came in more than ${FREE_PIECES.toLocaleString("en")} pieces of less than ${PIECE_BYTES} bytes on average.`;

/**
 * A body, collected from its first byte on whether or not it is needed: one that is not read would wait in pieces, however small they
 * are. The pieces count as `arrivingBytes` of the guard until the body is complete or has failed.
 */
export class Upload {
  readonly #response: ServerResponse;
  readonly #maxBytes: number;
  readonly #guard: OverloadGuard;
  /** Not a number for a body in chunks. */
  readonly #length: number;
  #pieces: Buffer[] = [];
  #count = 0;
  #bytes = 0;
  #counted = 0;
  #result: Buffer | Problem | null = null;
  #notify: () => void = () => {};

  constructor(response: ServerResponse<IncomingMessage>, maxBytes: number, guard: OverloadGuard) {
    const { req: request } = response;
    this.#response = response;
    this.#maxBytes = maxBytes;
    this.#guard = guard;
    this.#length = Number(request.headers["content-length"]);
    if (this.#length > maxBytes) this.fail(new Problem("content-too-large"));
    request.on("data", (piece: Buffer) => this.#take(piece));
    request.on("end", () => this.#settle(Buffer.concat(this.#pieces)));
    request.on("error", (cause) =>
      this.fail(new Problem("malformed-request", { detail: "The body broke off.", cause })),
    );
  }

  get hasFailed(): boolean {
    return this.#result instanceof Problem;
  }

  /** The rest does not arrive, or is not accepted: the reader gets `problem`, unless the body is complete, and the response is the last one. */
  fail(problem: Problem): void {
    this.#response.shouldKeepAlive = false;
    this.#settle(problem);
  }

  /** The whole body. Throws `content-too-large`, `overloaded`, or why the upload was interrupted: `malformed-request`, `request-timeout`. */
  read(): Buffer | Promise<Buffer> {
    if (this.#result === null)
      return new Promise<void>((resolve) => {
        this.#notify = resolve;
      }).then(() => this.read());
    if (this.#result instanceof Problem) throw this.#result;
    return this.#result;
  }

  #take(piece: Buffer): void {
    if (this.#result !== null) return;
    this.#bytes += piece.length;
    this.#count += 1;
    this.#pieces.push(piece);
    if (this.#bytes > this.#maxBytes) this.fail(new Problem("content-too-large"));
    else if (this.#count > FREE_PIECES && this.#bytes < this.#count * PIECE_BYTES)
      this.fail(new Problem("content-too-large", { detail: FRAGMENTED }));
    else if (this.#bytes === this.#length) this.#settle(this.#count === 1 ? piece : Buffer.concat(this.#pieces));
    else if (this.#guard.addBytes(piece.length)) this.#counted += piece.length;
    else this.fail(overloaded());
  }

  #settle(result: Buffer | Problem): void {
    if (this.#result !== null) return;
    this.#result = result;
    this.#pieces = [];
    this.#guard.removeBytes(this.#counted);
    this.#notify();
  }
}

const uploads = new WeakMap<IncomingMessage, Upload>();

/** Begins to collect the body of a request; null when it has none (RFC 9112 6.3), as most have. */
export function receiveBody(
  response: ServerResponse<IncomingMessage>,
  maxBytes: number,
  guard: OverloadGuard,
): Upload | null {
  const { "content-length": length, "transfer-encoding": coding } = response.req.headers;
  if (length === undefined && coding === undefined) return null;
  const upload = new Upload(response, maxBytes, guard);
  uploads.set(response.req, upload);
  return upload;
}

/** The body of a request that the server handed over, empty when there is none; see `Upload`. */
export const readBody = (request: IncomingMessage): Buffer | Promise<Buffer> => uploads.get(request)?.read() ?? NOTHING;

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
