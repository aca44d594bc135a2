import { addressOf, shownBy } from "./shown.ts";

/** Values that differ by run: the placeholders of golden exchanges. */

/** Provides the values of one run. */
export interface Source {
  /** The base address of the deployment. */
  readonly base: string;
  readonly platform: string;
  /** A key of the run by its name: `key` is the one with every scope, the others are named as in the credentials file. */
  readonly keyOf: (name: string) => string | undefined;
  /** An unused address that the run counts; `shape` builds it around its local part. */
  readonly email: (shape: (local: string) => string) => string;
}

/** A placeholder begins with a letter or a digit: braces in JSON, and in an e-mail address with `{|}`, do not. */
const PLACEHOLDER = /\{([A-Za-z0-9][^{}"\n]*)\}/;
const REPEAT = /^(\d+) × (.+)$/u;
/** Repeats one character until the part has this many bytes. */
const FILL = /\{(blank|\w) up to (\d+)\}/;
/** A text of this many characters that no other scenario has. */
const MARK = /^mark to (\d+)$/;
const ADDRESS = /^email (\d+) before the @(?:, (\d+) in all)?$/;
const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");

/** The values of one scenario: its inputs, and those read from its responses. */
export class Values {
  private readonly known = new Map<string, string>();

  constructor(private readonly source: Source) {}

  /** Each response has its own request id. */
  begin(): void {
    this.known.delete("request-id");
  }

  /** A text of a request, each placeholder replaced by its value. */
  fill(text: string): string {
    const whole = this.parts(text.replace(FILL, "\0"))
      .map(([part, name]) => (name === null ? part : this.valueOf(name)))
      .join("");
    const [, character = "", bytes = "0"] = FILL.exec(text) ?? [];
    const missing = Number(bytes) - Buffer.byteLength(whole) + 1;
    return whole.replace("\0", () => (character === "blank" ? " " : character).repeat(Math.max(0, missing)));
  }

  /** Whether a text of a response matches its template; its values are known afterwards. */
  fits(template: string, text: string): boolean {
    const parts = this.parts(template);
    const source = parts.map(([part, name]) => (name === null ? escaped(part) : this.patternOf(name))).join("");
    const match = new RegExp(`^${source}$`, "u").exec(text);
    const shown = parts.flatMap(([, name]) => (name !== null && this.isShown(name) ? [name] : []));
    if (match)
      for (const [index, name] of shown.entries())
        if (shownBy(name)?.kept) this.known.set(name, match[index + 1] ?? "");
    return match !== null;
  }

  /** An example of a text that matches the template. */
  sample(template: string): string {
    return this.parts(template)
      .map(([part, name]) => {
        if (name === null) return part;
        const { sample = "", kept = false } = shownBy(name) ?? {};
        if (!this.isShown(name)) return this.valueOf(name);
        if (kept) this.known.set(name, sample);
        return sample;
      })
      .join("");
  }

  /** The text between placeholders, and their names. */
  private parts(text: string): (readonly [part: string, name: string | null])[] {
    return text.split(PLACEHOLDER).map((part, index) => [part, index % 2 === 0 ? null : part] as const);
  }

  /** Whether only a response has the value. */
  private isShown(name: string): boolean {
    return !this.known.has(name) && shownBy(name) !== undefined;
  }

  private patternOf(name: string): string {
    return this.isShown(name) ? `(${shownBy(name)?.source})` : escaped(this.valueOf(name));
  }

  private valueOf(name: string): string {
    const known = this.known.get(name) ?? this.make(name);
    this.known.set(name, known);
    return known;
  }

  private make(name: string): string {
    const { base, platform, keyOf, email } = this.source;
    const [, times, text = ""] = REPEAT.exec(name) ?? [];
    if (times !== undefined) return text.repeat(Number(times));
    const [, local, whole] = ADDRESS.exec(name) ?? [];
    if (local !== undefined)
      return email((own) => addressOf(own, Number(local), whole === undefined ? null : Number(whole)));
    const [, length] = MARK.exec(name) ?? [];
    if (length !== undefined) return this.valueOf("mark").padEnd(Number(length), "m");
    if (name === "mark") return this.own();
    if (name === "base") return base;
    if (name === "platform") return platform;
    if (/^email( \d)?$/.test(name)) return email((own) => `${own}@example.com`);
    if (name === "EMAIL") return this.valueOf("email").toUpperCase();
    const key = keyOf(name);
    if (key === undefined) throw new Error(`there is no value for {${name}}`);
    return key;
  }

  /** The local part of a new address. */
  private own(): string {
    let local = "";
    this.source.email((own) => {
      local = own;
      return `${own}@example.com`;
    });
    return local;
  }

  /** Registers an address that a body builds around `{local}` with the run. */
  register(body: string): void {
    if (!body.includes("{local}")) return;
    this.source.email((own) => {
      this.known.set("local", own);
      return String(Object(Object(JSON.parse(this.fill(body))).data).email);
    });
  }
}
