import type { Socket } from "node:net";

/** Header fields in the order and spelling of the wire, values as latin1 without surrounding blanks. */
export type HeaderFields = readonly (readonly [name: string, value: string])[];

/** A well-formed HTTP/1.x request. Change it by copying: a request that is the same object goes on byte for byte. */
export interface ProxyRequest {
  readonly method: string;
  /** The request target as sent: `/api/?@=sysinfo`, or the absolute form. */
  readonly target: string;
  readonly version: "1.0" | "1.1";
  readonly headers: HeaderFields;
  /** Without transfer coding. */
  readonly body: Buffer;
  /** What arrived. For reading only: a copy with other members is written anew. */
  readonly rawBytes: Buffer;
}

/** An answer. The same object goes back byte for byte; a copy is written anew, with the right `Content-Length`. */
export interface ProxyAnswer {
  readonly status: number;
  readonly reason: string;
  readonly headers: HeaderFields;
  /** Without transfer coding; a content coding is left in place (`jsonAnswer` undoes it). */
  readonly body: Buffer;
  /** Sends the body in chunks, and no `Content-Length`. */
  readonly chunked?: boolean;
  /** Exactly these bytes instead of all the above, and the connection closes after them. */
  readonly raw?: Buffer;
}

export interface GoodCredentials {
  readonly key: string;
  readonly platform: string;
}

/** What a mutant may use beside the message in its hands. One for each running server. */
export interface Context {
  readonly target: URL;
  /** A key and platform that the target accepts for everything; null when the server was started without. */
  readonly credentials: GoodCredentials | null;
  /** Lives as long as the server: counters, earlier answers. */
  readonly state: Map<string, unknown>;
  /** The same, for as long as the client's connection lives. */
  readonly connection: Map<string, unknown>;
  /** In [0, 1), the same sequence for the same seed. */
  readonly random: () => number;
  /** Asks the target, as often as a mutant likes. No hook sees the answer. Throws `TargetClosed` when none comes. */
  readonly forward: (request: ProxyRequest) => Promise<ProxyAnswer>;
}

type MaybePromise<T> = T | Promise<T>;

/** One way of breaking the contract, applied to a good deployment. Hooks that are absent change nothing. */
export interface Hooks {
  /** Changes the request, or answers it; such an answer is final, `answer` does not see it. */
  readonly request?: (request: ProxyRequest, context: Context) => MaybePromise<ProxyRequest | ProxyAnswer>;
  /** Changes the target's answer. `request` is what the client sent, not what the hook above made of it. */
  readonly answer?: (answer: ProxyAnswer, request: ProxyRequest, context: Context) => MaybePromise<ProxyAnswer>;
  /** Called for a new connection before anything is read. True: the mutant has taken the socket. */
  readonly socket?: (socket: Socket, context: Context) => boolean;
  /** Called with bytes that are no complete well-formed request (malformed, half, too large). Null lets them through. */
  readonly unreadable?: (bytes: Buffer, context: Context) => MaybePromise<ProxyAnswer | null>;
  /** Changes the first answer to such bytes. */
  readonly unreadableAnswer?: (answer: ProxyAnswer, bytes: Buffer, context: Context) => MaybePromise<ProxyAnswer>;
}
