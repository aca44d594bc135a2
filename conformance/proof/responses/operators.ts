import { packaged } from "../../packaged.ts";
import type { Aspect } from "../mutant.ts";
import { header, isObject, type JsonObject, jsonAnswer, textOf } from "../proxy/look.ts";
import type { ProxyAnswer, ProxyRequest } from "../proxy/message.ts";
import { withAddedHeader, withBody, withHeader, withJson, withoutHeader, withStatus } from "../proxy/shape.ts";

/** Changes that a mutant makes to a response. */

/** The changed response; the same object if nothing changes. */
export interface Operator {
  readonly name: string;
  /** What it gets wrong: a finding about anything else has not found it. */
  readonly breaks: readonly Aspect[];
  readonly change: (answer: ProxyAnswer, request: ProxyRequest) => ProxyAnswer;
}

const operator = (name: string, breaks: readonly Aspect[], change: Operator["change"]): Operator => ({
  name,
  breaks,
  change,
});

export const answersStatus = (status: number): Operator =>
  operator(`answers ${status}`, ["status"], (answer) => withStatus(answer, status));

const headerAspect = (name: string): Aspect => `header:${name.toLowerCase()}`;

export const dropsHeader = (name: string): Operator =>
  operator(`drops ${name}`, [headerAspect(name)], (answer) =>
    header(answer, name) === null ? answer : withoutHeader(answer, name),
  );

/** If the field is present: another value. */
export const alters = (name: string, what: string, change: (value: string) => string): Operator =>
  operator(`${what} ${name}`, [headerAspect(name)], (answer) => {
    const value = header(answer, name);
    return value === null || change(value) === value ? answer : withHeader(answer, name, change(value));
  });

/** Adds a second field with the name: with the same value, or another. */
export const repeatsHeader = (name: string, other?: string): Operator =>
  operator(`repeats ${name}${other === undefined ? "" : " with another value"}`, [headerAspect(name)], (answer) => {
    const value = header(answer, name);
    return value === null ? answer : withAddedHeader(answer, name, other ?? value);
  });

/** Whether or not the field is present. */
export const setsHeader = (name: string, value: string): Operator =>
  operator(`sets ${name}: ${value}`, [headerAspect(name)], (answer) => withHeader(answer, name, value));

export const GONE = Symbol("gone");
/** The changed value; `GONE` to remove it. */
type Change = (value: unknown) => unknown;

export function changed(value: unknown, [step, ...rest]: readonly string[], change: Change): unknown {
  if (step === undefined) return change(value);
  if (step === "*") return Array.isArray(value) ? value.map((each) => changed(each, rest, change)) : value;
  if (!isObject(value) || !(step in value)) return value;
  const member = changed(value[step], rest, change);
  const { [step]: _old, ...others } = value;
  return member === GONE ? others : { ...value, [step]: member };
}

/** Changes the value at a pointer (`/items/*\/id`, empty for the whole) of a JSON body, wherever it exists. */
export function atPointer(name: string, pointer: string, change: Change, breaks?: readonly Aspect[]): Operator {
  const aspect: Aspect = pointer === "" ? "body" : `body:/${pointer.slice(1)}`;
  return operator(`${name} ${pointer === "" ? "the body" : pointer}`, breaks ?? [aspect], (answer) => {
    const json = jsonAnswer(answer);
    if (!json) return answer;
    const after = changed(json, pointer.split("/").slice(1), change);
    return JSON.stringify(after) === JSON.stringify(json) ? answer : withBody(answer, JSON.stringify(after));
  });
}

export const drops = (pointer: string): Operator => atPointer("drops", pointer, () => GONE);
export const nulls = (pointer: string): Operator => atPointer("nulls", pointer, () => null);

/** The same with another JSON type. */
export const retypes = (pointer: string): Operator =>
  atPointer("retypes", pointer, (value) => {
    if (typeof value === "string") return [value];
    if (typeof value === "object") return Array.isArray(value) ? { ...value } : Object.values(value ?? {});
    return String(value);
  });

export const renames = (pointer: string): Operator => {
  const at = pointer.lastIndexOf("/");
  const [parent, member] = [pointer.slice(0, at), pointer.slice(at + 1)];
  return atPointer(
    `renames ${member} in`,
    parent,
    (value) => {
      if (!isObject(value) || !(member in value)) return value;
      const { [member]: old, ...rest } = value;
      return { ...rest, [`${member}_`]: old };
    },
    [`body:/${pointer.slice(1)}`, `body:/${pointer.slice(1)}_`],
  );
};

export const adds = (pointer: string): Operator =>
  atPointer("adds a member to", pointer, (value) => (isObject(value) ? { ...value, extra: "more" } : value), [
    `body:/${pointer === "" ? "" : `${pointer.slice(1)}/`}extra`,
  ]);

/** A problem with another code of the contract, its status unchanged. */
export const saysCode = (code: string): Operator =>
  operator(`says ${code}`, ["body:/code", "body:/type"], (answer) =>
    withJson(answer, (problem) => coded(problem, code)),
  );

const coded = (problem: JsonObject, code: string): JsonObject => ({
  ...problem,
  type: String(problem.type).replace(/#.*/, `#${code}`),
  title: packaged.oracle.contract.problems[code]?.title,
  code,
});

export const onBody = (
  name: string,
  change: (body: Buffer) => Buffer,
  breaks: readonly Aspect[] = ["body"],
): Operator =>
  operator(name, breaks, (answer) => {
    const body = Buffer.from(textOf(answer));
    const changed = body.length === 0 ? body : change(body);
    // Not every body can be broken in every way: one of numbers only is the same in any charset.
    return changed.equals(body) ? answer : withBody(answer, changed);
  });

/** Defects of any JSON body as a whole. */
export const wholeBody: readonly Operator[] = [
  onBody("answers nothing", () => Buffer.alloc(0)),
  onBody("answers twice", (body) => Buffer.concat([body, body])),
  onBody("cuts the end", (body) => body.subarray(0, -2)),
  onBody("puts a byte order mark before", (body) => Buffer.concat([Buffer.from("\uFEFF"), body])),
  onBody("puts a NUL behind", (body) => Buffer.concat([body, Buffer.alloc(1)])),
  onBody("guards", (body) => Buffer.from(`)]}',\n${body}`)),
  onBody("wraps in a list", (body) => Buffer.from(`[${body}]`)),
  onBody("wraps in data", (body) => Buffer.from(`{"data":${body}}`)),
  onBody("wraps beside a flag", (body) => Buffer.from(`{"success":true,"result":${body}}`)),
  onBody("answers a JSON string of", (body) => Buffer.from(JSON.stringify(body.toString()))),
  onBody("answers in UTF-16", (body) => Buffer.from(body.toString(), "utf16le")),
  onBody("answers in Latin-1", (body) => Buffer.from(`${body}`.replace(/"(?=[,}])/, '\u00ff"'), "latin1")),
];

/** Defects of any text. */
export const wholeText: readonly Operator[] = [
  onBody("answers nothing", () => Buffer.alloc(0)),
  onBody("cuts the last half", (body) => body.subarray(0, body.length / 2)),
  onBody("puts a byte order mark before", (body) => Buffer.concat([Buffer.from("\uFEFF"), body])),
];
