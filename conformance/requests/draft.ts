import type { Operation } from "../oracle/contract.ts";
import type { Request } from "../oracle/model-state.ts";

/**
 * A request before it is written. A row of a table changes parts of it; `written` makes the
 * request.
 */

export type Pair = readonly [name: string, value: string];

/**
 * Who sends: nothing of it is in the name of a row, so a case has the same id for every deployment
 * and every key.
 */
export interface Caller {
  readonly host: string;
  readonly key: string;
  readonly platform: string;
  /** Other keys of the run, by their kind: `expired`. */
  readonly others: Readonly<Record<string, { readonly key: string; readonly platform: string }>>;
  /** A word that no deployment knows. */
  readonly canary: string;
}

export interface Draft {
  readonly operation: Operation;
  /** The input of the plain call. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly caller: Caller;
  method: string;
  path: string;
  version: "1.0" | "1.1";
  /** Parameters as they are written in the target. */
  query: string[];
  fields: Pair[];
  /**
   * Members of the body, and of its `data`; each value is JSON text. `data` null: none. `members`
   * null: no body.
   */
  members: Pair[] | null;
  data: Pair[] | null;
  /** Applied to the bytes of the body (one character per byte), then to the whole request. */
  readonly bytes: ((body: string) => string)[];
  readonly whole: ((request: Request) => Request)[];
}

export type Change = (draft: Draft) => void;

/** The requirement that a row is sent for, by the code of its rejection; `accepted`: none. */
export type Targets = Readonly<Record<string, string>>;

/**
 * A row of a table: one way in which a request differs from the plain call. Two rows of one part
 * are not combined.
 */
export interface Mutation {
  /** Unique among the rows of an operation. */
  readonly name: string;
  readonly dimension: string;
  /** It says nothing about the response: what is right, the oracle says. */
  readonly apply: Change;
  /** Where the rule that decides its response says less. */
  readonly targets?: Targets;
  /** For queries or commands only. */
  readonly only?: "GET" | "POST";
  /** Sent as it is even if a command is carried out. */
  readonly creates?: true;
  /**
   * Every run sends it, whatever the points of the oracle need: laws read it, or servers of
   * different kinds differ about it.
   */
  readonly always?: true;
  /** It leaves out an optional member: every run sends it to each operation. */
  readonly optional?: true;
  /** The kind of the other key that it takes. */
  readonly needs?: string;
}

export type Options = Omit<Mutation, "dimension" | "name" | "apply">;

/**
 * A row of a table: `part` is what it changes (`input text`), `name` is unique among the rows of
 * its operation, and `apply` changes the draft of the plain call.
 */
export const mutation = (
  part: string,
  name: string,
  apply: Change,
  options: Options = {},
): Mutation => ({
  dimension: part,
  name,
  apply,
  ...options,
});

export const words = (text: string): readonly string[] => text.split(" ");

/** UTF-8, one character per byte. */
export const utf8 = (text: string): string => Buffer.from(text).toString("latin1");

/**
 * A text as a parameter has it; what is no text in Unicode becomes U+FFFD, since it cannot be
 * escaped.
 */
export const escaped = (text: string): string =>
  encodeURIComponent(text.replace(/\p{Cs}/gu, "\ufffd")).replaceAll("'", "%27");
export const pair = (name: string, value: string): string =>
  `${name === "@" ? "@" : escaped(name)}=${escaped(value)}`;
/** The name of a parameter as it is written. */
export const nameIn = (written: string): string =>
  written.replace(/=.*$/s, "").replaceAll("%40", "@");

/** A text in the name of a row: on one line, of printable ASCII, and short. */
export function shown(text: string): string {
  const [first = ""] = text;
  const many = /^(.)\1{15,}/su.exec(text)?.[0] ?? "";
  const rest = text.slice(many.length);
  const start = many === "" ? "" : `${shown(first)}*${[...many].length}`;
  const end = rest.length > 60 ? `${rest.slice(0, 20)}...${rest.length}` : rest;
  return (
    start +
    end
      .replace(/(?<=^| )\+(?= |$)/g, "\\u002b")
      .replace(/[^ -~]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`)
  );
}

/** Replaces a field, whatever the case of its name; several values are several lines. */
export function setField(draft: Draft, name: string, values: readonly string[], as = name): void {
  const otherFields = draft.fields.filter(([one]) => one.toLowerCase() !== name.toLowerCase());
  draft.fields = [...otherFields, ...values.map((value) => [as, value] as const)];
}

export const addField = (draft: Draft, name: string, value: string): void =>
  void draft.fields.push([name, value]);

/** A row for each of these values of a field. */
export const field = (
  name: string,
  values: readonly (string | readonly string[])[],
  options: Options | ((value: string) => Options) = {},
): readonly Mutation[] =>
  values.map((value) => {
    const lines = [value].flat();
    const what = lines.length === 0 ? "none" : lines.map(shown).join(" | ");
    const apply: Change = (draft) => setField(draft, name, lines);
    const chosen = typeof options === "function" ? options(lines.join(", ")) : options;
    return mutation(name, `${name}: ${what}`, apply, chosen);
  });

/** A row for each of these texts, behind the other parameters. */
export const parameter = (
  part: string,
  texts: readonly string[],
  options: Options = {},
): readonly Mutation[] =>
  texts.map((text) =>
    mutation(part, `${part} ?${shown(text)}`, (draft) => void draft.query.push(text), options),
  );

/** Replaces a parameter; null: it is left out. */
export function setParameter(draft: Draft, name: string, value: string | null): void {
  const otherParameters = draft.query.filter((one) => nameIn(one) !== name);
  draft.query = value === null ? otherParameters : [...otherParameters, pair(name, value)];
}

export const asText = (value: unknown) => (Array.isArray(value) ? value.join(",") : String(value));

/** The name that calls an operation: the parts of a template come from its input. */
export const operationNameFor = ({ name, parts }: Operation, input: Draft["input"]): string =>
  parts.reduce((text, part) => text.replace(`{${part}}`, () => String(input[part])), name);

/** The plain call of an operation. */
export function plain(operation: Operation, values: Draft["input"], caller: Caller): Draft {
  // Members may be named as what every object has.
  const input: Draft["input"] = Object.assign(Object.create(null), values);
  const isCommand = operation.method === "POST";
  const name = operationNameFor(operation, input);
  const members = Object.entries(input).filter(([member]) => !operation.parts.includes(member));
  const credentials: Pair[] = [
    ["X-API-KEY", caller.key],
    ["X-PLATFORM", caller.platform],
  ];
  return {
    operation,
    input,
    caller,
    path: "/api/",
    version: "1.1",
    bytes: [],
    whole: [],
    method: operation.method,
    query: isCommand
      ? []
      : [pair("@", name), ...members.map(([member, value]) => pair(member, asText(value)))],
    fields: [
      ["Host", caller.host],
      ...(operation.auth && caller.key !== "" ? credentials : []),
      ...(isCommand ? [["Content-Type", "application/json"] as const] : []),
    ],
    members: isCommand ? [["@", JSON.stringify(name)]] : null,
    data: isCommand ? members.map(([member, value]) => [member, JSON.stringify(value)]) : null,
  };
}

const object = (members: readonly Pair[]) =>
  `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(",")}}`;

export function written({
  method,
  path,
  version,
  query,
  fields,
  members,
  data,
  bytes,
  whole,
}: Draft): Request {
  const text =
    members && utf8(object([...members, ...(data ? [["data", object(data)] as const] : [])]));
  const target = path + (query.length > 0 ? `?${query.join("&")}` : "");
  const body = bytes.reduce((all, change) => change(all), text ?? "");
  return whole.reduce((request: Request, change) => change(request), {
    method,
    target,
    fields,
    body,
    version,
  });
}
