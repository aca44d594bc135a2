const TYPE = /[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+/y;
const SEPARATOR = /[ \t]*;[ \t]*/y;
const PARAMETER =
  /([\w!#$%&'*+.^`|~-]+)=(?:([\w!#$%&'*+.^`|~-]+)|"((?:[\t \x21\x23-\x5b\x5d-\x7e\x80-\xff]|\\[\t \x21-\x7e\x80-\xff])*)")/y;

/** A media type or media range: type and parameter names in lower case, values without quotes. */
export interface MediaType {
  readonly type: string;
  readonly parameters: readonly { readonly name: string; readonly value: string }[];
}

/**
 * Reads a media type by the grammar of RFC 9110 8.3.1 and 5.6.6, and `null` for anything else. Step by step rather
 * than with one expression: a single one would have to guess which blanks belong to which `;`, in exponential time.
 */
export function parseMediaType(text: string): MediaType | null {
  const whole = text.trim();
  let end = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = end;
    const match = pattern.exec(whole);
    if (match) end = pattern.lastIndex;
    return match;
  };
  const type = take(TYPE)?.[0];
  if (type === undefined) return null;
  const parameters: { name: string; value: string }[] = [];
  while (take(SEPARATOR)) {
    const [, name, token, quoted] = take(PARAMETER) ?? [];
    // Nothing between two semicolons is allowed.
    if (name !== undefined) parameters.push({ name: name.toLowerCase(), value: token ?? withoutEscapes(quoted) });
  }
  return end === whole.length ? { type: type.toLowerCase(), parameters } : null;
}

function withoutEscapes(quoted = ""): string {
  return quoted.replace(/\\(.)/g, "$1");
}
