/** One request as it was sent and what came back, recorded byte for byte. `Sent` and `Received` are their bytes, in a report other than here. */
export interface Exchange<Sent = Buffer, Received = Bytes> {
  readonly request: SentRequest<Sent>;
  readonly answer: Answer<Received> | null;
  /** Why there is no answer: `connection reset`, `no answer within 10 s`. */
  readonly error: string | null;
  readonly durationMs: number;
}

export interface SentRequest<Sent = Buffer> {
  readonly method: string;
  /** Absolute address as it was sent, `@` and escapes untouched. */
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Sent;
  /** The exact bytes of a request written on a socket; null when an HTTP client wrote it. */
  readonly raw: Sent | null;
}

export interface Answer<Received = Bytes> {
  readonly status: number;
  readonly reason: string;
  readonly httpVersion: string;
  /** In the order received, names as sent. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Received;
}

/** Bytes of which the beginning alone was kept, and how many more there were. */
export type Bytes = Buffer & { readonly omitted?: number };

/** The first bytes, as a copy (or all would be kept with them), and how many are left out. */
export function firstBytes(bytes: Bytes, most: number): Bytes {
  if (bytes.length <= most) return bytes;
  let end = most;
  // Not through a character of UTF-8: the rest of a text would be taken for bytes that are none.
  while (end > most - 3 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return Object.assign(Buffer.from(bytes.subarray(0, end)), { omitted: bytes.length - end + (bytes.omitted ?? 0) });
}
