import { type Aspect, Expectation } from "./expectation.ts";
import type { Answer, Exchange } from "./wire/exchange.ts";
import { isTooDeep, jsonIn, MOST_LEVELS } from "./wire/json.ts";

const BYTE_ORDER_MARK = "\uFEFF";
const EXCERPT = 200;
/** Characters of an excerpt before the place that it shows. */
const BEFORE = 60;

/** Part of a text that shows the place `at`, for a failure's `actual`: its beginning if that is enough. */
export function excerpt(text: string, at = 0): string {
  const from = at < EXCERPT - BEFORE ? 0 : at - BEFORE;
  const shown = JSON.stringify(text.slice(from, from + EXCERPT));
  return `${from > 0 ? "…" : ""}${shown}${text.length > from + EXCERPT ? "…" : ""}`;
}

/** Excerpts of two texts that show where they differ. */
export function excerpts(one: string, other: string): [one: string, other: string] {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return [excerpt(one, at), excerpt(other, at)];
}

/** The reason phrase and the header fields of a response as texts, each with the aspect of a finding about it. */
export const headTexts = ({ reason, headers }: Answer): readonly (readonly [Aspect, string])[] => [
  ["status", reason],
  ...headers.map(([name, value]) => [`header:${name.toLowerCase()}`, `${name}: ${value}`] as const),
];

/** A text that is a member of the JSON object in these bytes; null for anything else. */
export function memberIn(bytes: Buffer, name: string): string | null {
  const value: unknown = Object(jsonIn(bytes))[name];
  return typeof value === "string" ? value : null;
}

/** The number of members of a JSON text, repeated ones included. */
const colons = (text: string) => text.replace(/"(?:[^"\\]|\\.)*"/g, "").split(":").length - 1;

type Fields = ReadonlyMap<string, readonly string[]>;
const fieldsByName = new WeakMap<Answer["headers"], Fields>();

/** The values of header fields by their names in lower case: nearly every law asks for some. */
function fieldsIn(headers: Answer["headers"]): Fields {
  const known = fieldsByName.get(headers);
  if (known) return known;
  const fields = new Map<string, string[]>();
  for (const [name, value] of headers) {
    const values = fields.get(name.toLowerCase());
    if (values) values.push(value);
    else fields.set(name.toLowerCase(), [value]);
  }
  fieldsByName.set(headers, fields);
  return fields;
}

/** A response as a check reads it. */
export class Reply {
  constructor(
    private readonly whole: Exchange,
    private readonly received: Answer,
    /** Called whenever a check reads the response: a finding is about the one that was read last. */
    private readonly onRead: (exchange: Exchange) => void = () => {},
    private readonly saysNo: (body: Buffer) => boolean = () => false,
  ) {}

  private get answer(): Answer {
    this.onRead(this.whole);
    return this.received;
  }

  /** Accessing it counts as reading the response. */
  get exchange(): Exchange {
    this.onRead(this.whole);
    return this.whole;
  }

  get status(): number {
    return this.answer.status;
  }

  /** Rejected = not 2xx, or a body that means a rejection on a deployment with such bodies. */
  get refused(): boolean {
    return this.status < 200 || this.status >= 300 || this.saysNo(this.body);
  }

  get headers(): Answer["headers"] {
    return this.answer.headers;
  }

  /** The bytes as sent, with any content coding. */
  get body(): Buffer {
    return this.answer.body;
  }

  /** The body as UTF-8; invalid bytes become U+FFFD. */
  get text(): string {
    return this.answer.body.toString("utf8");
  }

  /** Every value of a header field, in the order received. */
  headerValues(name: string): readonly string[] {
    return fieldsIn(this.answer.headers).get(name.toLowerCase()) ?? [];
  }

  /** The value of a header field, several joined by `, ` (RFC 9110, 5.2); undefined when it was not sent. */
  header(name: string): string | undefined {
    const values = this.headerValues(name);
    return values.length === 0 ? undefined : values.join(", ");
  }

  /** Whether the response has `Connection: close`. */
  get closes(): boolean {
    return (this.header("connection") ?? "").split(",").some((option) => option.trim().toLowerCase() === "close");
  }

  /** The media type in lower case, without parameters; empty when none was sent. */
  get mediaType(): string {
    return (this.header("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  }

  /** Whether an object of the JSON body has a duplicate name: parsers keep one of the two, and not all the same one. */
  get repeatsName(): boolean {
    return colons(this.text) > colons(JSON.stringify(this.json()));
  }

  /** The body as exactly one JSON text in UTF-8 without a byte order mark; throws an `Expectation` for anything else. */
  json(): unknown {
    const value = jsonIn(this.body);
    if (value !== undefined) return value;
    let text: string;
    try {
      text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(this.body);
    } catch {
      throw this.finding("a body in UTF-8", `bytes that are not: ${excerpt(this.text)}`);
    }
    if (text.startsWith(BYTE_ORDER_MARK)) throw this.finding("JSON without a byte order mark", excerpt(text));
    if (isTooDeep(this.body))
      throw this.finding(`JSON of at most ${MOST_LEVELS} levels`, `more levels: ${excerpt(text)}`);
    try {
      return JSON.parse(text);
    } catch {
      throw this.finding("one JSON text as the body", text === "" ? "an empty body" : excerpt(text));
    }
  }

  private finding(expected: string, actual: string): Expectation {
    return new Expectation("body", expected, actual, null, this.whole);
  }
}
