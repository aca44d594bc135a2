import { runInNewContext } from "node:vm";
import { answersItself, type Mutant, OUTCOME, takesFor } from "../mutant.ts";
import { isObject, type JsonObject, jsonBody } from "../proxy/look.ts";
import type { ProxyRequest } from "../proxy/message.ts";
import { respondProblem } from "../proxy/shape.ts";
import { isPost } from "../requests.ts";

/** Readers of a body: too kind to what is no JSON in UTF-8, too strict with what is, or reading something else (D7). */

/** Beyond it no reader tries. */
const LONG = 10_000;

/** What a text says in JSON; undefined for what is none. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isUtf8 = ({ body }: ProxyRequest) => Buffer.from(body.toString()).equals(body);
/** A body in JSON and UTF-8. */
export const isRead = (request: ProxyRequest) => isPost(request) && isUtf8(request) && jsonBody(request) !== null;

function evaluated(text: string): string | null {
  try {
    return JSON.stringify(runInNewContext(`(${text})`, {}, { timeout: 1_000 })) ?? null;
  } catch {
    return null;
  }
}

/** The longest beginning that is an object. */
function beginning(text: string): string | null {
  for (let end = text.lastIndexOf("}") + 1; end > 0; end = text.lastIndexOf("}", end - 2) + 1)
    if (isObject(parse(text.slice(0, end)))) return text.slice(0, end);
  return null;
}

const closed = (text: string) =>
  ["}", "}}", '"}}', '""}}', ':""}}'].map((end) => text + end).find((whole) => isObject(parse(whole))) ?? null;

const wide = (bytes: Buffer, at: number) =>
  bytes.length > 4 && bytes.every((byte, n) => n < 2 || n % 2 !== at || !byte);

/** How what is no JSON, or no UTF-8, is read all the same. */
const lenient: Readonly<Record<string, (text: string, bytes: Buffer) => string | null>> = {
  "with comments": (text) => text.replace(/\/\*.*?\*\/|\/\/.*\n?/g, ""),
  "with commas behind the last": (text) => text.replace(/,(\s*[}\]])/g, "$1"),
  "in single quotes": (text) => text.replaceAll("'", '"'),
  "as JavaScript": evaluated,
  "with NaN": (text) => text.replace(/:-?(?:NaN|Infinity)\b/g, ":0"),
  "with controls in texts": (text) => text.replace(/\p{Cc}/gu, " "),
  "closing what is open": closed,
  "up to the end of the object": beginning,
  "by its first line": (text) => text.split("\n").find((line) => isObject(parse(line))) ?? null,
  "with other blanks": (text) => text.trim(),
  "behind a guard": (text) => text.replace(/^[^{]*/, ""),
  "in a list": (text) => JSON.stringify([parse(text)].flat()[0]) ?? null,
  "in a text": (text) => String(parse(text)),
  "of another type as an empty object": (text) => (parse(text) === undefined ? null : "{}"),
  "that is empty as an object": (text) => (text.trim() === "" ? "{}" : null),
  "behind a byte order mark": (text) => text.replace(/^\ufeff/, ""),
  "with U+FFFD for other bytes": (text) => text,
  "without other bytes": (text) => text.replaceAll("\ufffd", ""),
  "in Latin-1": (_text, bytes) => bytes.toString("latin1"),
  "in CESU-8": (_text, bytes) =>
    Buffer.from(
      bytes.toString("latin1").replace(/\xed[\xa0-\xbf][\x80-\xbf]|\xc0[\x80-\xbf]/g, "?"),
      "latin1",
    ).toString(),
  "in UTF-16": (_text, bytes) =>
    wide(bytes, 1)
      ? bytes.toString("utf16le")
      : wide(bytes, 0) && bytes.length % 2 === 0
        ? Buffer.from(bytes).swap16().toString("utf16le")
        : null,
};

const kind = Object.entries(lenient).map(([how, read]) =>
  takesFor(`reads a body ${how}`, (request) => {
    const text = request.body.toString();
    if (!isPost(request) || isRead(request) || text.length > LONG) return request;
    const after = read(text, request.body);
    return after === null || !isObject(parse(after)) ? request : { ...request, body: Buffer.from(after) };
  }),
);

/** How deep brackets nest outside strings. */
function depthOf(text: string): number {
  let [depth, deepest] = [0, 0];
  for (const token of text.replace(/"(?:[^"\\]|\\.)*"/gs, "")) {
    if (token === "{" || token === "[") depth += 1;
    else if (token === "}" || token === "]") depth -= 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

const MOST = 16;
export const PROTO = "__proto__";

/** Without the member, at every depth. */
function cleaned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(cleaned);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([name]) => name !== PROTO);
  return Object.fromEntries(kept.map(([name, member]) => [name, cleaned(member)]));
}

/** With what its prototype would lend it. */
function inheriting(value: unknown): unknown {
  if (!isObject(value)) return value;
  const lent = Object.entries(value).find(([name]) => name === PROTO)?.[1];
  return {
    ...(isObject(lent) ? lent : {}),
    ...Object.fromEntries(Object.entries(value).filter(([one]) => one !== PROTO)),
  };
}

/** The same call, without anything deep. */
const shallow = (body: JsonObject) => ({ "@": body["@"], data: {} });

/** Of equal members of an object the first. */
function firstOfEqual(text: string): string {
  const plain = text.replace(/\\u00([4-7][0-9a-f])/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  const value = String.raw`(?:"[^"]*"|\d+|null|\[\]|\{[^{}]*\})`;
  const again = new RegExp(String.raw`("([\w@]+)":${value}(?:[^{}]|\{[^{}]*\})*?),"\2":${value}`, "s");
  let [before, after] = ["", plain];
  while (before !== after) [before, after] = [after, after.replace(again, "$1")];
  return after;
}

const mentions = (text: string) => /__proto__|\\u00/i.test(text);

/** How what may be refused, though it is JSON, is read as something else; null: as it is. */
const rewriters: Readonly<Record<string, (body: JsonObject, text: string) => unknown>> = {
  "without members __proto__": (body, text) => (mentions(text) ? cleaned(body) : null),
  "with what __proto__ lends": (body, text) =>
    mentions(text) ? inheriting({ ...body, data: inheriting(body.data) }) : null,
  "with __proto__ below its members": (body, text) =>
    mentions(text) && !Object.hasOwn(body, PROTO) ? cleaned(body) : null,
  "with __proto__ in escapes": (body, text) => (/\\u00/.test(text) && !text.includes(PROTO) ? cleaned(body) : null),
  "of any depth": (body, text) => (depthOf(text) > MOST ? shallow(body) : null),
  "of a level too many": (body, text) => (depthOf(text) === MOST + 1 ? shallow(body) : null),
  "by the depth of its objects": (body, text) =>
    depthOf(text) > MOST && depthOf(text.replace(/[[\]]/g, "")) <= MOST ? shallow(body) : null,
  "by the depth of its values": (body, text) =>
    depthOf(text) === MOST + 1 && depthOf(JSON.stringify(body)) <= MOST ? body : null,
  "with a quote behind two backslashes in the text": (body, text) =>
    depthOf(text) > MOST && depthOf(text.replaceAll("\\\\", "\\")) <= MOST ? shallow(body) : null,
  "by the first of equal members": (_body, text) => (firstOfEqual(text) === text ? null : parse(firstOfEqual(text))),
};

const rewritten = Object.entries(rewriters).map(([how, read]) =>
  takesFor(`takes a body ${how}`, (request) => {
    const body = isRead(request) ? jsonBody(request) : null;
    const after = body && read(body, request.body.toString());
    return isObject(after) ? { ...request, body: Buffer.from(JSON.stringify(after)) } : request;
  }),
);

/** What is refused as no JSON, though it is. */
const narrow: Readonly<Record<string, (text: string) => boolean>> = {
  "blanks around it": (text) => /^\s|\s$/.test(text),
  "escapes in the names of members": (text) => /"[^",:]*\\u[^",:]*"\s*:/.test(text),
  "an empty name": (text) => /""\s*:/.test(text),
  "large numbers": (text) => /\de\+?\d{3}/i.test(text.replace(/"[^"]*"/g, "")),
  "escaped solidi": (text) => text.includes("\\/"),
  "lone surrogates": (text) => /\\ud[89a-f]/i.test(text),
  "bytes above 127": (text) => /[^\0-\x7f]/.test(text),
  "characters beyond U+FFFF": (text) => /[\u{10000}-\u{10ffff}]/u.test(text),
  "the value __proto__": (text) => text.includes(PROTO),
  "a member __proto__ that another replaces": (text) => text.includes(`"${PROTO}":`),
  "a member constructor": (text) => /"(?:constructor|prototype)"/.test(text),
  "the prototype of a constructor": (text) => /"constructor":\{"prototype":/.test(text),
  "equal members": (text) => firstOfEqual(text).length < text.length - 8,
  "16 levels": (text) => depthOf(text) === MOST,
  "brackets in texts": (text) => depthOf(text.replaceAll('"', "")) > MOST,
  "fifty brackets": (text) => text.replace(/"[^"]*"/g, "").split(/[{[]/).length > 50,
};

const refused = Object.entries(narrow).map(([what, test]) =>
  answersItself(`refuses a body with ${what}`, OUTCOME, (request) =>
    isRead(request) && test(request.body.toString()) ? respondProblem(400, "malformed-json") : null,
  ),
);

export const mutants: readonly Mutant[] = [...kind, ...rewritten, ...refused];
