import { isObject } from "../oracle/schema.ts";
import type { Request } from "../oracle/world.ts";

/** One request of a recording, and its response, before it is known whether it is about the target. */
export interface Entry {
  /** In FILE, from 1; of JSON lines, the number of its line. */
  readonly number: number;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Null: unknown. */
  readonly endedAt: number | null;
  /** Empty: unknown. */
  readonly connection: string;
  readonly isCached: boolean;
  /** Its head is not as it was sent: whether it was too long is not known. */
  readonly isNormalized?: true;
  readonly method: string;
  readonly url: string;
  readonly fields: Request["fields"];
  /** One character per byte; null: it was not recorded. */
  readonly body: string | null;
  /** Null: there was none. */
  readonly response: RecordedResponse | null;
}

interface RecordedResponse {
  readonly status: number;
  readonly fields: Request["fields"];
  /** With any content coding; null: it was not recorded, or not as a whole. */
  readonly body: Buffer | null;
}

/** A value at a place of a recording. Each reader throws an `Error` that names the place where it has another form. */
export class Recorded {
  constructor(
    readonly value: unknown,
    private readonly place = "",
  ) {}

  fault(wanted: string): Error {
    return new Error(`${this.place || "the entry"} must be ${wanted}`);
  }

  at(name: string): Recorded {
    if (!isObject(this.value)) throw this.fault("an object");
    return new Recorded(this.value[name], this.place === "" ? name : `${this.place}.${name}`);
  }

  get isAbsent(): boolean {
    return this.value === undefined || this.value === null;
  }

  get text(): string {
    if (typeof this.value !== "string") throw this.fault("a string");
    return this.value;
  }

  get number(): number {
    if (typeof this.value !== "number") throw this.fault("a number");
    return this.value;
  }

  get items(): readonly Recorded[] {
    if (!Array.isArray(this.value)) throw this.fault("a list");
    return this.value.map((item, at) => new Recorded(item, `${this.place}[${at}]`));
  }

  /** A moment of RFC 3339, in milliseconds since the epoch. */
  get time(): number {
    const time = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d/.test(this.text) ? Date.parse(this.text) : Number.NaN;
    if (Number.isNaN(time)) throw this.fault("a time of RFC 3339");
    return time;
  }

  /** An address with a scheme of HTTP; of others, which a browser records too, its caller knows nothing. */
  get address(): string {
    if (!URL.canParse(this.text)) throw this.fault("an address");
    return this.text;
  }
}

const field = (one: Recorded): readonly [name: string, value: string] => {
  const [name, value, ...more] = one.items;
  if (!name || !value || more.length > 0) throw one.fault("a name and a value");
  return [name.text, value.text];
};

function bytesOf(message: Recorded): Buffer {
  const [body, encoded] = [message.at("body"), message.at("bodyBase64")];
  if (!encoded.isAbsent) return Buffer.from(encoded.text, "base64");
  return Buffer.from(body.isAbsent ? "" : body.text);
}

function entryOf(line: Recorded, number: number): Entry {
  const [request, response] = [line.at("request"), line.at("response")];
  const status = response.isAbsent ? 0 : response.at("status").number;
  return {
    ...{ number, connection: "", isCached: false },
    ...{ startedAt: line.at("startedAt").time, endedAt: line.at("endedAt").time },
    ...{ method: request.at("method").text, url: request.at("url").address },
    ...{ fields: request.at("headers").items.map(field), body: bytesOf(request).toString("latin1") },
    response:
      status === 0 ? null : { status, fields: response.at("headers").items.map(field), body: bytesOf(response) },
  };
}

/** The entries of JSON lines. Throws an `Error` that names the line that is none. */
export async function* readJsonLines(lines: AsyncIterable<string> | Iterable<string>): AsyncGenerator<Entry> {
  let number = 0;
  for await (const line of lines) {
    number += 1;
    if (line.trim() === "") continue;
    try {
      yield entryOf(new Recorded(JSON.parse(line)), number);
    } catch (error) {
      throw new Error(`line ${number}: ${error instanceof Error ? error.message : error}`);
    }
  }
}
