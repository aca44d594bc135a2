const MIB = 1024 * 1024;
/** Maximum bytes that are read of one response: the largest right one is the contract, with 200 KiB. */
export const MOST_RECEIVED = MIB;
/** For a file that a page loads: a viewer of the contract has 1.5 MiB. */
export const MOST_OF_A_FILE = 4 * MOST_RECEIVED;
/** For all responses on one connection. */
export const MOST_TOGETHER = 4 * MOST_RECEIVED;
/** Maximum bytes of one head on a raw connection; Node's client has its own limit. */
export const MOST_HEAD = 64 * 1024;
/** The error for a longer response. */
export const tooLong = (most: number) => `a response of more than ${most / MIB} MiB, of which no more was read`;
/** The error for a response with too long a head. */
export const HEAD_TOO_LONG = "a response whose head has more than 64 KiB, of which no more was read";

/** Whether there was a response that was too long. */
export const isTooLong = (error: string | null): boolean => error !== null && / of which no more was read/.test(error);

/** Bytes in the order received, in one buffer that doubles: a target may send a million of them one by one. */
export class Gathered {
  private buffer = Buffer.alloc(1024);
  private length = 0;

  /** The bytes so far; later ones do not change it. */
  get bytes(): Buffer {
    return this.buffer.subarray(0, this.length);
  }

  add(chunk: Buffer): void {
    const length = this.length + chunk.length;
    if (length > this.buffer.length) {
      const larger = Buffer.alloc(Math.max(length, this.buffer.length * 2));
      this.bytes.copy(larger);
      this.buffer = larger;
    }
    chunk.copy(this.buffer, this.length);
    this.length = length;
  }
}
