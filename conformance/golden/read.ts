/**
 * Golden exchanges: hand-written requests and responses, from the clauses of the contract alone, without the oracle or the
 * service: they detect a misreading that both share.
 *
 * A text holds scenarios, each after a line `### requirement: what it shows`. A scenario is one exchange, or several with a line
 * `then` between them. An exchange is a request and, from a line `HTTP status` on, its response; `or` separates two responses if
 * the contract allows both. Header fields follow at once, a body after an empty line. Text in braces is a placeholder
 * (`values.ts`). Constant parts are omitted:
 *
 * - `Host`, `Connection: close` and the length of a body are part of every request, `Content-Type: application/json` of a POST
 *   that has no other; `{credentials}` are the two headers of a key with every scope and its platform;
 * - the fields of `ALWAYS` are part of every response, `application/json; charset=utf-8` is the type of a JSON body that has no
 *   other, and a field of `ABSENT` is in no response that does not list it;
 * - `HTTP 422 invalid-input at #/data` is a problem document (`problemOf`) with this status, code, and pointers of faults.
 */

export interface GoldenRequest {
  readonly method: string;
  readonly target: string;
  readonly version: "1.0" | "1.1";
  readonly headers: readonly Field[];
  /** Null without a body. */
  readonly body: string | null;
}

export interface GoldenResponse {
  readonly status: number;
  readonly headers: readonly Field[];
  /** Null: none is specified, and none is compared. */
  readonly body: string | null;
}

export interface GoldenExchange {
  readonly request: GoldenRequest;
  /** The contract allows each of them. */
  readonly responses: readonly GoldenResponse[];
}

export interface Golden {
  readonly requirement: string;
  readonly shows: string;
  readonly exchanges: readonly GoldenExchange[];
}

export type Field = readonly [name: string, value: string];

/** Part of every response (D12); one that lists `Cache-Control` itself has that one. */
export const ALWAYS: readonly Field[] = [
  ["X-Request-Id", "{request-id}"],
  ["X-Content-Type-Options", "nosniff"],
  ["Referrer-Policy", "no-referrer"],
  ["Cache-Control", "no-store"],
];

export const ABSENT = ["X-Operation", "Idempotent-Replayed"] as const;

const TITLE = /^### ([\w./-]+): (.+)$/;
const REQUEST = /^([A-Z-]+) (\S.*?)(?: HTTP\/(1\.0))?$/;
const STATUS = /^HTTP (\d{3})(?: ([a-z-]+)(?: at (.+))?)?$/;
const FIELD = /^([\w-]+):(?: (.*))?$/;
/** A repeated field line: `{98 × X-More: a}`. */
const LINES = /^\{(\d+) × ([\w-]+: .*)\}$/;

/** Reads a text of scenarios; throws an `Error` if it is invalid. */
export function readGolden(text: string): readonly Golden[] {
  return text
    .split(/^(?=### )/m)
    .filter((part) => part.trim() !== "")
    .map(readScenario);
}

function readScenario(part: string): Golden {
  const [title = "", ...lines] = part.split("\n");
  const [, requirement = "", shows = ""] = TITLE.exec(title) ?? fail(title);
  const exchanges = split(lines, (line) => line === "then").map(readExchange);
  return { requirement, shows, exchanges };
}

function readExchange(lines: readonly string[]): GoldenExchange {
  const at = lines.findIndex((line) => STATUS.test(line));
  const request = lines.slice(0, Math.max(at, 0)).filter((line, index) => index > 0 || line !== "");
  const [, method = "", target = "", version] = REQUEST.exec(request[0] ?? "") ?? fail(request[0] ?? "");
  const responses = split(lines.slice(at), (line) => line === "or").map(readResponse);
  const { headers, body } = readMessage(request.slice(1));
  const typed = method === "POST" ? withDefaults(headers, [["Content-Type", "application/json"]]) : headers;
  return { request: { method, target, version: version === "1.0" ? "1.0" : "1.1", headers: typed, body }, responses };
}

function readResponse(lines: readonly string[]): GoldenResponse {
  const [, status = "", code, places] = STATUS.exec(lines[0] ?? "") ?? fail(lines[0] ?? "");
  const { headers, body } = readMessage(lines.slice(1));
  const json = body?.startsWith('{"') ? "application/json; charset=utf-8" : null;
  const type = code === undefined ? json : "application/problem+json{parameters}";
  const fields = withDefaults(headers, [...ALWAYS, ...(type === null ? [] : [["Content-Type", type] as const])]);
  const problem = code === undefined ? body : problemOf(Number(status), code, places?.split(" "));
  return { status: Number(status), headers: fields, body: problem };
}

/** A problem document, as the clause "Problems" describes it. */
function problemOf(status: number, code: string, places?: readonly string[]): string {
  const errors = places?.map((place) => ({
    [place.startsWith("#") ? "pointer" : "parameter"]: place,
    detail: "{text}",
  }));
  const free = { title: "{text}", detail: "{text}", requestId: "{request-id}" };
  return JSON.stringify({ type: `{problems}#${code}`, status, code, ...free, ...(errors && { errors }) });
}

/** These fields, plus the missing defaults. */
function withDefaults(fields: readonly Field[], defaults: readonly Field[]): readonly Field[] {
  const named = new Set(fields.map(([name]) => name.toLowerCase()));
  return [...fields, ...defaults.filter(([name]) => !named.has(name.toLowerCase()))];
}

function readMessage(lines: readonly string[]): { headers: readonly Field[]; body: string | null } {
  const end = lines.indexOf("");
  const fields = end < 0 ? lines : lines.slice(0, end);
  const body = end < 0 ? "" : lines.slice(end).join("\n").trim();
  return { headers: fields.flatMap(readFields), body: body === "" ? null : body };
}

function readFields(line: string): Field[] {
  if (line === "{credentials}")
    return [
      ["X-API-KEY", "{key}"],
      ["X-PLATFORM", "{platform}"],
    ];
  const [, times = "1", repeated = line] = LINES.exec(line) ?? [];
  const [, name = "", value = ""] = FIELD.exec(repeated) ?? fail(line);
  return Array.from({ length: Number(times) }, () => [name, value]);
}

/** The parts between the lines that separate them. */
function split(lines: readonly string[], separates: (line: string) => boolean): string[][] {
  const parts: string[][] = [[]];
  for (const line of lines) {
    if (separates(line)) parts.push([]);
    else parts.at(-1)?.push(line);
  }
  return parts;
}

function fail(line: string): never {
  throw new Error(`it is no golden exchange: ${JSON.stringify(line)}`);
}
