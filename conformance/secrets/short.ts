import { placeholder } from "./parts.ts";
import { spellings } from "./spellings.ts";

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
export function createShortRedactor(
  secrets: readonly { readonly name: string; readonly value: string }[],
): (text: string) => string {
  if (secrets.length === 0) return (text) => text;
  const all = secrets
    .flatMap(({ name, value }) => {
      const { length } = value;
      const telling = [...spellings(value)].filter(
        // Not the few letters that base64 produces from the middle of it.
        (spelling) => spelling === value || spelling.length > length || /[^ -~]/.test(spelling),
      );
      return telling.map((spelling) => ({ name, spelling, length, ratio: 1, raw: spelling === value }));
    })
    .sort((one, other) => other.spelling.length - one.spelling.length);
  const matcher = (flags: string, around: (text: string, length: number) => string) =>
    new RegExp([DONE, ...all.map(({ spelling, length }) => around(literally(spelling), length))].join("|"), flags);
  const placed = matcher("gi", (text, length) => (length < WORD ? `^${text}$` : text));
  const alone = matcher("g", (text, length) =>
    length < WORD ? `(?<=^|["'=]|: )${text}(?=$|["'&\\r\\n]|,")` : `(?<![\\w.%@$-])${text}(?![\\w%@-]|\\.\\w)`,
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
  return (text) => text.replace(PLACED, (_, before, value) => before + hidePlaced(value)).replace(alone, hide);
}

const unescaped = (text: string) =>
  text.replace(/%([0-7][\da-f])/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
