/**
 * Bytes in the order received, in one buffer that doubles: a target may send a million of them one
 * by one.
 */
export class Gathered {
  private buffer = Buffer.alloc(1024);
  private length = 0;

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
