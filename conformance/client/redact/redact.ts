import { createShortRedactor } from "../../next/secrets/short.ts";
import { spellings } from "../../next/secrets/spellings.ts";
import type { Answer, Exchange, SentRequest } from "../wire/exchange.ts";
import { createPartRedactor, type Spelled } from "./parts.ts";

export interface Secret {
  /** The secret is replaced with `$NAME`. */
  readonly name: string;
  readonly value: string;
}

/** Replaces every secret with a placeholder, in each spelling that a key may have. */
export interface Redactor {
  readonly text: (text: string) => string;
  readonly bytes: (bytes: Buffer) => Buffer;
  readonly exchange: (exchange: Exchange) => Exchange;
}

/** Values shorter than this are not searched for everywhere: if every `test` were replaced, the report would be unreadable. */
const SHORTEST = 8;

/**
 * A redactor for these values. Reports contain only data redacted with `parts`, which also replaces long parts of a value, and
 * short values where a key is expected.
 */
export function createRedactor(secrets: readonly Secret[], { parts = false } = {}): Redactor {
  const spelled = secrets
    .filter(({ value }) => value.length >= SHORTEST)
    .flatMap(({ name, value }) =>
      [...spellings(value)].map((spelling): Spelled => {
        const { length } = value;
        return { name, spelling, length, ratio: spelling.length / length, raw: spelling === value };
      }),
    )
    // A secret may contain another one: the longest comes first.
    .sort((one, other) => other.spelling.length - one.spelling.length);
  const latin1 = spelled.map((one) => ({ ...one, spelling: Buffer.from(one.spelling).toString("latin1") }));
  const short = createShortRedactor(parts ? secrets.filter(({ value }) => value.length < SHORTEST) : []);
  const [long, longInBytes] = [replacer(spelled, parts), replacer(latin1, parts)];
  const text = (given: string) => short(long(given));
  const inBytes = (given: string) => short(longInBytes(given));
  // Latin-1 maps bytes to characters one to one, so bytes that are not UTF-8 survive.
  const bytes = (given: Buffer) => Buffer.from(inBytes(given.toString("latin1")), "latin1");
  const fields = (headers: SentRequest["headers"]) =>
    // A short value is recognized by the name before it.
    headers.map(([name, value]) => [text(name), text(`${name}: ${value}`).slice(text(`${name}: `).length)] as const);
  const request = ({ method, url, headers, body, raw }: SentRequest): SentRequest => ({
    method: text(method),
    url: text(url),
    headers: fields(headers),
    body: bytes(body),
    raw: raw && bytes(raw),
  });
  const answer = ({ status, reason, httpVersion, headers, body }: Answer): Answer => ({
    status,
    reason: text(reason),
    httpVersion,
    headers: fields(headers),
    body: Object.assign(bytes(body), body.omitted ? { omitted: body.omitted } : {}),
  });
  const exchange = (given: Exchange): Exchange => ({
    request: request(given.request),
    answer: given.answer && answer(given.answer),
    error: given.error && text(given.error),
    durationMs: given.durationMs,
  });
  return { text, bytes, exchange };
}

function replacer(spelled: readonly Spelled[], parts: boolean): (text: string) => string {
  const further = parts && spelled.length > 0 ? createPartRedactor(spelled) : (text: string) => text;
  return (text) =>
    further(spelled.reduce((result, { name, spelling }) => result.replaceAll(spelling, () => `$${name}`), text));
}
