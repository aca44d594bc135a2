import type { IncomingHttpHeaders } from "node:http";
import type { Caller } from "./credentials.ts";

/** A request after HTTP: plain values, which a test can write down. */
export interface Request {
  readonly id: string;
  readonly method: string;
  /** The part of the target after its first `?`, as it was sent. */
  readonly search: string;
  readonly headers: IncomingHttpHeaders;
  /** Name, value, name, value, in the order of arrival. */
  readonly rawHeaders: readonly string[];
  /** An IP address, D22. */
  readonly clientAddress: string;
  /** The whole body, synchronously when there is none; throws or rejects with a `Problem` when it is too large or does not arrive. */
  readonly readBody: () => Buffer | Promise<Buffer>;
}

/** What a handler may know of the request in addition to its input. */
export interface RequestFacts<Headers = unknown> {
  /** The header parameters that the operation declares, by their names there, each of its type; without those that were not sent. */
  readonly headers: Headers;
  /** The caller's key; null on a public operation. */
  readonly caller: Caller | null;
  /** An IP address, D22. */
  readonly clientAddress: string;
  readonly method: "GET" | "HEAD" | "POST";
  /** `Idempotency-Key` as it was sent; two of them, joined by a comma and a blank; empty when there is none. */
  readonly idempotencyKey: string;
  /** The representation of the operation that the caller prefers, D10. */
  readonly mediaType: string;
  /** When nothing waits for the handler any more (D13), of `performance.now()`. */
  readonly deadline: number;
}
