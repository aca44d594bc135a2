import type { Exchange, Response } from "../exchange.ts";
import type { Gateway } from "../http/gateway.ts";
import type { Framing, Request } from "../oracle/world.ts";
import type { Credentials } from "../run/options.ts";
import { createPartRedactor, placeholder, type Spelled, spellings } from "./spellings.ts";

interface Secret {
  /** The secret is replaced with `$NAME`. */
  readonly name: string;
  readonly value: string;
}

/** How reports show a key: `API_KEY`, `NO_SCOPES_KEY`, `USERS_READ_KEY`. */
const shownKey = (kind: string): string =>
  kind === "full"
    ? "API_KEY"
    : `${kind.replace(/[A-Z]/g, "_$&").replace(/\W/g, "_").toUpperCase()}_KEY`;

/** How reports show the value of a field that a gateway wants. */
export const headerSecret = (name: string): string =>
  `HEADER_${name.replace(/\W/g, "_").toUpperCase()}`;

/** What no report shows: every key of a run, and the values of the fields that a gateway wants. */
export const secretsOf = ({ full, special }: Credentials, { fields }: Gateway): readonly Secret[] =>
  [
    ...Object.entries({ full, ...special }).map(([kind, { key }]) => ({
      name: shownKey(kind),
      value: key,
    })),
    ...fields.map(([name, value]) => ({ name: headerSecret(name), value })),
  ].filter(({ value }) => value !== "");

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
  const latin1 = spelled.map((one) => ({
    ...one,
    spelling: Buffer.from(one.spelling).toString("latin1"),
  }));
  const short = createShortRedactor(secrets.filter(({ value }) => value.length < SHORTEST));
  const [long, longInBytes] = [replacer(spelled), replacer(latin1)];
  const text = (given: string) => short(long(given));
  // Latin-1 maps bytes to characters one to one, so bytes that are not UTF-8 survive.
  const inBytes = (given: string) => short(longInBytes(given));
  const bytes = (given: Buffer) => Buffer.from(inBytes(given.toString("latin1")), "latin1");
  const fields = (given: Request["fields"]) =>
    // A short value is recognized by the name before it.
    given.map(
      ([name, value]) =>
        [text(name), text(`${name}: ${value}`).slice(text(`${name}: `).length)] as const,
    );
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
    ...{
      reason: text(given.reason),
      fields: fields(given.fields),
      body: bytes(given.body),
      json: undefined,
    },
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
  return (text) =>
    parts(
      spelled.reduce((all, { name, spelling }) => all.replaceAll(spelling, () => `$${name}`), text),
    );
}

/** The text after the name of a key: in a header, a query, JSON, or the raw bytes of any of them. */
const PLACED = /(x-api-key["']?\s*[:=]\s*["']?)([^&\s"'#,;\\]+)/gi;
/** The placeholders of the redactor of long values. */
const DONE = "\\$[A-Z_]+(?:\\[[^\\]]*\\])?";
/** A value with fewer characters is a word or a part of one: it counts as alone only between quotes or punctuation. */
const WORD = 3;

const literally = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");

/**
 * Replaces values that are too short to be searched for everywhere (`test`, `a`) with `$NAME`: in any case where a key belongs,
 * elsewhere only as a separate word, or every `latest` would be `la$API_KEY`.
 */
function createShortRedactor(secrets: readonly Secret[]): (text: string) => string {
  if (secrets.length === 0) return (text) => text;
  const all = secrets
    .flatMap(({ name, value }) => {
      const { length } = value;
      const telling = [...spellings(value)].filter(
        // Not the few letters that base64 produces from the middle of it.
        (spelling) => spelling === value || spelling.length > length || /[^ -~]/.test(spelling),
      );
      return telling.map((spelling) => ({
        name,
        spelling,
        length,
        ratio: 1,
        raw: spelling === value,
      }));
    })
    .sort((one, other) => other.spelling.length - one.spelling.length);
  const matcher = (flags: string, around: (text: string, length: number) => string) =>
    new RegExp(
      [DONE, ...all.map(({ spelling, length }) => around(literally(spelling), length))].join("|"),
      flags,
    );
  const placed = matcher("gi", (text, length) => (length < WORD ? `^${text}$` : text));
  const alone = matcher("g", (text, length) =>
    length < WORD
      ? `(?<=^|["'=]|: )${text}(?=$|["'&\\r\\n]|,")`
      : `(?<![\\w.%@$-])${text}(?![\\w%@-]|\\.\\w)`,
  );
  const hide = (found: string) => {
    const of = all.find(({ spelling }) => spelling === found);
    if (of) return `$${of.name}`;
    const turned = all.find(({ spelling }) => spelling.toLowerCase() === found.toLowerCase());
    return turned ? placeholder({ of: turned, at: 0 }, found) : found;
  };
  const hidePlaced = (value: string) => {
    const hidden = value.replace(placed, hide);
    if (hidden !== value || !value.includes("%")) return hidden;
    // Any of its characters may be escaped.
    const found = unescaped(value)
      .match(placed)
      ?.find((text) => !text.startsWith("$"));
    const of = all.find(({ spelling }) => spelling.toLowerCase() === found?.toLowerCase());
    return of ? `$${of.name}[part]` : hidden;
  };
  return (text) =>
    text.replace(PLACED, (_, before, value) => before + hidePlaced(value)).replace(alone, hide);
}

const unescaped = (text: string) =>
  text.replace(/%([0-7][\da-f])/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
