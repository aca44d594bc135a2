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

/** As many as a JSON text has members, written once or more. */
const colons = (text: string) => text.replace(/"(?:[^"\\]|\\.)*"/g, "").split(":").length - 1;

/** An answer as a check reads it. */
export class Reply {
  constructor(
    readonly exchange: Exchange,
    private readonly received: Answer,
    /** Told whenever a check looks at it: what was looked at last is what a finding is about. */
    private readonly onRead: (exchange: Exchange) => void = () => {},
    private readonly saysNo: (body: Buffer) => boolean = () => false,
  ) {}

  private get answer(): Answer {
    this.onRead(this.exchange);
    return this.received;
  }

  get status(): number {
    return this.answer.status;
  }

  /** Refused = not 2xx, or a no in the body of a deployment that says it there. */
  get refused(): boolean {
    return this.status < 200 || this.status >= 300 || this.saysNo(this.body);
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

  /** Whether an object of the JSON body has a name twice: parsers keep one of the two, and not all the same. */
  get repeatsName(): boolean {
    return colons(this.text) > colons(JSON.stringify(this.json()));
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
