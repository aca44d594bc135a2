import type { IncomingHttpHeaders } from "node:http";
import type { Caller } from "./credentials.ts";

/** A request once HTTP is done with it: plain values, which a test can write down. */
export interface Request {
  readonly id: string;
  readonly method: string;
  /** What follows the first `?` of the target, as it was sent. */
  readonly search: string;
  readonly headers: IncomingHttpHeaders;
  /** Name, value, name, value, in the order in which they came. */
  readonly rawHeaders: readonly string[];
  /** An IP address, D22. */
  readonly clientAddress: string;
  /** The whole body, at once where there is none; throws or rejects with a `Problem` when it is too large or does not come. */
  readonly readBody: () => Buffer | Promise<Buffer>;
}

/** What a handler may know of the request beside its input. */
export interface RequestFacts {
  /** Whose key it is; null on a public operation. */
  readonly caller: Caller | null;
  /** An IP address, D22. */
  readonly clientAddress: string;
  readonly method: "GET" | "HEAD" | "POST";
  /** `Idempotency-Key` as it was sent; two of them, joined by a comma and a blank; empty when there is none. */
  readonly idempotencyKey: string;
  /** Which of the operation's representations the caller prefers, D10. */
  readonly mediaType: string;
  /** When nobody waits for the handler any more (D13), of `performance.now()`. */
  readonly deadline: number;
}
