import { contract } from "../contract.ts";
import type { Schema } from "../oracle/contract.ts";
import { Points } from "../oracle/points.ts";
import { type Fault, faultsOf } from "../oracle/schema.ts";
import { type Aspect, Expectation } from "./expectation.ts";
import { operationById } from "./operation.ts";
import { excerpt, memberIn, type Reply } from "./reply.ts";

/** The members of a problem besides its code, as far as they are known. */
export interface Refusal {
  readonly detail: string;
  readonly errors: readonly { readonly pointer?: string; readonly parameter?: string; readonly detail: string }[];
}

/** Reports that the requirement is not met. `by` is the response that shows it, if it is not the one read last. */
export function fail(aspect: Aspect, expected: string, actual: string, by?: Reply): never {
  throw new Expectation(aspect, expected, actual, null, by?.exchange);
}

/** `200 application/json {"status":…`, for a failure's `actual`; `at`: the place in the body to show. */
export function describe(reply: Reply, at = 0): string {
  return `${reply.status} ${reply.mediaType || "without a media type"} ${excerpt(reply.text, at)}`;
}

export function expectStatus(reply: Reply, ...statuses: readonly number[]): void {
  if (!statuses.includes(reply.status)) fail("status", `status ${statuses.join(" or ")}`, describe(reply), reply);
}

/** An operation's own documented success: status, `application/json` and a body without undocumented members. Returns the body. */
export function expectSuccess(reply: Reply, id: string): unknown {
  const schema = expectDocumented(reply, id, "application/json");
  const body = reply.json();
  expectValid(schema, body, id, reply);
  return body;
}

/** The same for `text/markdown`, `text/plain` or `text/html`. Returns the text. */
export function expectText(reply: Reply, id: string, mediaType: string): string {
  expectValid(expectDocumented(reply, id, mediaType), reply.text, id, reply);
  return reply.text;
}

function expectDocumented(reply: Reply, id: string, mediaType: string): Schema {
  withBody(reply);
  const successes = operationById(id).responses.filter(({ status }) => status < 300);
  const documented = successes.find((one) => one.status === reply.status && one.mediaType === mediaType);
  const expected = `${[...new Set(successes.map(({ status }) => status))].join(" or ")} ${mediaType}`;
  if (!successes.some(({ status }) => status === reply.status)) fail("status", expected, describe(reply), reply);
  if (!documented || reply.mediaType !== mediaType) fail("header:content-type", expected, describe(reply), reply);
  return documented.schema;
}

/** A fault of the check, not of the target. */
function withBody(reply: Reply): void {
  if (reply.exchange.request.method === "HEAD") throw new Error("an answer to HEAD has no body: use expectStatus");
}

/** The location of a fault; of an undocumented member, its own. */
function aspectOf({ place, strangers: [stranger] = [] }: Fault): Aspect {
  const pointer = decodeURI(stranger === undefined ? place : `${place}/${stranger}`).replace(/\/\d+(?=\/|$)/g, "/*");
  return pointer === "#" ? "body" : `body:/${pointer.slice(2)}`;
}

/** A fault as text: `#/items/0/id pattern`, `# has host, which is not documented`. */
const faultText = ({ place, rule, strangers }: Fault) =>
  `${place} ${strangers ? `has ${strangers.join(", ")}, which is not documented` : rule.split(" ").at(-1)}`;

/** Expects that a body is valid for the schema of a response, without undocumented members. */
function expectValid(schema: Schema, body: unknown, id: string, reply: Reply): void {
  const [first, ...more] = responseFaults(schema, body, id);
  if (!first) return;
  const found = [first, ...more].slice(0, 3).map(faultText).join("; ");
  const expected = `an answer of ${id} as documented`;
  fail(aspectOf(first), expected, `${found} in ${excerpt(JSON.stringify(body) ?? "nothing")}`, reply);
}

const RIGHT = new Points();

/** The faults in the body of a response, undocumented members last; empty if it is as documented. */
function responseFaults(schema: Schema, body: unknown, id: string): readonly Fault[] {
  const context = { contract, operation: operationById(id), at: RIGHT };
  const faults = faultsOf(context, schema, body, { member: "", place: "#" });
  return faults.toSorted((one, other) => Number("strangers" in one) - Number("strangers" in other));
}

/**
 * Expects a rejection with this status and code. Other rules of problems are not checked here: the checks of `errors/` see every
 * response of a run, and one fault is reported under one requirement. So is a rejection without a code, and a right code with
 * another status than the code's.
 */
export function expectProblem(reply: Reply, status: number, code: string): Refusal {
  withBody(reply);
  const { exchange } = reply;
  const said = memberIn(reply.body, "code");
  const refused = reply.status >= 400;
  if (refused && said === code && reply.status !== status)
    throw new Expectation("status", `status ${status}, as its code has it`, describe(reply), "errors/status", exchange);
  expectStatus(reply, status);
  if (said === null)
    throw new Expectation("body:/code", `the code ${code}`, describe(reply), "errors/members", exchange);
  if (said !== code) fail("body:/code", `the code ${code}`, describe(reply), reply);
  const { detail, errors } = expectObject(reply.json());
  const faults = (Array.isArray(errors) ? errors : []).map((error) => Object.entries(Object(error)));
  const texts = faults.map((members) => members.filter(([, value]) => typeof value === "string"));
  return { detail: String(detail), errors: texts.map((members) => ({ detail: "", ...Object.fromEntries(members) })) };
}

/** A JSON object; throws an `Expectation` for any other value. */
export function expectObject(value: unknown): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    fail("body", "a JSON object", excerpt(JSON.stringify(value) ?? "nothing"));
  return value as Record<string, unknown>;
}

/** For given requirements only: rejected = not 2xx. */
export function expectRefused(reply: Reply): void {
  if (!reply.refused) fail("status", "a refusal (not 2xx)", describe(reply), reply);
}

/** For given requirements only: accepted = 2xx, and valid JSON under a JSON media type. Returns it. */
export function expectAccepted(reply: Reply): unknown {
  if (reply.refused) fail("status", "an acceptance (2xx)", describe(reply), reply);
  if (!isJson(reply)) fail("header:content-type", "a JSON media type", describe(reply), reply);
  return reply.json();
}

/** The same for documents, which may be text as well. */
export function expectAcceptedDocument(reply: Reply): void {
  if (reply.refused) fail("status", "an acceptance (2xx)", describe(reply), reply);
  if (isJson(reply)) reply.json();
  else if (!reply.mediaType.startsWith("text/"))
    fail("header:content-type", "a JSON or text media type", describe(reply), reply);
}

/** A finding of this is for another requirement to report first. */
export async function leftTo<T>(saidBy: NonNullable<Expectation["saidBy"]>, judge: () => Promise<T> | T): Promise<T> {
  try {
    return await judge();
  } catch (error) {
    throw error instanceof Expectation ? error.saidFirstBy(saidBy) : error;
  }
}

const isJson = (reply: Reply) => /^(application|text)\/json$|\+json$/.test(reply.mediaType);
