import type { Contract, Operation } from "./contract.ts";
import type { DecisionPoints } from "./decision-points.ts";
import type { Key, ModelState, Request } from "./model-state.ts";
import { isObject } from "./schema.ts";

export const KEY = "X-API-KEY";
export const PLATFORM = "X-PLATFORM";
export const CREDENTIALS = [KEY, PLATFORM] as const;

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are ASCII too.
const ASCII = /^[\x00-\x7f]*$/;

/** Bytes (one character per byte) as UTF-8 text; null if they are invalid. */
export function utf8Of(bytes: string): string | null {
  if (ASCII.test(bytes)) return bytes;
  try {
    return utf8.decode(Buffer.from(bytes, "latin1"));
  } catch {
    return null;
  }
}

/** A path without its dot segments, as they are written (RFC 3986, 5.2.4). */
function withoutDotSegments(path: string): string {
  const output: string[] = [];
  const segments = path.split("/").slice(1);
  for (const [index, segment] of segments.entries()) {
    const dots = segment === "." || segment === "..";
    if (segment === "..") output.pop();
    if (!dots) output.push(segment);
    else if (index === segments.length - 1) output.push("");
  }
  return `/${output.join("/")}`;
}

/** A credential, by its place in the request; empty if it was not sent. */
export interface Credential {
  readonly header: string;
  readonly query: string;
  readonly value: string;
}

/**
 * A request, read as far as possible: an oracle without one of the rules continues with the rest,
 * as a server would.
 */
export class ParsedRequest {
  private readonly known = new Map<string, unknown>();

  constructor(
    readonly contract: Contract,
    readonly request: Request,
    readonly model: ModelState,
    readonly points: DecisionPoints,
  ) {}

  private once<Value>(name: string, read: () => Value): Value {
    if (!this.known.has(name)) this.known.set(name, read());
    return this.known.get(name) as Value; // Set by the same `read`, under a unique name.
  }

  get method(): string {
    return this.request.method;
  }

  get isPost(): boolean {
    return this.request.method === "POST";
  }

  get path(): string {
    return this.once("path", () => {
      const written =
        this.request.target.replace(/^https?:\/\/[^/?#]*/i, "").replace(/[?#].*$/s, "") || "/";
      return this.points.holds("dot segments are removed", true)
        ? withoutDotSegments(written)
        : written;
    });
  }

  /** Whether this is the endpoint. */
  get isApi(): boolean {
    return this.path === "/api/";
  }

  /** The text after the first `?`; null without one. */
  get search(): string | null {
    return /\?(.*)$/s.exec(this.request.target)?.[1] ?? null;
  }

  /** The values of a header field, without the blanks around them. */
  fields(name: string): readonly string[] {
    return this.once(`header ${name}`, () =>
      this.request.fields
        .filter(([field]) => this.points.field(`header ${name}`, field, name))
        .map(([, value]) => value.replace(/^[ \t]+|[ \t]+$/g, "")),
    );
  }

  /** The parameters of the query; null for a name or a value that cannot be decoded. */
  get pairs(): readonly (readonly [name: string | null, value: string | null])[] {
    return this.once("pairs", () =>
      (this.search ?? "")
        .split("&")
        .filter((pair) => pair !== "")
        .map((pair) => {
          const [, name = "", value = ""] = /^([^=]*)=?(.*)$/s.exec(pair) ?? [];
          return [this.decode(name), this.decode(value)] as const;
        }),
    );
  }

  private decode(text: string): string | null {
    const spaced = this.points.holds("+ is a space", true) ? text.replaceAll("+", " ") : text;
    if (/%(?![\da-f]{2})/i.test(spaced)) return null;
    return utf8Of(
      spaced.replace(/%([\da-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    );
  }

  /** The values of a parameter. */
  named(name: string): readonly string[] {
    return this.pairs
      .filter(([one]) => one !== null && this.points.parameter(`parameter ${name}`, one, name))
      .map(([, value]) => value ?? "");
  }

  /** The parameters that are neither `@` nor a credential. */
  get inputParameters(): readonly (readonly [string, string])[] {
    return this.pairs
      .map(([name, value]) => [name ?? "", value ?? ""] as const)
      .filter(
        ([name]) =>
          name !== "@" &&
          !CREDENTIALS.some((one) => this.points.parameter(`parameter ${one}`, name, one)),
      );
  }

  /** The JSON object of the body; null for anything else. */
  get json(): Readonly<Record<string, unknown>> | null {
    return this.once("json", () => {
      if (this.request.body === "") return null;
      try {
        const value: unknown = JSON.parse(utf8Of(this.request.body) ?? this.request.body);
        return isObject(value) ? value : null;
      } catch {
        return null;
      }
    });
  }

  /** The name of the operation: the member `@` of a POST, otherwise the parameter. */
  get name(): unknown {
    return this.once("name", () => (this.isPost ? this.json?.["@"] : this.named("@")[0]));
  }

  get operation(): Operation | null {
    return this.once("operation", () => {
      const { name, points } = this;
      if (typeof name !== "string" || !this.isApi) return null;
      const all = Object.values(this.contract.operations);
      const called = (operation: Operation) =>
        operation.pattern === null
          ? points.same("the name of an operation", name, operation.name)
          : points.form(
              "the name of a template operation",
              name,
              new RegExp(operation.pattern, "u"),
            );
      // Exact names first: a server that compares loosely knows them too.
      const exact = all.find((operation) =>
        operation.pattern === null
          ? operation.name === name
          : new RegExp(operation.pattern, "u").test(name),
      );
      return exact && called(exact)
        ? exact
        : (all.find((one) => one !== exact && called(one)) ?? null);
    });
  }

  credential(name: string): Credential {
    return this.once(name, () => {
      const { points } = this;
      const inHeader = points.holds(`${name} is read from the header`, true)
        ? this.fields(name)
        : [];
      const inQuery = points.holds(`${name} is read from the query`, true) ? this.named(name) : [];
      const header = inHeader[0] ?? "";
      const query = inQuery[0] ?? "";
      return { header, query, value: header || query || this.elsewhere(name) };
    });
  }

  /** A credential in a wrong place: a wrong server reads these as well. */
  private elsewhere(name: string): string {
    for (const [place, look] of Object.entries(PLACES))
      if (this.points.holds(`${name} in ${place}`, false)) return look(this, name) ?? "";
    return "";
  }

  /** The key of the request, as the deployment knows it; null if it is unknown. */
  get key(): Key | null {
    return this.once("the key", () => {
      const { value } = this.credential(KEY);
      for (const [text, key] of this.model.keys)
        if (this.points.same("the key", value, text)) return key;
      return null;
    });
  }

  /** The text of the recognized key: idempotency keys belong to it. */
  get apiKey(): string {
    return this.credential(KEY).value;
  }

  /** The member `data`, if it is an object. */
  get data(): Readonly<Record<string, unknown>> | null {
    return isObject(this.json?.data) ? this.json.data : null;
  }
}

const OTHER_NAMES = [
  "API-KEY",
  "ApiKey",
  "X-Auth-Token",
  "X-Access-Token",
  "X-API-TOKEN",
  "Platform",
  "X-Client-Platform",
];
const text = (value: unknown) => (typeof value === "string" ? value : undefined);

const PLACES: Readonly<
  Record<string, (reading: ParsedRequest, name: string) => string | undefined>
> = {
  Authorization: (r) => r.fields("Authorization")[0]?.replace(/^\S+ /, ""),
  "Authorization, whole": (r) => r.fields("Authorization")[0],
  "Basic credentials": (r) =>
    Buffer.from(r.fields("Authorization")[0]?.replace(/^Basic /, "") ?? "", "base64")
      .toString()
      .split(":")
      .find((part) => part.length > 3),
  "Proxy-Authorization": (r) => r.fields("Proxy-Authorization")[0]?.replace(/^\S+ /, ""),
  Cookie: (r, name) => new RegExp(`${name}=([^;]+)`, "i").exec(r.fields("Cookie")[0] ?? "")?.[1],
  "another header": (r, name) =>
    OTHER_NAMES.filter((one) => /plat/i.test(one) === (name === PLATFORM)).flatMap((header) =>
      r.fields(header),
    )[0],
  "a client hint": (r) => r.fields("Sec-CH-UA-Platform")[0]?.replaceAll('"', ""),
  "the body": (r, name) => text(r.json?.[name]) ?? text(r.data?.[name]),
  "a form": (r, name) => new URLSearchParams(r.request.body).get(name) ?? undefined,
};
