import type { Socket } from "node:net";

/** So many bytes are written at once: a slow reader makes progress with each part. */
const PART_BYTES = 16_384;

interface Chunk {
  readonly chunk: Buffer | string;
  readonly encoding: BufferEncoding;
}
type Done = (error?: Error | null) => void;

/** What is written to a client, and whether it reads that. */
export class OutgoingBytes {
  readonly #socket: Socket;
  #read = { bytes: 0, at: performance.now() };

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  write(chunks: readonly Chunk[], done: Done): void {
    // Node ends each response with an empty one.
    const some = chunks.filter(({ chunk }) => chunk.length > 0);
    const last = some.pop();
    if (!last) return void done();
    this.#socket.cork();
    for (const { chunk, encoding } of some) this.#socket.write(chunk, encoding);
    this.#writeLast(last, done);
    this.#socket.uncork();
  }

  /** Whether at `now` the client has read nothing for so long, though there is something. */
  isStalled(now: number, timeoutMs: number): boolean {
    const { bytesWritten, writableLength } = this.#socket;
    const bytes = bytesWritten - writableLength;
    if (writableLength === 0 || bytes !== this.#read.bytes) this.#read = { bytes, at: now };
    return now - this.#read.at >= timeoutMs;
  }

  #writeLast({ chunk, encoding }: Chunk, done: Done): void {
    if (chunk.length <= PART_BYTES) return void this.#socket.write(chunk, encoding, done);
    const bytes = typeof chunk === "string" ? Buffer.from(chunk, encoding) : chunk;
    const rest = { chunk: bytes.subarray(PART_BYTES), encoding };
    this.#socket.write(bytes.subarray(0, PART_BYTES), (error) => (error ? done(error) : this.#writeLast(rest, done)));
  }
}
