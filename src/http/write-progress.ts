import type { Socket } from "node:net";

/** libuv's count of what the kernel has yet to take: it falls with every part that leaves. Undeclared; Node's own idle timer looks at it too. */
interface Queue {
  readonly _handle?: { readonly writeQueueSize?: number } | null;
}

/** Whether what was written on a socket leaves it, however slowly: the peer has to make room for it. */
export class WriteProgress {
  readonly #socket: Socket & Queue;
  #left = 0;
  #since = 0;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** Milliseconds, at `now`, that nothing has left of what waits, as far as the calls to this one can tell; 0 when nothing waits. */
  stalledMs(now: number): number {
    const { writableLength, bytesWritten, _handle } = this.#socket;
    const left = bytesWritten - (_handle?.writeQueueSize ?? writableLength);
    if (writableLength === 0 || left !== this.#left) {
      this.#left = left;
      this.#since = now;
    }
    return now - this.#since;
  }
}
