import type { Socket } from "node:net";
import type { Response } from "../../exchange.ts";
import type { Target } from "../../http/target.ts";
import type { Request } from "../../oracle/model-state.ts";

/**
 * A response. The same object is passed on byte for byte; a copy is written again: in chunks if its
 * fields say so, else with the right `Content-Length`.
 */
export interface Reply extends Pick<Response, "status" | "reason" | "fields" | "body"> {
  /** Exactly these bytes instead of all the above, and the connection closes after them. */
  readonly raw?: Buffer;
}

/** What a mutant may use in addition to the message. */
export interface Context {
  readonly target: Target;
  /**
   * A key and platform that the target accepts for everything; null if the server was started
   * without.
   */
  readonly credentials: { readonly key: string; readonly platform: string } | null;
  /** Lives as long as the server: counters, earlier responses. */
  readonly state: Map<string, unknown>;
  readonly client: Socket;
  /** Lives as long as the client's connection. */
  readonly connection: Map<string, unknown>;
  /** In [0, 1), the same sequence for each server. */
  readonly random: () => number;
  /** Sends a request to the target, any number of times. No hook sees the response. */
  readonly forward: (request: Request) => Promise<Reply>;
}

type MaybePromise<T> = T | Promise<T>;

/**
 * One way in which a deployment differs from a right one. Missing hooks change nothing. Targets are
 * as sent, with the path prefix, and bodies without transfer coding; a request is changed by
 * copying: the same object is forwarded byte for byte.
 */
export interface Hooks {
  /** Changes the request, or responds to it; such a response is final, `answer` does not see it. */
  readonly request?: (request: Request, context: Context) => MaybePromise<Request | Reply>;
  /**
   * Changes the target's response. `request` is the client's original, without the changes of the
   * hook above.
   */
  readonly answer?: (answer: Reply, request: Request, context: Context) => MaybePromise<Reply>;
  /** Called for a new connection before anything is read. */
  readonly socket?: (context: Omit<Context, "forward">) => void;
  /**
   * Called with bytes that are not a complete well-formed request (malformed, half, too large):
   * returns a response, or the bytes to read instead. Null passes them on.
   */
  readonly unreadable?: (bytes: Buffer, context: Context) => MaybePromise<Reply | Buffer | null>;
}

/** A deployment with one difference. */
export interface Mutant extends Hooks {
  /** In words that no other has: `sysinfo has a clock that runs backwards`. */
  readonly id: string;
}
