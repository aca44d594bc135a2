import type net from "node:net";
import type { Response } from "../exchange.ts";
import { MOST_FILE } from "./limits.ts";
import { stopped } from "./rate-limiter.ts";
import { createResponse } from "./response.ts";
import { ResponseParser } from "./response-parser.ts";
import { connect, type Endpoint, explain } from "./socket.ts";

/**
 * Exact bytes on a connection of their own, several requests or none, and everything that comes
 * back.
 */

export interface ConversationOptions {
  /** For each request, in order, whether it is a HEAD: its response has no body. */
  readonly heads: readonly boolean[];
  /** Ends after so many responses; without it, the target ends the connection. */
  readonly responses?: number;
  /**
   * Each piece in a TCP segment of its own, or also only after the responses to those before it.
   */
  readonly by?: "segment" | "turn";
  /** Closes behind the last byte, without reading. */
  readonly leaves?: true;
  /** Reads nothing for so many milliseconds, and then everything. */
  readonly unreadMs?: number;
  /** Milliseconds to wait for the end, instead of those of the run. */
  readonly timeoutMs?: number;
}

export interface Conversation {
  readonly responses: readonly Response[];
  /** How the target ended the connection; null if it did not. */
  readonly closed: "in order" | "by a reset" | null;
  /** How it ended, for a finding: `responses 200, 404, then a reset`. */
  readonly ending: string;
  /** Bytes that are no whole response. */
  readonly rest: Buffer;
  /**
   * Whether these are the body that the head of the last response announces, which HEAD must not
   * have.
   */
  readonly isBodyOfLast: boolean;
  /** 0: there was no connection. */
  readonly connection: number;
  /** Milliseconds from its beginning to its end. */
  readonly elapsedMs: number;
}

/** Bytes of all responses on one connection, several of which are read at once. */
const MOST_TOGETHER = 8 * 1024 * 1024;
/**
 * Bytes of all responses on a connection that was not read for a while: more than the buffers
 * between two machines hold.
 */
const MOST_UNREAD = 32 * 1024 * 1024;
/** Between two attempts to write to a target that may have closed the connection. */
const PROBE_MS = 500;
/** How long a target that was not read may take to end the connection once it is. */
const READ_MS = 3000;

/** Cuts what arrives into responses. */
class Responses {
  readonly all: Response[] = [];
  size = 0;
  private last: Buffer = Buffer.alloc(0);
  private parser: ResponseParser;

  constructor(private readonly heads: readonly boolean[]) {
    this.parser = this.begin();
  }

  private begin = (): ResponseParser =>
    new ResponseParser(this.heads[this.all.length] ?? false, MOST_FILE);

  get error(): string | null {
    return this.parser.error;
  }

  get rest(): Buffer {
    return this.parser.bytes;
  }

  get isBodyOfLast(): boolean {
    const whole = new ResponseParser(false, MOST_FILE);
    whole.add(Buffer.concat([this.last, this.rest]));
    return whole.isWhole && whole.behind === 0;
  }

  add(chunk: Buffer): void {
    this.size += chunk.length;
    this.parser.add(chunk);
    while (this.parser.isWhole) this.take();
  }

  /** The connection has ended. */
  finish(): void {
    this.parser.finish();
    if (this.parser.isWhole) this.take();
  }

  private take(): void {
    const { received, behind, bytes } = this.parser;
    if (received) this.all.push(createResponse(received.head, received.body));
    const end = bytes.length - behind;
    this.last = bytes.subarray(0, end);
    this.parser = this.begin();
    if (behind > 0) this.parser.add(bytes.subarray(end));
  }
}

function endingOf({ all, rest, error }: Responses, how: string): string {
  const statuses = all.map(({ status }) => status).join(", ");
  const said =
    all.length === 0 ? "no response" : `${all.length === 1 ? "response" : "responses"} ${statuses}`;
  const leftover =
    rest.length > 0
      ? `, ${rest.length} bytes that are no whole response${error ? ` (${error})` : ""}`
      : "";
  return `${said}${leftover}, then ${how}`;
}

/** Resolves whatever the target does; throws only `RunAborted`. */
export function converse(
  endpoint: Endpoint,
  pieces: readonly Buffer[],
  {
    heads,
    responses: wanted = Number.POSITIVE_INFINITY,
    by,
    leaves,
    unreadMs,
    timeoutMs,
  }: ConversationOptions,
): Promise<Conversation> {
  const { signal, numberOf } = endpoint;
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(stopped(signal));
    const socket = connect(endpoint);
    const responses = new Responses(heads);
    const most = unreadMs === undefined ? MOST_TOGETHER : MOST_UNREAD;
    let connection = 0;
    let fault: NodeJS.ErrnoException | null = null;
    let onResponse = () => {};
    const startedAt = performance.now();
    const release = () => {
      for (const timer of [silence, reading]) clearTimeout(timer);
      clearInterval(probe);
      signal.removeEventListener("abort", onStop);
      socket.removeAllListeners().on("error", () => {});
      socket.destroy();
    };
    const settle = (how: string, closed: Conversation["closed"] = null) => {
      release();
      const { all, rest, isBodyOfLast } = responses;
      const ending = endingOf(responses, how);
      const elapsedMs = performance.now() - startedAt;
      resolve({ responses: all, closed, ending, rest, isBodyOfLast, connection, elapsedMs });
    };
    const onStop = () => {
      release();
      reject(stopped(signal));
    };
    signal.addEventListener("abort", onStop, { once: true });
    const silence = setTimeout(() => settle("silence"), timeoutMs ?? endpoint.timeoutMs);
    // Empty lines between requests are ignored (RFC 9112, 2.2). A target that has closed the
    // connection resets it on them.
    const probe =
      unreadMs === undefined ? undefined : setInterval(() => socket.write("\r\n"), PROBE_MS);
    // What it closed in order ends behind what it had sent until then.
    const reading =
      unreadMs === undefined
        ? undefined
        : setTimeout(() => {
            clearInterval(probe);
            socket.resume();
            setTimeout(() => settle("silence"), READ_MS).unref();
          }, unreadMs);
    /** Never resolves if the connection ends before. */
    const arrived = (count: number) =>
      new Promise<void>((ready) => {
        onResponse = () => {
          if (responses.all.length >= count) ready();
        };
        onResponse();
      });
    socket.on("data", (chunk) => {
      const count = responses.all.length;
      responses.add(chunk);
      // The time of a run is for each request.
      if (timeoutMs === undefined && responses.all.length > count) silence.refresh();
      onResponse();
      if (responses.all.length >= wanted) settle("nothing more");
      else if (responses.size > most || responses.all.length > heads.length) settle("more of it");
    });
    socket.on("error", (error) => {
      fault = error;
    });
    socket.on("close", () => {
      responses.finish();
      const isReset = fault?.code === "ECONNRESET" || fault?.code === "EPIPE";
      if (fault)
        settle(isReset ? "a reset" : explain(fault, connection > 0), isReset ? "by a reset" : null);
      else settle("the end of the connection", "in order");
    });
    socket.once(endpoint.target.tls ? "secureConnect" : "connect", async () => {
      connection = numberOf(socket);
      if (unreadMs !== undefined) socket.pause();
      for (const [index, piece] of (by ? pieces : [Buffer.concat(pieces)]).entries()) {
        if (by === "turn") await arrived(index);
        if (socket.destroyed) return;
        await write(socket, piece);
      }
      if (leaves) settle("nothing more");
    });
  });
}

/**
 * Resolves when the operating system has taken the bytes, and another turn of the event loop has
 * passed.
 */
const write = (socket: net.Socket, bytes: Buffer): Promise<void> =>
  new Promise((resolve) => socket.write(bytes, () => setImmediate(resolve)));
