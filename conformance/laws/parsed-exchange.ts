import { createHash } from "node:crypto";
import { TextDecoder } from "node:util";
import type { Difference, Exchange, Response } from "../exchange.ts";
import { decodedFrom } from "../http/coding.ts";
import type { Contract, Operation } from "../oracle/contract.ts";
import { DecisionPoints } from "../oracle/decision-points.ts";
import type { ModelState, Request } from "../oracle/model-state.ts";
import { ParsedRequest } from "../oracle/parsed-request.ts";
import { isObject } from "../oracle/schema.ts";
import { differs, excerpt, type Part } from "./difference.ts";

/** A request is read without what a deployment holds. */
const NOWHERE: ModelState = {
  keys: new Map(),
  platforms: [],
  files: new Set(),
  names: new Map(),
  records: new Map(),
  cursors: new Map(),
  tags: new Map(),
  created: new Map(),
  taken: new Map(),
};
const RIGHT = new DecisionPoints();

/** Longer texts are remembered by their hash. */
const MOST_REMEMBERED = 2000;

export const print = (text: string): string =>
  text.length <= MOST_REMEMBERED
    ? text
    : `${text.length} characters with the hash ` +
      `${createHash("sha256").update(text).digest("hex").slice(0, 16)}`;

/** Null for an unknown charset. */
function decoderOf(charset: string): TextDecoder | null {
  if (/^utf-?8$/i.test(charset)) return null;
  try {
    return new TextDecoder(charset, { ignoreBOM: true });
  } catch {
    return null;
  }
}

/** What laws read of an exchange with a response, each part worked out when it is first read. */
export class ParsedExchange {
  private readonly known = new Map<string, unknown>();
  readonly request: Request;
  readonly status: number;
  /** Whether what was sent is one readable request. */
  readonly isPredicted: boolean;
  /** The operation that is called; null if none is, or not as far as the request was read. */
  readonly operation: Operation | null;
  readonly isHead: boolean;
  /** CONNECT is for proxies: a server may close the connection with a response of any form. */
  readonly isConnect: boolean;

  constructor(
    readonly contract: Contract,
    readonly exchange: Exchange,
    readonly response: Response,
  ) {
    const { request, prediction } = exchange;
    this.request = request;
    this.status = response.status;
    this.isPredicted = prediction !== null;
    this.operation = prediction?.operation ?? null;
    this.isHead = request.method === "HEAD";
    this.isConnect = request.method === "CONNECT";
  }

  /** What is read at most once; `name`: unique. */
  once<Value>(name: string, read: () => Value): Value {
    if (!this.known.has(name)) this.known.set(name, read());
    return this.known.get(name) as Value; // Set by the same `read`, under a unique name.
  }

  get reading(): ParsedRequest {
    return this.once(
      "reading",
      () => new ParsedRequest(this.contract, this.request, NOWHERE, RIGHT),
    );
  }

  /** What a success represents: the name used to call the operation, or the path. */
  get place(): string {
    return this.operation ? String(this.reading.name) : this.reading.path;
  }

  /** Every value of a header field, in the order received. */
  values(name: string): readonly string[] {
    const wanted = name.toLowerCase();
    return this.response.fields.flatMap(([field, value]) =>
      field.toLowerCase() === wanted ? [value] : [],
    );
  }

  /**
   * The value of a header field, several joined by `, ` (RFC 9110, 5.2); undefined if it was not
   * sent.
   */
  header(name: string): string | undefined {
    const values = this.values(name);
    return values.length === 0 ? undefined : values.join(", ");
  }

  /** The members of a list such as `Vary`, in lower case. */
  listed(name: string): ReadonlySet<string> {
    const all = (this.header(name) ?? "").split(",").map((one) => one.trim().toLowerCase());
    return new Set(all.filter((one) => one !== ""));
  }

  /** The values of a header field of the request. */
  sent(name: string): readonly string[] {
    return this.reading.fields(name);
  }

  /** The media type in lower case, without parameters; empty when none was sent. */
  get mediaType(): string {
    return (this.header("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  }

  /** The content coding in lower case; `identity` if there is none. */
  get coding(): string {
    return (this.header("content-encoding") ?? "identity").trim().toLowerCase();
  }

  /** The body without its content coding; null if it is not in that coding, or too long. */
  get decoded(): Buffer | null {
    return this.once("decoded", () => decodedFrom(this.coding, this.response.body));
  }

  /** The decoded body, or the bytes as sent where they cannot be decoded. */
  get content(): Buffer {
    return this.decoded ?? this.response.body;
  }

  /** The content as UTF-8, of a text in its own charset; invalid bytes become U+FFFD. */
  get text(): string {
    return this.once("text", () => {
      const [, charset = "utf-8"] =
        /^text\/[^;]*;\s*charset="?([^";\s]+)/i.exec(this.header("content-type") ?? "") ?? [];
      return decoderOf(charset)?.decode(this.content) ?? this.content.toString();
    });
  }

  /** The content, or its hash if it is long, to compare it with others. */
  get print(): string {
    return this.once("print", () => print(this.text));
  }

  /** The JSON value of the content; undefined if it is no JSON text, or one with too much in it. */
  get json(): unknown {
    return this.response.json;
  }

  /** The JSON object of the content; null for anything else. */
  get object(): Readonly<Record<string, unknown>> | null {
    return isObject(this.json) ? this.json : null;
  }

  /** A text that is a member of the JSON object; null for anything else. */
  member(name: string): string | null {
    const value = this.object?.[name];
    return typeof value === "string" ? value : null;
  }

  /** The reason phrase and the header fields. */
  get head(): readonly Part[] {
    return this.once("head", () => [
      ["status", this.response.reason] as const,
      ...this.response.fields.map(
        ([name, value]) => [`header:${name.toLowerCase()}`, `${name}: ${value}`] as const,
      ),
    ]);
  }

  /** The head and the content. */
  get parts(): readonly Part[] {
    return [...this.head, ["body", this.text]];
  }

  /** A header field that is not as expected. */
  headerDifference(name: string, expected: string): Difference {
    return differs(`header:${name.toLowerCase()}`, expected, this.header(name) ?? "none");
  }

  /** `200 application/json {"status":…`, for a finding. */
  get shown(): string {
    return `${this.status} ${this.mediaType || "without a media type"} ${excerpt(this.text)}`;
  }
}

/** Parses an exchange; null without a response. */
export type ExchangeParser = (exchange: Exchange) => ParsedExchange | null;

/**
 * Views that are shared by all that compare and check the exchanges of a suite: each exchange is
 * read once.
 */
export function exchangeParserFor(contract: Contract): ExchangeParser {
  const known = new WeakMap<Exchange, ParsedExchange>();
  return (exchange) => {
    if (!exchange.response) return null;
    const parsed = known.get(exchange) ?? new ParsedExchange(contract, exchange, exchange.response);
    known.set(exchange, parsed);
    return parsed;
  };
}
