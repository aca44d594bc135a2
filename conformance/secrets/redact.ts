import type { Exchange, Response } from "../exchange.ts";
import type { Gateway } from "../http/gateway.ts";
import type { Framing, Request } from "../oracle/model-state.ts";
import type { Credentials } from "./credentials.ts";
import { percent, spellings } from "./spellings.ts";

export interface Secret {
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

/** Replaces every secret with `$NAME` in each spelling, and parts of one with `$NAME[part]`. */
export interface Redactor {
  readonly text: (text: string) => string;
  readonly bytes: (bytes: Buffer) => Buffer;
  readonly exchange: (exchange: Exchange) => Exchange;
}

type Replace = (text: string) => string;
/** A secret as it may be written; `length`: the characters of its value. */
interface Spelling {
  readonly name: string;
  readonly text: string;
  readonly length: number;
}

/** Fewer characters of a secret reveal nothing; a shorter secret is replaced only as a word. */
const LEAST = 8;

export function createRedactor(secrets: readonly Secret[]): Redactor {
  const all = secrets
    .flatMap(({ name, value }) =>
      [...spellings(value)].map((text): Spelling => ({ name, text, length: value.length })),
    )
    // A secret may contain another one: the longest comes first.
    .sort((one, other) => other.text.length - one.text.length);
  const text = replacer(all, secrets);
  // Latin-1 maps bytes to characters one to one, so bytes that are not UTF-8 survive.
  const latin1 = (given: string) => Buffer.from(given).toString("latin1");
  const inBytes = replacer(
    all.map((one) => ({ ...one, text: latin1(one.text) })),
    secrets,
  );
  const bytes = (given: Buffer) => Buffer.from(inBytes(given.toString("latin1")), "latin1");
  const fields = (given: Request["fields"]) =>
    given.map(([name, value]) => [text(name), text(value)] as const);
  const framing = ({ extensions, trailers, ...given }: Framing): Framing => ({
    ...given,
    ...(extensions !== undefined && { extensions: text(extensions) }),
    ...(trailers && { trailers: fields(trailers) }),
  });
  const request = (given: Request): Request => ({
    ...given,
    method: text(given.method),
    target: text(given.target),
    fields: fields(given.fields),
    body: inBytes(given.body),
    ...(given.framing && { framing: framing(given.framing) }),
  });
  // A report shows the bytes of a body, never its parsed value.
  const response = (given: Response): Response => ({
    ...given,
    reason: text(given.reason),
    fields: fields(given.fields),
    body: bytes(given.body),
    json: undefined,
  });
  const exchange = (given: Exchange): Exchange => ({
    ...given,
    request: request(given.request),
    response: given.response && response(given.response),
    error: given.error && text(given.error),
  });
  return { text, bytes, exchange };
}

function replacer(all: readonly Spelling[], secrets: readonly Secret[]): Replace {
  const long = all.filter(({ length }) => length >= LEAST);
  const steps = [
    ...long.map(wholes),
    ...(long.length > 0 ? [parts(long)] : []),
    words(all, secrets),
  ];
  return (text) => steps.reduce((result, step) => step(result), text);
}

const wholes =
  ({ name, text: spelling }: Spelling): Replace =>
  (text) =>
    text.replaceAll(spelling, () => `$${name}`);

/**
 * Replaces parts of a secret, in any letter case: cases send keys that are almost right. They are
 * found by an index of all substrings of eight characters (k-grams).
 */
function parts(all: readonly Spelling[]): Replace {
  const grams = new Map<string, { readonly name: string; readonly least: number }>();
  for (const { name, text, length } of all) {
    const least = Math.ceil((LEAST * text.length) / length);
    const folded = fold(text);
    for (let index = 0; index + LEAST <= folded.length; index += 1)
      grams.set(folded.slice(index, index + LEAST), { name, least });
  }
  const at = (text: string, from: number) => grams.get(text.slice(from, from + LEAST));
  return (text) => {
    const folded = fold(text);
    let [result, done] = ["", 0];
    for (let from = 0; from + LEAST <= folded.length; from += 1) {
      const gram = at(folded, from);
      if (!gram) continue;
      let last = from;
      while (at(folded, last + 1)) last += 1;
      const end = last + LEAST;
      if (end - from >= gram.least) {
        result += `${text.slice(done, from)}$${gram.name}[part]`;
        done = end;
      }
      from = last;
    }
    return result + text.slice(done);
  };
}

/** Lower-cases ASCII letters: length and positions stay the same. */
const fold = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

const literally = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");

/**
 * Replaces secrets that are shorter, as separate words in any letter case, any of their characters
 * percent-encoded: if every `test` were replaced, `latest` would be `la$API_KEY`.
 */
function words(all: readonly Spelling[], secrets: readonly Secret[]): Replace {
  const encodable = (value: string) =>
    [...value].map((letter) => `(?:${literally(letter)}|${percent(letter)})`).join("");
  const patterns = secrets
    .filter(({ value }) => value.length < LEAST)
    .map(({ name, value }) => {
      const longer = all
        .filter((one) => one.name === name && one.text.length > value.length)
        .map(({ text }) => literally(text));
      const word = [...longer, encodable(value)].join("|");
      return { name, pattern: new RegExp(`(?<![\\w.%@$-])(?:${word})(?![\\w%@-]|\\.\\w)`, "gi") };
    });
  return (text) =>
    patterns.reduce((result, { name, pattern }) => result.replace(pattern, () => `$${name}`), text);
}
