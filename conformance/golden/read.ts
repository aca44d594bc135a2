import type { Request } from "../oracle/world.ts";
import { unknownIn } from "./values.ts";

/**
 * Golden exchanges: hand-written requests and responses, from the clauses of the contract alone. They detect a misreading that
 * the oracle and a service share.
 *
 *     user.create/key-form: A key of 256 characters is too long.
 *       POST* | Idempotency-Key: {256 × a} | {"@":"user.create","data":{}}
 *       -> 400 invalid-idempotency-key by user.create
 *
 * A scenario has a requirement, a title, and exchanges. A request is its method, its target (`/api/` if there is none), `HTTP/1.0`
 * if that is its version, its header fields and, if what comes next is no field, its body. `*` sends the key and the platform of
 * the run. Behind `->` is its response, behind `or` another one that the contract allows: status, code of the problem, `by` the
 * operation in `X-Operation`, `at` the places of the faults, fields, body. A line that begins with `|` continues the line before
 * it. Text in braces is a placeholder (`values.ts`).
 *
 * What is always the same is not written: `Host`, the length of a body, `Content-Type: application/json` of a POST, the fields
 * of `ALWAYS`, the body of a problem. `= 200 by sysinfo | {…}` is the body of each such response below that states none.
 * `{98 × X-More: a}` is a field so many times.
 */
export interface GoldenText {
  /** The module that has the text, from the root of the repository, and the line on which it begins there. */
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

export interface GoldenResponse {
  readonly status: number;
  /** Null for a success. */
  readonly code: string | null;
  /** The operation that `X-Operation` names; null: the field is not sent. */
  readonly operation: string | null;
  /** Where the faults are, as `errors` has them; null: no such member. */
  readonly places: readonly string[] | null;
  /** All that must be there, with placeholders. */
  readonly fields: Request["fields"];
  /** With placeholders; null: it is not compared. */
  readonly body: string | null;
}

export interface GoldenExchange {
  /** With placeholders, without what is always the same. */
  readonly request: Request;
  /** The contract allows each of them. */
  readonly responses: readonly GoldenResponse[];
}

export interface Golden {
  readonly requirement: string;
  readonly title: string;
  readonly exchanges: readonly GoldenExchange[];
}

/** Part of every response (D12); one that states the field itself has that one. */
const ALWAYS: Request["fields"] = [
  ["X-Request-Id", "{request-id}"],
  ["X-Content-Type-Options", "nosniff"],
  ["Referrer-Policy", "no-referrer"],
  ["Cache-Control", "no-store"],
];
const CREDENTIALS: Request["fields"] = [
  ["X-API-KEY", "{key}"],
  ["X-PLATFORM", "{platform}"],
];

const TITLE = /^([\w.-]+\/[\w-]+): (.+)$/;
const REQUEST = /^([A-Z-]+)(\*)?(?: (?!HTTP\/)(\S.*?))?(?: HTTP\/(1\.0))?$/;
const RESPONSE = /^(\d{3})(?: (?!by |at )([a-z-]+))?(?: by (\S+))?(?: at (.+))?$/;
const FIELD = /^([\w-]+):(?: (.*))?$/;
const REPEATED = /^\{(\d+) × ([\w-]+: .*)\}$/u;

/** Reads a text. Throws an `Error` with the file and the line of what is no golden exchange. */
export function readGolden({ file, line, text }: GoldenText): readonly Golden[] {
  const reader = new Reader();
  let at = line;
  try {
    for (const one of text.replace(/\n\s+(?=\|)/g, "\r ").split("\n")) {
      for (const part of one.replaceAll("\r", "").split(/ (?=-> )/)) reader.take(part.trim());
      at += one.split("\r").length;
    }
    reader.complete();
    return reader.goldens;
  } catch (error) {
    throw new Error(`${file}:${at}: ${error instanceof Error ? error.message : error}`);
  }
}

class Reader {
  readonly goldens: (Golden & { readonly exchanges: GoldenExchange[] })[] = [];
  private readonly bodies = new Map<string, string>();
  /** Of the last request of the scenario. */
  private responses: GoldenResponse[] | null = null;

  take(line: string): void {
    const [, requirement, title = ""] = TITLE.exec(line) ?? [];
    const [, sign, rest = ""] = /^(->|or|=) (.+)$/.exec(line) ?? [];
    const unknown = unknownIn(line);
    if (unknown !== undefined) throw new Error(`no placeholder: {${unknown}}`);
    if (sign === "=") {
      const [start, { body }] = partsOf(rest);
      this.bodies.set(start, body);
    } else if (sign !== undefined) {
      if (!this.responses || this.responses.length > 0 !== (sign === "or"))
        throw new Error(`no request above: ${line}`);
      this.responses.push(responseOf(rest, this.bodies));
    } else if (requirement !== undefined) {
      this.complete();
      if (this.goldens.some((one) => one.requirement === requirement && one.title === title))
        throw new Error(`a second scenario with this title: ${line}`);
      this.goldens.push({ requirement, title, exchanges: [] });
      this.responses = null;
    } else if (line !== "") {
      if (this.responses) this.complete();
      this.responses = [];
      const exchange = { request: requestOf(line), responses: this.responses };
      if (!this.goldens.at(-1)?.exchanges.push(exchange))
        throw new Error(`no title above: ${line}`);
    }
  }

  /** Throws an `Error` if something is missing where a scenario, or a request, ends. */
  complete(): void {
    if (this.goldens.at(-1)?.exchanges.length === 0)
      throw new Error("the scenario above has no exchange");
    if (this.responses?.length === 0) throw new Error("the request above has no response");
  }
}

/** What is before the fields, the fields, and what is behind them. */
function partsOf(line: string): readonly [start: string, Pick<Request, "fields" | "body">] {
  const [start = "", ...parts] = line.split(" | ");
  const isField = (part: string) => FIELD.test(part) || REPEATED.test(part);
  const end = parts.findIndex((part) => !isField(part));
  const fields = (end < 0 ? parts : parts.slice(0, end)).flatMap((part): [string, string][] => {
    const [, times = "1", repeated = part] = REPEATED.exec(part) ?? [];
    const [, name = "", value = ""] = FIELD.exec(repeated) ?? [];
    return Array.from({ length: Number(times) }, () => [name, value]);
  });
  return [start, { fields, body: end < 0 ? "" : parts.slice(end).join(" | ") }];
}

/** These fields, and those of `more` that are not among them. */
const completed = (fields: Request["fields"], more: Request["fields"]): Request["fields"] => [
  ...fields,
  ...more.filter(([name]) => !fields.some(([other]) => other.toLowerCase() === name.toLowerCase())),
];

function requestOf(line: string): Request {
  const [start, { fields, body }] = partsOf(line);
  const [, method, credentials, target = "/api/", version] = REQUEST.exec(start) ?? [];
  if (method === undefined) throw new Error(`no request: ${start}`);
  const type = method === "POST" ? [["Content-Type", "application/json"] as const] : [];
  const own = completed([...(credentials ? CREDENTIALS : []), ...fields], type);
  return { method, target, fields: own, body, version: version === undefined ? "1.1" : "1.0" };
}

function responseOf(line: string, bodies: ReadonlyMap<string, string>): GoldenResponse {
  const [start, { fields, body }] = partsOf(line);
  const [, status, code = null, operation = null, places] = RESPONSE.exec(start) ?? [];
  if (status === undefined) throw new Error(`no response: ${start}`);
  const faults = places?.split(" ") ?? null;
  const success = body || (bodies.get(start) ?? "");
  const json = success.startsWith('{"') ? "application/json; charset=utf-8" : null;
  const type = code === null ? json : "application/problem+json{parameters}";
  const own = [
    ...(operation === null ? [] : [["X-Operation", operation] as const]),
    ...ALWAYS,
    ...(type === null ? [] : [["Content-Type", type] as const]),
  ];
  const content = code === null ? success : problemOf(Number(status), code, faults);
  const all = completed(fields, own);
  return {
    status: Number(status),
    code,
    operation,
    places: faults,
    fields: all,
    body: content || null,
  };
}

/** A problem document, as the clause "Problems" describes it. */
function problemOf(status: number, code: string, places: GoldenResponse["places"]): string {
  const memberOf = (place: string) => (place.startsWith("#") ? "pointer" : "parameter");
  const errors = places?.map((place) => ({ [memberOf(place)]: place, detail: "{text}" }));
  const free = { title: "{text}", detail: "{text}", requestId: "{request-id}" };
  return JSON.stringify({
    type: `{problems}#${code}`,
    status,
    code,
    ...free,
    ...(errors && { errors }),
  });
}
