/**
 * One request as sent and its response, recorded byte for byte. `Sent` and `Received` are the types of their bytes, which differ
 * in a report.
 */
export interface Exchange<Sent = Buffer, Received = Bytes> {
  readonly request: SentRequest<Sent>;
  readonly answer: Answer<Received> | null;
  /** Why there is no response: `connection reset`, `no answer within 10 s`. */
  readonly error: string | null;
  readonly durationMs: number;
}

export interface SentRequest<Sent = Buffer> {
  readonly method: string;
  /** The address of the deployment with the target as sent, `@` and escapes unchanged; of an absolute target, its path and query. */
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

/** Bytes of which only the beginning was kept, and how many were omitted. */
export type Bytes = Buffer & { readonly omitted?: number };

/** The first bytes, as a copy (or all would be kept in memory), and how many are omitted. */
export function firstBytes(bytes: Bytes, most: number): Bytes {
  if (bytes.length <= most) return bytes;
  let end = most;
  // Not within a UTF-8 character: the excerpt would be taken for invalid bytes.
  while (end > most - 3 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return Object.assign(Buffer.from(bytes.subarray(0, end)), { omitted: bytes.length - end + (bytes.omitted ?? 0) });
}
