import { type OperationId, operations, type ProblemCode, type Types } from "../../generated/operations.ts";
import { type Validate, validators } from "../../generated/validators.ts";
import { type Aspect, Expectation } from "./expectation.ts";
import { excerpt, memberIn, type Reply } from "./reply.ts";

/** The JSON body of an operation's success, by the contract. */
export type SuccessBody<Id extends OperationId> = Extract<
  Types[Id]["answer"],
  { status: 200 | 201; mediaType: "application/json" }
>["body"];

/** What a refusal says beside its code, as far as it says it. */
export interface Refusal {
  readonly detail: string;
  readonly errors: readonly { readonly pointer?: string; readonly parameter?: string; readonly detail: string }[];
}

/** The requirement is not kept. */
export function fail(aspect: Aspect, expected: string, actual: string): never {
  throw new Expectation(aspect, expected, actual);
}

/** `200 application/json {"status":…`, for a failure's `actual`. */
export function describe(reply: Reply): string {
  return `${reply.status} ${reply.mediaType || "without a media type"} ${excerpt(reply.text)}`;
}

export function expectStatus(reply: Reply, ...statuses: readonly number[]): void {
  if (!statuses.includes(reply.status)) fail("status", `status ${statuses.join(" or ")}`, describe(reply));
}

/** An operation's own documented success: status, `application/json` and a body without undocumented members. Returns the body. */
export function expectSuccess<Id extends OperationId>(reply: Reply, id: Id): SuccessBody<Id> {
  const validate = expectDocumented(reply, id, "application/json");
  const body = reply.json();
  expectValid(validate, body, `an answer of ${id} as documented`);
  // Proven by the operation's own validator, a line above.
  return body as SuccessBody<Id>;
}

/** The same for `text/markdown`, `text/plain` or `text/html`. Returns the text. */
export function expectText(reply: Reply, id: OperationId, mediaType: string): string {
  expectValid(expectDocumented(reply, id, mediaType), reply.text, `a text of ${id} as documented`);
  return reply.text;
}

function expectDocumented(reply: Reply, id: OperationId, mediaType: string): Validate {
  withBody(reply);
  const successes = operations[id].answers.filter(({ status }) => status >= 200 && status < 300);
  const validate = validators[id].answers[`${reply.status} ${mediaType}`];
  const expected = `${successes.map(({ status }) => status).join(" or ")} ${mediaType}`;
  if (!successes.some(({ status }) => status === reply.status)) fail("status", expected, describe(reply));
  if (!validate || reply.mediaType !== mediaType) fail("header:content-type", expected, describe(reply));
  return validate;
}

/** A fault of the check, not of the target. */
function withBody(reply: Reply): void {
  if (reply.exchange.request.method === "HEAD") throw new Error("an answer to HEAD has no body: use expectStatus");
}

/** The place of a validator's error; of a member too many or too few, that member's. */
function aspectOf({ instancePath, params }: NonNullable<Validate["errors"]>[number]): Aspect {
  const { missingProperty, additionalProperty, unevaluatedProperty } = params;
  const member = missingProperty ?? additionalProperty ?? unevaluatedProperty;
  const pointer = `${instancePath}${member === undefined ? "" : `/${member}`}`.replace(/\/\d+(?=\/|$)/g, "/*");
  return pointer === "" ? "body" : `body:/${pointer.slice(1)}`;
}

function expectValid(validate: Validate, body: unknown, expected: string): void {
  if (validate(body)) return;
  const errors = validate.errors ?? [];
  const faults = errors.map(
    ({ instancePath, message, params }) => `#${instancePath} ${message ?? "does not fit"} ${JSON.stringify(params)}`,
  );
  fail(
    errors[0] ? aspectOf(errors[0]) : "body",
    expected,
    `${faults.slice(0, 3).join("; ")} in ${excerpt(JSON.stringify(body) ?? "nothing")}`,
  );
}

/**
 * A refusal with this status and code. What else a problem has to be is not judged here: the checks of `errors/` see every
 * answer of a run, and one fault is told under one sentence. So is a refusal without a code, and one whose code is right and
 * whose status is not that of the code.
 */
export function expectProblem(reply: Reply, status: number, code: ProblemCode): Refusal {
  withBody(reply);
  const said = memberIn(reply.body, "code");
  const refused = reply.status >= 400;
  if (refused && said === code && reply.status !== status)
    throw new Expectation("status", `status ${status}, as its code has it`, describe(reply), "errors/status");
  expectStatus(reply, status);
  if (said === null) throw new Expectation("body:/code", `the code ${code}`, describe(reply), "errors/members");
  if (said !== code) fail("body:/code", `the code ${code}`, describe(reply));
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

/** Given requirements know only: refused = not 2xx. */
export function expectRefused(reply: Reply): void {
  if (!reply.refused) fail("status", "a refusal (not 2xx)", describe(reply));
}

/** Given requirements know only: accepted = 2xx, and JSON that parses under a JSON media type. Returns it. */
export function expectAccepted(reply: Reply): unknown {
  if (reply.refused) fail("status", "an acceptance (2xx)", describe(reply));
  if (!isJson(reply)) fail("header:content-type", "a JSON media type", describe(reply));
  return reply.json();
}

/** The same for documents, which may be text as well. */
export function expectAcceptedDocument(reply: Reply): void {
  if (reply.refused) fail("status", "an acceptance (2xx)", describe(reply));
  if (isJson(reply)) reply.json();
  else if (!reply.mediaType.startsWith("text/"))
    fail("header:content-type", "a JSON or text media type", describe(reply));
}

/** What this finds, somebody else should say first. */
export async function leftTo<T>(saidBy: NonNullable<Expectation["saidBy"]>, judge: () => Promise<T> | T): Promise<T> {
  try {
    return await judge();
  } catch (error) {
    throw error instanceof Expectation ? error.saidFirstBy(saidBy) : error;
  }
}

const isJson = (reply: Reply) => /^(application|text)\/json$|\+json$/.test(reply.mediaType);
