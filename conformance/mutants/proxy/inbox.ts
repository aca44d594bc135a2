import type { Socket } from "node:net";

/** What a client has sent and nobody has taken yet. */
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

  /** Hands the bytes not yet taken, and the socket's further data, to someone else. */
  release(): Buffer {
    this.socket.off("data", this.#receive);
    this.socket.pause();
    return this.bytes;
  }

  /** Resolves when something came, or with `idle` after so many milliseconds without; null waits for ever. */
  change(patience: number | null): Promise<"change" | "idle"> {
    return new Promise((resolve) => {
      const timer =
        patience === null
          ? undefined
          : // A busy event loop fires timers before it looks at its sockets: bytes that already wait win.
            setTimeout(() => setImmediate(() => resolve("idle")), patience);
      this.#changed = () => {
        clearTimeout(timer);
        resolve("change");
      };
    });
  }
}
