import type { Request } from "../oracle/world.ts";

/** The values of a run that golden exchanges need. */
export interface ScenarioSource {
  readonly host: string;
  /** The beginning of every value that must be unique: no other scenario has it. */
  readonly mark: string;
  /** By placeholder: `base` (the origin), `platform`, `key`, `key expired`, `query` and `command` (names of operations). */
  readonly values: ReadonlyMap<string, string>;
}

/** A placeholder begins with a letter or a digit: braces in JSON, and in an e-mail address with `{|}`, do not. */
const PLACEHOLDER = /\{([A-Za-z0-9][^{}"\n]*)\}/;
const BYTE = /\{byte ([0-9A-F]{2})\}/;
/** Repeated until the text, or all header fields with what is between them, have so many bytes. */
const FILL = /\{(blank|\w) up to (\d+)\}/;
/**
 * Values that only a response has, by the first word of a placeholder: `{uuid}`, another one `{uuid 2}`, `{request-id but not mine}`.
 * One that is repeated in a scenario is the same each time, unless it is of `VARYING`.
 */
const SHOWN = new Map<string, string>(
  Object.entries({
    "request-id": "[A-Za-z0-9._-]{1,64}",
    text: "[^]+",
    problems: "https?://[^#]*",
    origin: "(?:,origin)?",
    parameters: "(?:;[^]*)?",
    prefix: "(?:/(?:[^/?#]+/)*)?",
    uuid: "[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}",
    time: "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?Z",
    cursor: "[^\\s<>&]+",
    etag: '[^"]+',
  }),
);
const VARYING = new Set(["text", "problems", "origin", "parameters", "prefix"]);

/** The pattern of a value that only a response has; undefined for any other placeholder. */
function patternOf(name: string): string | undefined {
  const [, word = "", other] = /^(\S+)(?: but not (.+)| \d)?$/.exec(name) ?? [];
  const pattern = SHOWN.get(word);
  return pattern !== undefined && other !== undefined ? `(?!${other}$)${pattern}` : pattern;
}

/** An address with so many characters; no label of its domain has more than 49. */
function addressOf(own: string, local?: string, whole?: string): string {
  const start = `${own.padEnd(Number(local), "a")}@`;
  if (whole === undefined) return `${start}example.com`;
  const labels = `${"d".repeat(49)}.`
    .repeat(6)
    .slice(0, Number(whole) - start.length - ".example.com".length - 1);
  return `${start}${labels}d.example.com`;
}

type Make = (values: Values, one?: string, two?: string) => string | undefined;
/** Values that a request has, by the form of a placeholder. */
const FORMS: readonly (readonly [form: RegExp, make: Make])[] = [
  [/^(\d+) × (.+)$/u, (_, times, text = "") => text.repeat(Number(times))],
  [/^(?:mark|local)$/, (values) => values.own()],
  [/^mark to (\d+)$/, (values, length) => values.of("mark").padEnd(Number(length), "m")],
  [/^email(?: \d)?$/, (values) => `${values.own()}@example.com`],
  [/^EMAIL$/, (values) => values.of("email").toUpperCase()],
  [
    /^email (\d+) before the @(?:, (\d+) in all)?$/,
    (values, ...sizes) => addressOf(values.own(), ...sizes),
  ],
  [
    /^(base|platform|query|command|key(?: \S+)?)$/,
    ({ source: { values } }, name = "") => values.get(name),
  ],
];
/** Those that are more than a value. */
const OTHERS = /^(?:\w+ up to \d+|byte [0-9A-F]{2}|list)$/;

const namesIn = (text: string) => text.split(PLACEHOLDER).filter((_, index) => index % 2 === 1);

/** The first placeholder of a text that is none; undefined if each is one. */
export const unknownIn = (text: string): string | undefined =>
  namesIn(text).find(
    (name) => !OTHERS.test(name) && !FORMS.some(([form]) => form.test(name)) && !patternOf(name),
  );

/** The kinds of other keys that a text has placeholders for. */
export const kindsIn = (text: string): readonly string[] => [
  ...new Set(namesIn(text).flatMap((name) => /^key (\S+)$/.exec(name)?.[1] ?? [])),
];

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");

/** The values of one scenario: its own, and those that its responses have shown. */
export class Values {
  private readonly known = new Map<string, string>();
  private issued = 0;

  constructor(readonly source: ScenarioSource) {}

  /** The next request as it is sent, each placeholder replaced by its value. */
  request({ method, target, fields, body, version }: Request): Request {
    // Each response has one of its own.
    this.known.delete("request-id");
    const own = [["Host", this.source.host] as const, ...fields];
    const bare = (value: string) => this.fill(value.replace(FILL, "")).length;
    const size = own.reduce(
      (sum, [name, value]) => sum + name.length + bare(value) + ": \r\n".length,
      0,
    );
    const filled = own.map(
      ([name, value]) => [name, this.fill(value, size - bare(value))] as const,
    );
    const bytes = body
      .split(BYTE)
      .map((part, at) => Buffer.from(at % 2 ? part : this.fill(part), at % 2 ? "hex" : "utf8"));
    const whole = Buffer.concat(bytes).toString("latin1");
    return {
      method,
      target: this.fill(target),
      fields: filled,
      body: whole,
      ...(version && { version }),
    };
  }

  /** A text with its values. `others`: the bytes in addition to it that count up to a limit. */
  fill(text: string, others = 0): string {
    const [placeholder = "\0", character = "", bytes = "0"] = FILL.exec(text) ?? [];
    const [start = "", end = ""] = text
      .split(placeholder)
      .map((one) => this.replaced(one, (name) => this.of(name)));
    const missing = Number(bytes) - others - Buffer.byteLength(start + end);
    return start + (character === "blank" ? " " : character).repeat(Math.max(0, missing)) + end;
  }

  /** Whether a text of a response is as written; what it shows is known afterwards. */
  fits(template: string, text: string): boolean {
    const isNew = (name: string) => !this.known.has(name) && patternOf(name) !== undefined;
    const sourceOf = (name: string) =>
      isNew(name) ? `(${patternOf(name)})` : escaped(this.of(name));
    const match = new RegExp(`^${this.replaced(template, sourceOf, escaped)}$`, "u").exec(text);
    for (const [index, name] of namesIn(template).filter(isNew).entries())
      if (match && !VARYING.has(name)) this.known.set(name, match[index + 1] ?? "");
    return match !== null;
  }

  /** A text with each placeholder replaced. */
  replaced(text: string, value: (name: string) => string, other = (part: string) => part): string {
    const parts = text.split(PLACEHOLDER);
    return parts.map((part, index) => (index % 2 === 0 ? other(part) : value(part))).join("");
  }

  /** The value of a placeholder; throws an `Error` if there is none. */
  of(name: string): string {
    const form = FORMS.find(([one]) => one.test(name));
    const value = this.known.get(name) ?? form?.[1](this, ...(form[0].exec(name) ?? []).slice(1));
    if (value === undefined) throw new Error(`there is no value for {${name}}`);
    this.known.set(name, value);
    return value;
  }

  /** A value of its own: before the @ of an address, or as a key. */
  own(): string {
    this.issued += 1;
    return `${this.source.mark}${this.issued}`;
  }
}
