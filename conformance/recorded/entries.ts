import type { Exchange, Response } from "../exchange.ts";
import { MOST_FILE } from "../http/limits.ts";
import { createResponse } from "../http/response.ts";
import type { Target } from "../http/target.ts";
import { fieldsOf, type Request } from "../oracle/model-state.ts";
import { type Places, readObjects } from "./objects.ts";

/**
 * One request of a recording, and its response, before it is known whether it is about the target.
 */
export interface Entry {
  /** In FILE, from 1; of JSON lines, the number of its line. */
  readonly number: number;
  /** Milliseconds since the epoch; an unknown end is null. */
  readonly startedAt: number;
  readonly endedAt: number | null;
  /** Empty: unknown. */
  readonly connection: string;
  /** Why it is not compared, as recorded: something else answered; null if the target did. */
  readonly left: string | null;
  /** Its head is not as it was sent: whether it was too long is not known. */
  readonly isNormalized: boolean;
  /** Its head may have had more fields than were recorded, or another spelling of the method. */
  readonly isPartial: boolean;
  readonly method: string;
  readonly url: string;
  readonly fields: Request["fields"];
  /** One character per byte; null: it was not recorded. */
  readonly body: string | null;
  /**
   * Null: there was none. Its body is as sent, with any content coding; null if it was not recorded
   * as a whole.
   */
  readonly response: {
    readonly status: number;
    readonly fields: Request["fields"];
    readonly body: Buffer | null;
  } | null;
}

/**
 * Readers of what is at a path of members, as in `request.headers.0.name`. Each throws an `Error`
 * that names the place.
 */
function fail(path: string, wanted: string): never {
  throw new Error(`${path || "the entry"} must be ${wanted}`);
}

/** What is there; null if nothing is. */
export const at = (entry: unknown, path: string): unknown =>
  path.split(".").reduce<unknown>((value, name, index, names) => {
    if (typeof (value ?? {}) !== "object") fail(names.slice(0, index).join("."), "an object");
    return Object(value)[name] ?? null;
  }, entry);

export function textIn(entry: unknown, path: string): string | null {
  const text = at(entry, path);
  return text === null || typeof text === "string" ? text : fail(path, "a string");
}

export const textAt = (entry: unknown, path: string): string =>
  textIn(entry, path) ?? fail(path, "a string");

export function numberAt(entry: unknown, path: string): number {
  const number = at(entry, path);
  return typeof number === "number" ? number : fail(path, "a number");
}

/** The status of a response; null if there was none, which recorders write in several ways. */
export function statusAt(entry: unknown, path: string): number | null {
  const status = at(entry, path) || 0;
  if (typeof status !== "number" || status > 999) return fail(path, "a status");
  return status < 100 ? null : Math.trunc(status);
}

/** A moment of RFC 3339, in milliseconds since the epoch. */
export function timeAt(entry: unknown, path: string): number {
  const text = textAt(entry, path);
  const time = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? fail(path, "a time of RFC 3339") : time;
}

export function addressAt(entry: unknown, path: string): string {
  const address = textAt(entry, path);
  return URL.canParse(address) ? address : fail(path, "an address");
}

/** Header fields, each with its name and its value at these members. */
export function fieldsIn(
  fields: unknown,
  path: string,
  name: PropertyKey = 0,
  value: PropertyKey = 1,
) {
  if (!Array.isArray(fields)) return fail(path, "a list");
  return fields.map((field): Request["fields"][number] => {
    const [first, second]: unknown[] = [Object(field)[name], Object(field)[value]];
    const isPair = !Array.isArray(field) || field.length === 2;
    if (isPair && typeof first === "string" && typeof second === "string") return [first, second];
    return fail(path, "names and values");
  });
}

const bytesAt = (entry: unknown, message: string): Buffer => {
  const encoded = textIn(entry, `${message}.bodyBase64`);
  return Buffer.from(
    encoded ?? textIn(entry, `${message}.body`) ?? "",
    encoded === null ? "utf8" : "base64",
  );
};

const linesAt = (line: unknown, path: string) => fieldsIn(at(line, path), path);

const entryOf = (line: unknown, number: number): Entry => ({
  number,
  connection: "",
  left: null,
  isNormalized: false,
  isPartial: false,
  startedAt: timeAt(line, "startedAt"),
  endedAt: timeAt(line, "endedAt"),
  method: textAt(line, "request.method"),
  url: addressAt(line, "request.url"),
  fields: linesAt(line, "request.headers"),
  body: bytesAt(line, "request").toString("latin1"),
  response: responseOf(line),
});

function responseOf(line: unknown): Entry["response"] {
  const status = at(line, "response") === null ? null : statusAt(line, "response.status");
  if (status === null) return null;
  return { status, fields: linesAt(line, "response.headers"), body: bytesAt(line, "response") };
}

/** A kind of file with recorded traffic. */
export interface Form extends Places {
  readonly entryOf: (members: unknown, number: number) => Entry;
}

const JSON_LINES: Form = {
  list: [],
  members: ["startedAt", "endedAt", "request", "response"],
  entryOf,
};

type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** An entry, or why it cannot be read. */
export type Recorded = Entry | string;

/**
 * The entries of a file. Throws an `Error` that names the place of the first one if none can be
 * read.
 */
export async function* readEntries(
  chunks: Chunks,
  { entryOf, ...places }: Form,
): AsyncGenerator<Recorded> {
  const isLines = places.list.length === 0;
  let [number, fault, hasRead] = [0, "", false];
  for await (const { members, line } of readObjects(chunks, places)) {
    number = isLines ? line : number + 1;
    const entry = readOne(() => entryOf(members, number));
    if (typeof entry !== "string") hasRead = true;
    else if (fault === "") fault = `${isLines ? "line" : "entry"} ${number}: ${entry}`;
    yield entry;
  }
  if (fault !== "" && !hasRead) throw new Error(fault);
}

function readOne(read: () => Entry): Recorded {
  try {
    return read();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

export const readJsonLines = (chunks: Chunks) => readEntries(chunks, JSON_LINES);

/** An exchange that has a response. */
export type Answered = Exchange & { readonly response: Response };

/** The target of a request below the prefix of the deployment; null if it is another one's. */
function targetIn(url: string, { origin, prefix }: Target): string | null {
  // The origin of a `blob:` address is that of its page.
  const written = /^https?:\/\/[^/?#]*(.*)$/is.exec(url)?.[1];
  if (written === undefined || new URL(url).origin !== origin || !written.startsWith(prefix))
    return null;
  const rest = written.slice(prefix.length);
  if (rest !== "" && !/^[/?#]/.test(rest)) return null;
  return rest.startsWith("/") ? rest : `/${rest}`;
}

/** An entry as an exchange with the target that is not predicted yet; or why it is left out. */
export function exchangeFromEntry(entry: Entry, to: Target): Answered | string {
  const { fields, method, body, startedAt, endedAt, response } = entry;
  const target = targetIn(entry.url, to);
  if (target === null) return "another target";
  if (!response) return "without a response";
  if (entry.left !== null) return entry.left;
  // A client's own record of its requests has no Host.
  const hosts =
    fieldsOf(fields, "Host").length > 0 ? [] : [["Host", new URL(entry.url).host] as const];
  const whole = response.body && response.body.length <= MOST_FILE ? response.body : null;
  const head = { status: response.status, reason: "", version: "1.1", fields: response.fields };
  const received = createResponse(head, whole ?? Buffer.alloc(0));
  return {
    request: { method, target, fields: [...hosts, ...fields], body: body ?? "" },
    error: null,
    prediction: null,
    response: { ...received, omitted: whole ? 0 : 1 },
    sentAt: startedAt,
    endedAt: endedAt ?? startedAt,
    connection: 1,
  };
}
