import { describe } from "../client/expect.ts";
import { type Aspect, Expectation } from "../client/expectation.ts";
import { excerpt, memberIn, type Reply } from "../client/reply.ts";
import { ABSENT, type GoldenResponse } from "./read.ts";
import type { Values } from "./values.ts";

/**
 * Compares a response with the hand-written ones: throws an `Expectation` for the first difference from the first of its status.
 */
export function match(reply: Reply, responses: readonly GoldenResponse[], values: Values): void {
  const [first, ...others] = responses.filter(({ status }) => status === reply.status);
  if (!first) fail("status", responses.map(shown).join(" or "), describe(reply));
  if (!others.some((one) => isMatch(reply, one, values))) matchOne(reply, first, values);
}

/** `422 invalid-input`, `201 application/json`. */
function shown({ status, headers, body }: GoldenResponse): string {
  const [, type = ""] = headers.find(([name]) => name === "Content-Type") ?? [];
  return `${status} ${codeOf({ body }) ?? type.split(";")[0]}`.trimEnd();
}

/** The code of an expected response; undefined for a success. */
export const codeOf = ({ body }: Pick<GoldenResponse, "body">): string | undefined =>
  /"code":"([\w-]+)"/.exec(body ?? "")?.[1];

function isMatch(reply: Reply, response: GoldenResponse, values: Values): boolean {
  try {
    matchOne(reply, response, values);
    return true;
  } catch (error) {
    if (error instanceof Expectation) return false;
    throw error;
  }
}

function matchOne(reply: Reply, response: GoldenResponse, values: Values): void {
  for (const [name, template] of response.headers) matchField(reply, name, template, values);
  const written = new Set(response.headers.map(([name]) => name.toLowerCase()));
  for (const name of ABSENT.filter((one) => !written.has(one.toLowerCase())))
    if (reply.header(name) !== undefined)
      fail(`header:${name.toLowerCase()}`, `no ${name}`, `${name}: ${reply.header(name)}`);
  if (response.body !== null) matchBody(reply, response.body, values);
}

function fail(aspect: Aspect, expected: string, actual: string): never {
  throw new Expectation(aspect, expected, actual);
}

const listOf = (value: string) =>
  value
    .split(",")
    .map((one) => one.trim())
    .sort();
const caseless = (value: string) => value.toLowerCase();

/** Normalizes equivalent spellings of a field (RFC 9110, 5.6, 8.3). */
const NORMAL: Readonly<Record<string, (value: string) => string>> = {
  Allow: (value) => listOf(value).join(),
  Vary: (value) => listOf(caseless(value)).join(),
  "Cache-Control": (value) => listOf(caseless(value)).join(),
  "Content-Type": (value) =>
    caseless(value)
      .replace(/\s*;\s*/g, ";")
      .replaceAll('"', ""),
  "WWW-Authenticate": (value) => caseless(value).replace(/ +/g, " "),
  "X-Content-Type-Options": caseless,
  "Referrer-Policy": caseless,
};

/** A preflight may allow further header fields (D15). */
function allowsMore(name: string, template: string, value: string): boolean {
  const allowed = listOf(caseless(value));
  return name === "Access-Control-Allow-Headers" && listOf(caseless(template)).every((one) => allowed.includes(one));
}

function matchField(reply: Reply, name: string, template: string, values: Values): void {
  const value = reply.header(name);
  const normal = NORMAL[name] ?? String;
  if (value !== undefined && (values.fits(normal(template), normal(value)) || allowsMore(name, template, value)))
    return;
  fail(
    `header:${name.toLowerCase()}`,
    `${name}: ${template}`,
    value === undefined ? "no such field" : `${name}: ${value}`,
  );
}

function matchBody(reply: Reply, template: string, values: Values): void {
  if (!template.startsWith('{"')) {
    if (!values.fits(template, reply.text)) fail("body", template, excerpt(reply.text));
    return;
  }
  const difference = differenceIn(JSON.parse(template), reply.json(), values, "");
  if (difference === null) return;
  const { at, expected, actual } = difference;
  // A response without a code is reported once, by the law for every problem.
  const saidBy = at === "/code" && memberIn(reply.body, "code") === null ? "errors/members" : null;
  throw new Expectation(at === "" ? "body" : `body:/${at.slice(1)}`, expected, actual, saidBy);
}

interface Difference {
  readonly at: string;
  readonly expected: string;
  readonly actual: string;
}

/** The first difference of a JSON value from its template: null if there is none. Lists have no order. */
function differenceIn(template: unknown, value: unknown, values: Values, at: string): Difference | null {
  const difference = { at, expected: JSON.stringify(template), actual: excerpt(JSON.stringify(value) ?? "nothing") };
  if (template === "{list}") return Array.isArray(value) ? null : difference;
  if (typeof template === "string")
    return typeof value === "string" && values.fits(template, value) ? null : difference;
  if (Array.isArray(template)) {
    if (!Array.isArray(value) || value.length !== template.length) return difference;
    const isThere = (one: unknown) => value.some((other) => differenceIn(one, other, values, at) === null);
    return template.every(isThere) ? null : difference;
  }
  if (typeof template !== "object" || template === null) return template === value ? null : difference;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return difference;
  return differenceInMembers(template, value, values, at);
}

/** A member whose name ends in `?` is optional; members that are not in the template are not allowed. */
function differenceInMembers(template: object, value: object, values: Values, at: string): Difference | null {
  const members = new Map<string, unknown>(Object.entries(value));
  for (const [written, one] of Object.entries(template)) {
    const name = written.replace(/\?$/, "");
    const other = members.get(name);
    if (!members.delete(name) && written === name)
      return { at: `${at}/${name}`, expected: JSON.stringify(one), actual: "no such member" };
    const difference = other === undefined ? null : differenceIn(one, other, values, `${at}/${name}`);
    if (difference) return difference;
  }
  const [more] = members.keys();
  return more === undefined ? null : { at: `${at}/${more}`, expected: "no such member", actual: "it is there" };
}
