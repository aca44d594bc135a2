import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Problem } from "../problem.ts";
import { breakUpload } from "./upload.ts";

/**
 * What is under way on one socket. Node hands over pipelined requests before the earlier ones are answered, and tells
 * of a parse error without saying to which message it belongs; this keeps the answers in order and on time.
 */
export class Connection {
  readonly #socket: Socket;
  readonly #lingerMs: number;
  readonly #unanswered = new Set<ServerResponse>();
  #latest: { readonly request: IncomingMessage; readonly response: ServerResponse } | null = null;
  #lastWords: (() => void) | null = null;
  #closing = false;

  /** `lingerMs`: how long a client may take to close its half after our last answer. */
  constructor(socket: Socket, lingerMs: number) {
    this.#socket = socket;
    this.#lingerMs = lingerMs;
    // Node calls this after an answer with `Connection: close`. It would destroy the socket at once, and whatever the
    // client still sends would turn into a reset that takes the answer with it.
    socket.destroySoon = () => this.#close();
  }

  /** Takes note of a request; `false` when the connection is closing and nothing may be processed (RFC 9112 9.6). */
  begin(request: IncomingMessage, response: ServerResponse): boolean {
    if (this.#closing) return false;
    this.#latest = { request, response };
    this.#unanswered.add(response);
    response.once("close", () => {
      this.#unanswered.delete(response);
      this.#settle();
    });
    return true;
  }

  /**
   * Ends the connection because nothing readable can follow. A message in the middle of its body fails with `problem`,
   * and its own answer says so; otherwise `answer`, once every earlier answer is out, is the last thing written.
   */
  fail(problem: Problem, answer: () => string): void {
    // Every further packet of a broken stream is reported as well.
    if (this.#closing || this.#lastWords || !this.#socket.writable) return;
    const latest = this.#latest;
    if (latest && !latest.request.complete) {
      this.#lastWords = () => this.#close();
      latest.response.shouldKeepAlive = false;
      breakUpload(latest.request, problem);
    } else {
      this.#lastWords = () => {
        if (this.#socket.writable) this.#socket.write(answer());
        this.#close();
      };
    }
    this.#settle();
  }

  /** Ends the connection when every request that has begun on it is answered: at once where there is none. */
  end(): void {
    if (this.#closing || this.#lastWords) return;
    for (const response of this.#unanswered) response.shouldKeepAlive = false;
    this.#lastWords = () => this.#close();
    this.#settle();
  }

  #settle(): void {
    if (this.#unanswered.size === 0) this.#lastWords?.();
  }

  /** Half-closes, and reads on for a bounded time, so that the client can read the answer before the socket goes. */
  #close(): void {
    if (this.#closing) return;
    this.#closing = true;
    const socket = this.#socket;
    socket.end(() => {
      const timer = setTimeout(() => socket.destroy(), this.#lingerMs).unref();
      socket.once("close", () => clearTimeout(timer));
    });
    socket.resume();
  }
}
