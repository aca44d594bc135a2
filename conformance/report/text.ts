import { mayBeParsed } from "../http/limits.ts";
import type { Content, ReportData, ReportedExchange, ReportedFinding, ReportedRequirement } from "./json.ts";

/** A finding as lines, once for all reports. What is shown here is redacted already; only then is it cut. */

/** Maximum characters of a request and of each side of a finding, and of a text of the target inside a sentence. */
const SHOWN = 300;
const QUOTED = 40;
/** Maximum characters of a command: a history has dozens of requests. */
const LONGEST_COMMAND = 4000;
/** Differences that are listed; the exchange has the others. */
const MOST_DIFFERENCES = 8;

/** Text with what a terminal would obey, or not show, as escapes; line feeds and tabs stay. */
export const visible = (text: string): string =>
  text.replace(/[^\P{C}\n\t]|[\u2028\u2029]/gu, (one) => `\\u{${one.codePointAt(0)?.toString(16)}}`);

/** The same on one line. */
export const oneLine = (text: string): string => visible(text).replace(/\s+/g, " ").trim();

/** A text of the target inside a sentence of ours. */
export const quoted = (text: string): string =>
  `"${oneLine(text).slice(0, QUOTED)}${oneLine(text).length > QUOTED ? "…" : ""}"`;

/** The beginning of a text, and how much is omitted. */
export const shortened = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most)}\n… ${text.length - most} characters more` : text;

/** Two texts that differ, each cut to this many characters around the difference. */
function shortenedPair(one: string, other: string, most: number): readonly [one: string, other: string] {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  const from = one === other || at < most ? 0 : at - Math.floor(most / 2);
  const cut = (text: string) => (from > 0 ? "…" : "") + shortened(text.slice(from), most);
  return [cut(one), cut(other)];
}

export const counted = (count: number, noun: string): string =>
  `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;

/** The value of a JSON text; undefined if it is none, or has so many levels that it could not be written again. */
export function parsed(text: string): unknown {
  try {
    return mayBeParsed(Buffer.from(text)) ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

function contentText(content: Content, most: number): string {
  const more = content.omitted ? `\n… ${content.omitted} bytes more that were not kept` : "";
  const text = "text" in content ? content.text.replaceAll("\r\n", "\n") : `base64: ${content.base64}`;
  return visible(shortened(text, most)) + more;
}

const isEmpty = (content: Content) => ("text" in content ? content.text : content.base64) === "" && !content.omitted;

const message = (start: string, fields: ReportedExchange["request"]["fields"], body: Content, most: number) => {
  const head = [start, ...fields.map(([name, value]) => `${name}: ${value}`)].map(oneLine).join("\n");
  return isEmpty(body) ? head : `${head}\n\n${contentText(body, most)}`;
};

/** An exchange as on the wire, for people to read. `written`: what was written instead of the request. */
export function exchangeText(exchange: ReportedExchange, most = 4096, written: Content | null = null): string {
  const { request, response, error, durationMs } = exchange;
  const { method, target, version, fields, body } = request;
  const sent = written
    ? `(on a connection of its own)\n${contentText(written, most)}`
    : message(`${method} ${target} HTTP/${version}`, fields, body, most);
  if (!response) return `${sent}\n\n${visible(error ?? "no response")} (${durationMs} ms)`;
  const status = `HTTP/${response.version} ${response.status} ${response.reason}`.trimEnd();
  return `${sent}\n\n${message(`${status} (${durationMs} ms)`, response.fields, response.body, most)}`;
}

/** Fields that every request has, whatever it is about. */
const USUAL = /^(?:host|connection|content-length|user-agent)$/i;

/** The request without its usual fields: what it takes to understand the finding, and not more. */
function requestText({ request }: ReportedExchange): string {
  const { method, target, version, fields, body } = request;
  const start = `${method} ${target}${version === "1.1" ? "" : ` HTTP/${version}`}`;
  return shortened(
    message(
      start,
      fields.filter(([name]) => !USUAL.test(name)),
      body,
      SHOWN,
    ),
    SHOWN,
  );
}

/** Quoted JSON as it was sent: `"{\"a\":1}"` is `{"a":1}`. What is cut off stays cut off. */
const unquoted = (text: string): string =>
  text.replace(/(?<=^|[\s…])"[[{](?:[^"\\]|\\.)*"/g, (all) => String(parsed(all) ?? all));

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

/** A line for each place where two values differ: `/items/0/createdAt  expected "…", got nothing`. */
function* differing(one: unknown, other: unknown, at: string): Generator<string> {
  if (isObject(one) && isObject(other) && Array.isArray(one) === Array.isArray(other)) {
    for (const name of new Set([...Object.keys(one), ...Object.keys(other)]))
      yield* differing(one[name], other[name], `${at}/${name}`);
    return;
  }
  // A placeholder of an expected text, `{uuid 3}`: its form was checked.
  if (one === other || (typeof one === "string" && /^\{.*\}$/.test(one) && typeof other === "string")) return;
  const text = (value: unknown) => (value === undefined ? "nothing" : shortened(JSON.stringify(value), SHOWN));
  yield `${at || "/"}  expected ${text(one)}, got ${text(other)}`;
}

/** Both sides of a finding; where the two are JSON, apart from a remark in brackets, their differences. */
function sidesOf({ expected, actual }: ReportedFinding) {
  const sides = [unquoted(expected), unquoted(actual)] as const;
  const [one, other] = sides.map((text) => parsed(text.replace(/ \([^)]*\)$/, "")));
  const all = isObject(one) && isObject(other) ? [...differing(one, other, "")] : [];
  const more = all.length > MOST_DIFFERENCES ? [`and ${all.length - MOST_DIFFERENCES} more`] : [];
  return { sides, differences: [...all.slice(0, MOST_DIFFERENCES), ...more] };
}

/** `rule` and `check` say what is broken, `again` and `alone` are lines of shell, `entry` is a number in recorded traffic. */
export type LineName =
  | "request"
  | "expected"
  | "got"
  | "differs"
  | "in"
  | "rule"
  | "check"
  | "again"
  | "alone"
  | "entry";
export type Line = readonly [name: LineName, text: string];

/** The exchange that a finding is about. */
export const exchangeOf = ({ exchanges, at }: ReportedFinding): ReportedExchange | undefined => exchanges[at];

/** The same as on the wire; empty if nothing was sent. */
export function wholeText(finding: ReportedFinding, most?: number): string {
  const exchange = exchangeOf(finding);
  return exchange ? exchangeText(exchange, most, finding.written) : "";
}

interface Shown {
  /** Characters of each side, and of a command to copy. */
  readonly most?: number;
  readonly longest?: number;
  /** The part of the response that is wrong. */
  readonly place?: string | null;
}

/**
 * Cause and effect first, then what is broken, then the ways to see it again. Nothing in a line is obeyed by a terminal; a format
 * escapes what it would obey itself.
 */
export function linesOf(
  finding: ReportedFinding,
  report: Pick<ReportData, "requirements" | "clauses">,
  { most = SHOWN, longest = LONGEST_COMMAND, place = null }: Shown = {},
): readonly Line[] {
  const { requirement: id, again, alone, written, entry } = finding;
  const exchange = exchangeOf(finding);
  const { sides, differences } = sidesOf(finding);
  const [expected, got] = shortenedPair(...sides, most);
  const requirement = report.requirements.find((one) => one.id === id);
  const lines: readonly Line[] = [
    ["request", written ? contentText(written, SHOWN) : exchange ? requestText(exchange) : ""],
    ...(differences.length > 0
      ? [["differs", differences.join("\n")] as const]
      : ([
          ["expected", expected],
          ["got", got],
        ] as const)),
    ["in", place === null ? "" : shortened(place, most)],
    ["rule", requirement?.sentence ?? ""],
    [
      "check",
      [id, finding.case ?? finding.script ?? "", requirement ? sourceOf(requirement, report) : ""]
        .filter(Boolean)
        .join("; "),
    ],
    ["again", again.length > longest ? "too long to be shown here; the JSON report has it" : again],
    ["alone", alone],
    ["entry", entry === null ? "" : `${entry}`],
  ];
  return lines.filter(([, text]) => text !== "").map(([name, text]) => [name, visible(text)] as const);
}

/** `MUST, decided, D26 (Cursors)`. */
export function sourceOf(
  { level, origin, clause }: ReportedRequirement,
  { clauses }: Pick<ReportData, "clauses">,
): string {
  const title = clauses.find((one) => one.clause === clause)?.title;
  return [level, origin, ...(title === undefined ? [] : [`${clause} (${title})`])].join(", ");
}
