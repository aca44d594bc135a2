import { Expectation } from "./expectation.ts";
import type { Answer, Exchange } from "./wire/exchange.ts";

const BYTE_ORDER_MARK = "\uFEFF";
const EXCERPT = 200;

/** The beginning of a text, for a failure's `actual`. */
export function excerpt(text: string): string {
  return text.length > EXCERPT ? `${JSON.stringify(text.slice(0, EXCERPT))}…` : JSON.stringify(text);
}

/** A text that is a member of the JSON object in these bytes; null for anything else. */
export function memberIn(bytes: Buffer, name: string): string | null {
  try {
    const value: unknown = Object(JSON.parse(bytes.toString()))[name];
    return typeof value === "string" ? value : null;
  } catch {
    return null;
  }
}

/** An answer as a check reads it. */
export class Reply {
  constructor(
    readonly exchange: Exchange,
    private readonly answer: Answer,
  ) {}

  get status(): number {
    return this.answer.status;
  }

  get headers(): Answer["headers"] {
    return this.answer.headers;
  }

  /** The bytes as sent, a content coding left in place. */
  get body(): Buffer {
    return this.answer.body;
  }

  /** The body as UTF-8; bytes that are none become U+FFFD. */
  get text(): string {
    return this.answer.body.toString("utf8");
  }

  /** Every value of a header field, in the order received. */
  headerValues(name: string): string[] {
    const wanted = name.toLowerCase();
    return this.answer.headers.filter(([field]) => field.toLowerCase() === wanted).map(([, value]) => value);
  }

  /** The value of a header field, several joined by `, ` (RFC 9110, 5.2); undefined when it was not sent. */
  header(name: string): string | undefined {
    const values = this.headerValues(name);
    return values.length === 0 ? undefined : values.join(", ");
  }

  /** The media type in lower case, without parameters; empty when none was sent. */
  get mediaType(): string {
    return (this.header("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  }

  /** The body as exactly one JSON text in UTF-8 without a byte order mark; throws an `Expectation` for anything else. */
  json(): unknown {
    let text: string;
    try {
      text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(this.body);
    } catch {
      throw new Expectation("body", "a body in UTF-8", `bytes that are not: ${excerpt(this.text)}`);
    }
    if (text.startsWith(BYTE_ORDER_MARK))
      throw new Expectation("body", "JSON without a byte order mark", excerpt(text));
    try {
      return JSON.parse(text);
    } catch {
      throw new Expectation("body", "one JSON text as the body", text === "" ? "an empty body" : excerpt(text));
    }
  }
}
