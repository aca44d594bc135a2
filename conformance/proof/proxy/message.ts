import type { Socket } from "node:net";

/** Header fields in the order and spelling of the wire, values as latin1 without surrounding blanks. */
export type HeaderFields = readonly (readonly [name: string, value: string])[];

/** A well-formed HTTP/1.x request. Change it by copying: the same object is forwarded byte for byte. */
export interface ProxyRequest {
  readonly method: string;
  /** The request target as sent: `/api/?@=sysinfo`, or the absolute form. */
  readonly target: string;
  readonly version: "1.0" | "1.1";
  readonly headers: HeaderFields;
  /** Without transfer coding. */
  readonly body: Buffer;
  /** The received bytes. For reading only: a copy with other members is serialized again. */
  readonly rawBytes: Buffer;
}

/** A response. The same object is returned byte for byte; a copy is serialized again, with the right `Content-Length`. */
export interface ProxyAnswer {
  readonly status: number;
  readonly reason: string;
  readonly headers: HeaderFields;
  /** Without transfer coding, but with its content coding (`jsonAnswer` decodes it). */
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

/** What a mutant may use in addition to the message. One for each running server. */
export interface Context {
  readonly target: URL;
  /** A key and platform that the target accepts for everything; null if the server was started without. */
  readonly credentials: GoodCredentials | null;
  /** Lives as long as the server: counters, earlier responses. */
  readonly state: Map<string, unknown>;
  /** The same, for as long as the client's connection lives. */
  readonly connection: Map<string, unknown>;
  /** In [0, 1), the same sequence for the same seed. */
  readonly random: () => number;
  /** Sends a request to the target, any number of times. No hook sees the response. Throws `TargetClosed` if there is none. */
  readonly forward: (request: ProxyRequest) => Promise<ProxyAnswer>;
}

type MaybePromise<T> = T | Promise<T>;

/** One way of breaking the contract, applied to a right deployment. Missing hooks change nothing. */
export interface Hooks {
  /** Changes the request, or responds to it; such a response is final, `answer` does not see it. */
  readonly request?: (request: ProxyRequest, context: Context) => MaybePromise<ProxyRequest | ProxyAnswer>;
  /** Changes the target's response. `request` is the client's original, without the changes of the hook above. */
  readonly answer?: (answer: ProxyAnswer, request: ProxyRequest, context: Context) => MaybePromise<ProxyAnswer>;
  /** Called for a new connection before anything is read. True: the mutant has taken over the socket. */
  readonly socket?: (socket: Socket, context: Context) => boolean;
  /** Called with bytes that are not a complete well-formed request (malformed, half, too large). Null passes them on. */
  readonly unreadable?: (bytes: Buffer, context: Context) => MaybePromise<ProxyAnswer | null>;
  /** Changes the first response to such bytes. */
  readonly unreadableAnswer?: (answer: ProxyAnswer, bytes: Buffer, context: Context) => MaybePromise<ProxyAnswer>;
}
