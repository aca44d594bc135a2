import type { Exchange, Response } from "../exchange.ts";
import type { Framing, Request } from "../oracle/world.ts";
import { createPartRedactor, type Spelled } from "./parts.ts";
import type { Secret } from "./secrets.ts";
import { createShortRedactor } from "./short.ts";
import { spellings } from "./spellings.ts";

/** Replaces every secret, and long parts of one, with a placeholder, in each spelling that a key may have. */
export interface Redactor {
  readonly text: (text: string) => string;
  readonly bytes: (bytes: Buffer) => Buffer;
  readonly exchange: (exchange: Exchange) => Exchange;
}

/** Shorter values are looked for where a key is expected: if every `test` were replaced, a report would be unreadable. */
const SHORTEST = 8;

export function createRedactor(secrets: readonly Secret[]): Redactor {
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
  const short = createShortRedactor(secrets.filter(({ value }) => value.length < SHORTEST));
  const [long, longInBytes] = [replacer(spelled), replacer(latin1)];
  const text = (given: string) => short(long(given));
  // Latin-1 maps bytes to characters one to one, so bytes that are not UTF-8 survive.
  const inBytes = (given: string) => short(longInBytes(given));
  const bytes = (given: Buffer) => Buffer.from(inBytes(given.toString("latin1")), "latin1");
  const fields = (given: Request["fields"]) =>
    // A short value is recognized by the name before it.
    given.map(([name, value]) => [text(name), text(`${name}: ${value}`).slice(text(`${name}: `).length)] as const);
  const framing = ({ extensions, trailers, ...given }: Framing): Framing => ({
    ...given,
    ...(extensions !== undefined && { extensions: text(extensions) }),
    ...(trailers && { trailers: fields(trailers) }),
  });
  const request = (given: Request): Request => ({
    ...given,
    ...{
      method: text(given.method),
      target: text(given.target),
      fields: fields(given.fields),
      body: inBytes(given.body),
    },
    ...(given.framing && { framing: framing(given.framing) }),
  });
  // What is shown of a body are its bytes.
  const response = (given: Response): Response => ({
    ...given,
    ...{ reason: text(given.reason), fields: fields(given.fields), body: bytes(given.body), json: undefined },
  });
  const exchange = (given: Exchange): Exchange => ({
    ...given,
    ...{ request: request(given.request), response: given.response && response(given.response) },
    error: given.error && text(given.error),
  });
  return { text, bytes, exchange };
}

function replacer(spelled: readonly Spelled[]): (text: string) => string {
  const parts = spelled.length > 0 ? createPartRedactor(spelled) : (text: string) => text;
  return (text) => parts(spelled.reduce((all, { name, spelling }) => all.replaceAll(spelling, () => `$${name}`), text));
}
