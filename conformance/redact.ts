import type { Answer, Exchange, SentRequest } from "./exchange.ts";
import { createPartRedactor, type Spelled } from "./redact-parts.ts";

export interface Secret {
  /** Stands in the secret's place as `$NAME`. */
  readonly name: string;
  readonly value: string;
}

/** Puts a placeholder in the place of every secret, in each spelling that a key takes on its way. */
export interface Redactor {
  readonly text: (text: string) => string;
  readonly bytes: (bytes: Buffer) => Buffer;
  readonly exchange: (exchange: Exchange) => Exchange;
}

/** Characters below which a value is no secret: redacting `web` would only make the report unreadable. */
const SHORTEST = 8;
/** From an ASCII character to the same in full width (U+FF01 and those after it). */
const FULL_WIDTH = 0xfee0;

/**
 * A redactor for these values; sinks see nothing that has not been through one with `parts`, which takes long parts of a
 * value for the value.
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
    // A secret may hold another one: the longest goes first.
    .sort((one, other) => other.spelling.length - one.spelling.length);
  const latin1 = spelled.map((one) => ({ ...one, spelling: Buffer.from(one.spelling).toString("latin1") }));
  const text = replacer(spelled, parts);
  const inBytes = replacer(latin1, parts);
  // Latin-1 maps bytes to characters one to one, so bytes that are no UTF-8 survive.
  const bytes = (given: Buffer) => Buffer.from(inBytes(given.toString("latin1")), "latin1");
  const fields = (headers: SentRequest["headers"]) =>
    headers.map(([name, value]) => [text(name), text(value)] as const);
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
    body: bytes(body),
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

/**
 * Raw, percent-encoded (as a component, as a form, every byte, that once more, either letter case), JSON-escaped, base64,
 * base64url, and in full-width letters.
 */
function spellings(given: string): Set<string> {
  const value = Buffer.from(given).toString(); // a lone surrogate has no spelling on the wire
  const component = encodeURIComponent(value);
  const form = new URLSearchParams({ "": value }).toString().slice(1);
  const encoded = [component, form, encodeURI(value), component.replace(/[!'()*]/g, percent)];
  const every = Buffer.from(value).toString("hex").toUpperCase().replace(/../g, "%$&");
  const wide = value.replace(/[!-~]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + FULL_WIDTH));
  const twice = every.replaceAll("%", "%25");
  const percents = [...encoded, every, encodeURIComponent(wide)].flatMap((each) => [
    each,
    each.replace(/%../g, (hex) => hex.toLowerCase()),
  ]);
  const others = [JSON.stringify(value).slice(1, -1), wide, twice, twice.toLowerCase()];
  return new Set([value, ...others, ...percents, ...base64(Buffer.from(value))]);
}

/**
 * A value inside a longer base64 text starts at any of three alignments. Characters that also hold bits of its neighbours
 * are left out: what remains is the same whatever stands around it.
 */
function base64(value: Buffer): string[] {
  const inner = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), value])
      .toString("base64")
      .replace(/=+$/, "");
    const shared = (before + value.length) % 3 === 0 ? 0 : 1;
    return text.slice(Math.ceil((before * 8) / 6), text.length - shared);
  });
  const plain = value.toString("base64");
  const all = [plain, plain.replace(/=+$/, ""), ...inner];
  return [...all, ...all.map((each) => each.replaceAll("+", "-").replaceAll("/", "_"))];
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
