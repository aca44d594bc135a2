import type { Request } from "../oracle/world.ts";

/** One request of a recording, and its response, before it is known whether it is about the target. */
export interface Entry {
  /** In FILE, from 1; of JSON lines, the number of its line. */
  readonly number: number;
  /** Milliseconds since the epoch; an unknown end is null. */
  readonly startedAt: number;
  readonly endedAt: number | null;
  /** Empty: unknown. */
  readonly connection: string;
  readonly isCached: boolean;
  /** Its head is not as it was sent: whether it was too long is not known. */
  readonly isNormalized: boolean;
  readonly method: string;
  readonly url: string;
  readonly fields: Request["fields"];
  /** One character per byte; null: it was not recorded. */
  readonly body: string | null;
  /** Null: there was none. Its body is as sent, with any content coding; null if it was not recorded as a whole. */
  readonly response: {
    readonly status: number;
    readonly fields: Request["fields"];
    readonly body: Buffer | null;
  } | null;
}

/** Readers of what is at a path of members, as in `request.headers.0.name`. Each throws an `Error` that names the place. */
function fail(path: string, wanted: string): never {
  throw new Error(`${path || "the entry"} must be ${wanted}`);
}

/** What is there; null if nothing is. */
export const at = (entry: unknown, path: string): unknown =>
  path.split(".").reduce<unknown>((one, name, index, names) => {
    if (typeof (one ?? {}) !== "object") fail(names.slice(0, index).join("."), "an object");
    return Object(one)[name] ?? null;
  }, entry);

export function textIn(entry: unknown, path: string): string | null {
  const text = at(entry, path);
  return text === null || typeof text === "string" ? text : fail(path, "a string");
}

export const textAt = (entry: unknown, path: string): string => textIn(entry, path) ?? fail(path, "a string");

export function numberAt(entry: unknown, path: string): number {
  const number = at(entry, path);
  return typeof number === "number" ? number : fail(path, "a number");
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
export function fieldsAt(entry: unknown, path: string, name: PropertyKey = 0, value: PropertyKey = 1) {
  const fields = at(entry, path);
  if (!Array.isArray(fields)) return fail(path, "a list");
  return fields.map((one, index): Request["fields"][number] => {
    const [first, second]: unknown[] = [Object(one)[name], Object(one)[value]];
    const isPair = !Array.isArray(one) || one.length === 2;
    if (isPair && typeof first === "string" && typeof second === "string") return [first, second];
    return fail(`${path}.${index}`, "a name and a value");
  });
}

const bytesAt = (entry: unknown, message: string): Buffer => {
  const encoded = textIn(entry, `${message}.bodyBase64`);
  return Buffer.from(encoded ?? textIn(entry, `${message}.body`) ?? "", encoded === null ? "utf8" : "base64");
};

const entryOf = (line: unknown, number: number): Entry => ({
  ...{ number, connection: "", isCached: false, isNormalized: false },
  ...{ startedAt: timeAt(line, "startedAt"), endedAt: timeAt(line, "endedAt") },
  ...{ method: textAt(line, "request.method"), url: addressAt(line, "request.url") },
  ...{ fields: fieldsAt(line, "request.headers"), body: bytesAt(line, "request").toString("latin1") },
  response: responseOf(line),
});

function responseOf(line: unknown): Entry["response"] {
  const status = at(line, "response") === null ? 0 : numberAt(line, "response.status");
  return status === 0 ? null : { status, fields: fieldsAt(line, "response.headers"), body: bytesAt(line, "response") };
}

/** What is read; an error names the place in the file. */
export function readAt<T>(place: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new Error(`${place}: ${error instanceof Error ? error.message : error}`);
  }
}

/** The entries of JSON lines. Throws an `Error` that names the line that is none. */
export async function* readJsonLines(lines: AsyncIterable<string> | Iterable<string>): AsyncGenerator<Entry> {
  let number = 0;
  for await (const line of lines) {
    number += 1;
    if (line.trim() !== "") yield readAt(`line ${number}`, () => entryOf(JSON.parse(line), number));
  }
}
