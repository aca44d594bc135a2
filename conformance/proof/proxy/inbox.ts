import type { Socket } from "node:net";

/** The bytes that a client has sent and that are not yet consumed. */
export class Inbox {
  bytes: Buffer = Buffer.alloc(0);
  /** The client will send nothing more. */
  ended = false;
  closed = false;
  #changed: () => void = () => {};

  constructor(readonly socket: Socket) {
    socket.on("data", this.#receive);
    socket.on("end", () => {
      this.ended = true;
      this.#changed();
    });
    // A reset is followed by `close`; without a listener it would end the process.
    socket.on("error", () => {});
    socket.on("close", () => {
      this.ended = true;
      this.closed = true;
      this.#changed();
    });
  }

  readonly #receive = (chunk: Buffer) => {
    this.bytes = Buffer.concat([this.bytes, chunk]);
    this.#changed();
  };

  take(length: number): void {
    this.bytes = this.bytes.subarray(length);
  }

  /** Hands over the bytes not yet consumed, and the socket's further data. */
  release(): Buffer {
    this.socket.off("data", this.#receive);
    this.socket.pause();
    return this.bytes;
  }

  /** Resolves when bytes came, or with `idle` after this many milliseconds without any; null waits for ever. */
  change(patience: number | null): Promise<"change" | "idle"> {
    return new Promise((resolve) => {
      const timer =
        patience === null
          ? undefined
          : // A busy event loop fires timers before it reads its sockets: bytes that already wait take precedence.
            setTimeout(() => setImmediate(() => resolve("idle")), patience);
      this.#changed = () => {
        clearTimeout(timer);
        resolve("change");
      };
    });
  }
}
