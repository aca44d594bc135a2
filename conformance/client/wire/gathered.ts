const MIB = 1024 * 1024;
/** Bytes of one response that are read: the largest right one is the contract, of 200 KiB. */
export const MOST_RECEIVED = MIB;
/** Of a file that a page loads: a reader of the contract has 1.5 MiB. */
export const MOST_OF_A_FILE = 4 * MOST_RECEIVED;
/** Of all responses on one connection. */
export const MOST_TOGETHER = 4 * MOST_RECEIVED;
/** Bytes of one head, where the connection is read by hand; Node's client has a limit of its own. */
export const MOST_HEAD = 64 * 1024;
/** What an error says of a response that is longer. */
export const tooLong = (most: number) => `a response of more than ${most / MIB} MiB, of which no more was read`;
/** And of one whose head does not end. */
export const HEAD_TOO_LONG = "a response whose head has more than 64 KiB, of which no more was read";

/** Whether there was a response, and too much of it. */
export const isTooLong = (error: string | null): boolean => error !== null && / of which no more was read/.test(error);

/** Bytes in the order received, in one buffer that doubles: a target may send a million of them one by one. */
export class Gathered {
  private buffer = Buffer.alloc(1024);
  private length = 0;

  /** Those so far; later ones do not change it. */
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
