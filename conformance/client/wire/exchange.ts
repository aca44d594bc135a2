/** One request as it was sent and what came back, recorded byte for byte. */
export interface Exchange {
  readonly request: SentRequest;
  readonly answer: Answer | null;
  /** Why there is no answer: `connection reset`, `no answer within 10 s`. */
  readonly error: string | null;
  readonly durationMs: number;
}

export interface SentRequest {
  readonly method: string;
  /** Absolute address as it was sent, `@` and escapes untouched. */
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
  /** The exact bytes of a request written on a socket; null when an HTTP client wrote it. */
  readonly raw: Buffer | null;
}

export interface Answer {
  readonly status: number;
  readonly reason: string;
  readonly httpVersion: string;
  /** In the order received, names as sent. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}
