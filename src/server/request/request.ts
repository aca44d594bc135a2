import type { IncomingHttpHeaders } from "node:http";

/** A request after HTTP: plain values, which a test can write down. */
export interface Request {
  readonly id: string;
  readonly method: string;
  /** When it began, as `performance.now()` counts. */
  readonly startedAt: number;
  /** The part of the target after its first `?`, as it was sent. */
  readonly search: string;
  readonly headers: IncomingHttpHeaders;
  /** Name, value, name, value, in the order of arrival. */
  readonly rawHeaders: readonly string[];
  /** An IP address, D22. */
  readonly clientAddress: string;
  /**
   * The whole body, synchronously when there is none; throws or rejects with a `Problem` when it is
   * too large or does not arrive.
   */
  readonly readBody: () => Buffer | Promise<Buffer>;
  /** Calls the listener, once, when the connection is closed before the response is sent. */
  readonly onGone: (listener: () => void) => void;
  /** The request is in flight until `work`, which is not waited for any more, has settled (D14). */
  readonly keepPlace: (work: Promise<unknown>) => void;
}
