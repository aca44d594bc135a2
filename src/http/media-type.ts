const TOKEN = "[\\w!#$%&'*+.^`|~-]+";
const QUOTED = '"(?:[\\t \\x21\\x23-\\x5b\\x5d-\\x7e\\x80-\\xff]|\\\\[\\t \\x21-\\x7e\\x80-\\xff])*"';
const TYPE = new RegExp(`[ \\t]*(${TOKEN}/${TOKEN})[ \\t]*`, "y");
/** Nothing between two semicolons is allowed. Blanks belong to what they follow, so that none can be read in two ways. */
const PARAMETER = new RegExp(`;[; \\t]*(?:(${TOKEN})=(?:(${TOKEN})|(${QUOTED}))[ \\t]*)?`, "y");

/** A media type or media range: type and parameter names in lower case, values without quotes. */
export interface MediaType {
  readonly type: string;
  readonly parameters: readonly { readonly name: string; readonly value: string }[];
}

/**
 * Reads a media type by the grammar of RFC 9110 8.3.1 and 5.6.6, blanks around it included, and says where it ends; null
 * where none begins. Step by step, each byte once: what a list or a single value may have behind it is for the caller.
 */
export function mediaTypeAt(text: string, start: number): (MediaType & { readonly end: number }) | null {
  TYPE.lastIndex = start;
  const type = TYPE.exec(text)?.[1];
  if (type === undefined) return null;
  let end = TYPE.lastIndex;
  const parameters: { name: string; value: string }[] = [];
  while (text[end] === ";") {
    PARAMETER.lastIndex = end;
    const [whole = ";", name, token, quoted = ""] = PARAMETER.exec(text) ?? [];
    end += whole.length;
    if (name !== undefined) parameters.push({ name: name.toLowerCase(), value: token ?? withoutQuotes(quoted) });
  }
  return { type: type.toLowerCase(), parameters, end };
}

/** The media type that the text is, and `null` for anything else. */
export function parseMediaType(text: string): MediaType | null {
  const read = mediaTypeAt(text, 0);
  return read?.end === text.length ? read : null;
}

function withoutQuotes(quoted: string): string {
  return quoted.slice(1, -1).replace(/\\(.)/g, "$1");
}
