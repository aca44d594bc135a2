import { jsonIn } from "../http/response.ts";
import { fieldsOf } from "../oracle/model-state.ts";
import type {
  Content,
  ReportData,
  ReportedExchange,
  ReportedFinding,
  ReportedRequirement,
} from "./json.ts";
import { oneLine, quoted, shortened, visible } from "./text.ts";

/**
 * The part of a response that a finding is about. What is shown of the target in a title is quoted
 * and short.
 */

export type Response = NonNullable<ReportedExchange["response"]>;

/** The exchange that a finding is about. */
export const findingExchange = ({ exchanges, at }: ReportedFinding): ReportedExchange | undefined =>
  exchanges[at];

/** Whether a finding shows that this requirement is not kept. */
export const isAbout = ({ requirement, concerns }: ReportedFinding, id: string): boolean =>
  requirement === id || concerns.includes(id);

/** A media type, a code, a name. */
export const isToken = (text: string): boolean => /^[\w.+-]{1,40}(?:\/[\w.+-]{1,40})?$/.test(text);

/** A token as it is; anything else quoted. */
export const named = (text: string): string => (text === "" || isToken(text) ? text : quoted(text));

/** An object or a list. */
type Nested = Readonly<Record<string, unknown>>;
const isNested = (value: unknown): value is Nested => typeof value === "object" && value !== null;

const headerOf = ({ aspect }: ReportedFinding) => /^header:(.+)$/.exec(aspect)?.[1];
const isListItem = (name = "") => /^(?:\*|\d+)$/.test(name);

/**
 * The objects that the last name of a pointer belongs to; `*` and a number are each item of a list.
 */
function parentsOf(
  json: unknown,
  names: readonly string[],
  place = "",
): { at: string; value: Nested }[] {
  if (!isNested(json)) return [];
  const [name, ...rest] = names;
  if (name === undefined) return [{ at: place, value: json }];
  const inner = Array.isArray(json) ? Object.keys(json) : [name];
  return inner.flatMap((one) => parentsOf(json[one], rest, `${place}/${one}`));
}

/** Descriptions of a member that is not documented. */
const TOO_MANY = /additionalPropert|unevaluatedPropert|no such member/;

function memberOf(finding: ReportedFinding) {
  const { aspect, expected, actual } = finding;
  const pointer = /^body:\/(.+)$/s.exec(aspect)?.[1]?.split("/") ?? [];
  const { body } = findingExchange(finding)?.response ?? {};
  const json = body && "text" in body ? jsonIn(Buffer.from(body.text)) : undefined;
  // If the parent object is missing, it is reported instead of the member.
  const names = pointer
    .map((_, index) => pointer.slice(0, pointer.length - index))
    .find((some) => !isListItem(some.at(-1)) && parentsOf(json, some.slice(0, -1)).length > 0);
  const name = names?.at(-1);
  if (!names || name === undefined) return null;
  const places = parentsOf(json, names.slice(0, -1));
  const missing = places.filter(({ value }) => !Object.hasOwn(value, name));
  const isTooMany =
    missing.length < places.length && (TOO_MANY.test(actual) || TOO_MANY.test(expected));
  return { name: named(name), places, missing, isTooMany, isListed: names.some(isListItem) };
}

/**
 * `createdAt is missing from each item of user.list`; for a finding about the whole response, its
 * key.
 */
export function titleOf(finding: ReportedFinding, key: string, place: string | null): string {
  // If the cause is the response as a whole, missing parts of it add nothing.
  if (!/(^|: )(header |body(:\/|$))/.test(key)) return key;
  const header = headerOf(finding);
  if (header !== undefined) {
    const isThere = fieldsOf(findingExchange(finding)?.response?.fields ?? [], header).length > 0;
    return `${named(header)} is ${isThere ? "wrong in" : "missing from"} a response`;
  }
  const whose = place ?? "a response";
  if (finding.aspect === "body") return `the body of ${whose} is wrong`;
  const member = memberOf(finding);
  if (!member) return key;
  const { name, places, missing, isTooMany, isListed } = member;
  const whole = place === null ? whose : `the response of ${place}`;
  const inside = isListed ? `an item of ${whose}` : whole;
  if (isTooMany) return `${name} is in ${inside}, and not in the contract`;
  if (missing.length === 0) return `${name} is wrong in ${inside}`;
  const some =
    missing.length === places.length ? "each item" : `${missing.length} of ${places.length} items`;
  return `${name} is missing from ${isListed ? `${some} of ${whose}` : whole}`;
}

/**
 * The object or the fields that are wrong, or without what is missing; empty for the whole
 * response.
 */
export function placeShown(finding: ReportedFinding): string {
  const header = headerOf(finding);
  const { fields = [] } = findingExchange(finding)?.response ?? {};
  if (header !== undefined && fields.length > 0) {
    const headerFields = fields.filter(([name]) => name.toLowerCase() === header);
    if (headerFields.length === 0) return `only ${fields.map(([name]) => name).join(", ")}`;
    return headerFields.map(([name, value]) => `${name}: ${value}`).join("\n");
  }
  const { places = [], missing = [] } = memberOf(finding) ?? {};
  const first = missing[0] ?? places[0];
  return first ? `${first.at || "/"} ${JSON.stringify(first.value)}` : "";
}

/** A finding as lines, once for all reports. */

/** Maximum characters of a request and of each side of a finding. */
const SHOWN = 300;
/** Maximum characters of a command: a history has dozens of requests. */
const LONGEST_COMMAND = 4000;
const TOO_LONG = "too long to be shown here; the JSON report has it";
/** Differences that are listed; the exchange has the others. */
const MOST_DIFFERENCES = 8;
/** Fields that every request has, whatever it is about. */
const USUAL = /^(?:host|connection|content-length|user-agent)$/i;

function contentText(content: Content, most: number): string {
  const omission = content.omitted ? `\n… ${content.omitted} bytes more that were not kept` : "";
  const text =
    "text" in content ? content.text.replaceAll("\r\n", "\n") : `base64: ${content.base64}`;
  return visible(shortened(text, most)) + omission;
}

function message(
  start: string,
  fields: ReportedExchange["request"]["fields"],
  body: Content,
  most: number,
): string {
  const head = [start, ...fields.map(([name, value]) => `${name}: ${value}`)]
    .map(oneLine)
    .join("\n");
  const isEmpty = ("text" in body ? body.text : body.base64) === "" && !body.omitted;
  return isEmpty ? head : `${head}\n\n${contentText(body, most)}`;
}

/**
 * An exchange as on the wire, for people to read. `written`: what was written instead of the
 * request.
 */
export function exchangeText(
  exchange: ReportedExchange,
  most = 4096,
  written: Content | null = null,
): string {
  const { request, response, error, durationMs } = exchange;
  const { method, target, version, fields, body } = request;
  const sent = written
    ? `(on a connection of its own)\n${contentText(written, most)}`
    : message(`${method} ${target} HTTP/${version}`, fields, body, most);
  if (!response) return `${sent}\n\n${visible(error ?? "no response")} (${durationMs} ms)`;
  const status = `HTTP/${response.version} ${response.status} ${response.reason}`.trimEnd();
  const start = `${status} (${durationMs} ms)`;
  return `${sent}\n\n${message(start, response.fields, response.body, most)}`;
}

/** The exchange that a finding is about; empty if nothing was sent. */
export function wholeText(finding: ReportedFinding, most?: number): string {
  const exchange = findingExchange(finding);
  return exchange ? exchangeText(exchange, most, finding.written) : "";
}

/**
 * What was sent without the usual fields: what it takes to understand the finding, and not more.
 */
function requestText(finding: ReportedFinding): string {
  const { request } = findingExchange(finding) ?? {};
  if (finding.written) return contentText(finding.written, SHOWN);
  if (!request) return "";
  const { method, target, version, fields, body } = request;
  const shownFields = fields.filter(([name]) => !USUAL.test(name));
  const start = `${method} ${target}${version === "1.1" ? "" : ` HTTP/${version}`}`;
  return shortened(message(start, shownFields, body, SHOWN), SHOWN);
}

/** The value of a JSON text, apart from a remark in brackets; undefined if it is none. */
const jsonOf = (text: string): unknown => jsonIn(Buffer.from(text.replace(/ \([^)]*\)$/, "")));

/** Quoted JSON as it was sent: `"{\"a\":1}"` is `{"a":1}`. What is cut off stays cut off. */
const unquoted = (text: string): string =>
  text.replace(/(?<=^|[\s…])"[[{](?:[^"\\]|\\.)*"/g, (all) => String(jsonOf(all) ?? all));

/**
 * A line for each place where two values differ: `/items/0/createdAt expected "…", got nothing`.
 */
function* differing(expected: unknown, actual: unknown, place: string): Generator<string> {
  if (isNested(expected) && isNested(actual) && Array.isArray(expected) === Array.isArray(actual)) {
    for (const name of new Set([...Object.keys(expected), ...Object.keys(actual)]))
      yield* differing(expected[name], actual[name], `${place}/${name}`);
    return;
  }
  // A placeholder of an expected text, `{uuid 3}`: its form was checked.
  if (
    expected === actual ||
    (typeof expected === "string" && /^\{.*\}$/.test(expected) && typeof actual === "string")
  )
    return;
  const text = (value: unknown) =>
    value === undefined ? "nothing" : shortened(JSON.stringify(value), SHOWN);
  yield `${place || "/"}  expected ${text(expected)}, got ${text(actual)}`;
}

/**
 * `rule` and `check` say what is broken, `again` and `alone` are lines of shell, which need the
 * variables of `before`, `entry` is a number in recorded traffic.
 */
type LineName =
  | "request"
  | "expected"
  | "got"
  | "differs"
  | "in"
  | "rule"
  | "check"
  | "before"
  | "again"
  | "alone"
  | "entry";
export type Line = readonly [name: LineName, text: string];
export const padded = ([name, text]: Line): string => `${name.padEnd(9)} ${text}`;

/**
 * Both sides of a finding, each cut to so many characters around their difference; where the two
 * are JSON, the differences.
 */
function sidesOf({ expected, actual }: ReportedFinding, most: number): readonly Line[] {
  const [expectedText, actualText] = [unquoted(expected), unquoted(actual)];
  const [right, wrong] = [jsonOf(expectedText), jsonOf(actualText)];
  const all = isNested(right) && isNested(wrong) ? [...differing(right, wrong, "")] : [];
  const tail = all.length > MOST_DIFFERENCES ? [`and ${all.length - MOST_DIFFERENCES} more`] : [];
  if (all.length > 0) return [["differs", [...all.slice(0, MOST_DIFFERENCES), ...tail].join("\n")]];
  let index = 0;
  while (index < expectedText.length && expectedText[index] === actualText[index]) index += 1;
  const from = expectedText === actualText || index < most ? 0 : index - Math.floor(most / 2);
  const cut = (text: string) => (from > 0 ? "…" : "") + shortened(text.slice(from), most);
  return [
    ["got", cut(actualText)],
    ["expected", cut(expectedText)],
  ];
}

/** The variables of a line of shell that stand for keys and fields of a gateway. */
const SECRET = /(?<=\$)(?:\w+_KEY|HEADER_\w+)/g;

/** `MUST, decided, D26 (Cursors)`. */
export function sourceOf(
  { level, origin, clause }: ReportedRequirement,
  { clauses }: ReportData,
): string {
  const title = clauses.find((one) => one.clause === clause)?.title;
  return [level, origin, ...(title === undefined ? [] : [`${clause} (${title})`])].join(", ");
}

/** The case or the script that found it. */
export const foundBy = (finding: ReportedFinding): string => finding.case ?? finding.script ?? "";

interface Shown {
  /** Characters of each side, and of a command to copy. */
  readonly most?: number;
  readonly longest?: number;
  readonly without?: readonly LineName[];
}

/**
 * Cause and effect first, then what is broken, then the ways to see it again. Nothing in a line is
 * obeyed by a terminal; a format escapes what it would obey itself.
 */
export function linesOf(
  finding: ReportedFinding,
  report: ReportData,
  { most = SHOWN, longest = LONGEST_COMMAND, without = [] }: Shown = {},
): readonly Line[] {
  const { requirement: id, again, alone, entry } = finding;
  const requirement = report.requirements.find((one) => one.id === id);
  const source = requirement ? sourceOf(requirement, report) : "";
  const variables = [...new Set(`${again} ${alone}`.match(SECRET))];
  const lines: readonly Line[] = [
    ["request", requestText(finding)],
    ...sidesOf(finding, most),
    ["in", shortened(placeShown(finding), most)],
    ["rule", requirement?.sentence ?? ""],
    ["check", [id, foundBy(finding), source].filter(Boolean).join("; ")],
    ["before", variables.map((name) => `export ${name}=…`).join("; ")],
    ["again", again === alone ? "" : again.length > longest ? TOO_LONG : again],
    ["alone", alone],
    ["entry", `${entry ?? ""}`],
  ];
  return lines.flatMap(([name, text]) =>
    text === "" || without.includes(name) ? [] : [[name, visible(text)] as const],
  );
}
