import { type OperationId, operations, type ProblemCode, problems } from "../../../generated/operations.ts";
import type { RequirementId } from "../../../generated/requirements.ts";
import type { Api } from "../../client/api.ts";
import { buildCall, type CallOptions } from "../../client/call.ts";
import { describe, expectProblem, expectSuccess, fail } from "../../client/expect.ts";
import { type Known, nameOf } from "../../client/operation.ts";
import type { Reply } from "../../client/reply.ts";
import type { RawReply } from "../../client/transport.ts";
import type { RawRequest } from "../../client/wire/raw-request.ts";
import type { RawOptions } from "../../client/wire/socket.ts";
import { type Check, check, type Effect } from "../check.ts";
import { answered, inEach, successes } from "../probe.ts";

/** Helpers for checks that write their own bytes: requests, and cases of requests and outcomes. */

/** A path and query that every deployment serves without credentials. */
export const SYSINFO = "/api/?@=sysinfo";

/** The body of a POST that is rejected only for its input. */
export const emptyCreate = '{"@":"user.create","data":{}}';

/** Reads to the end of the connection. */
export const ALL = Number.POSITIVE_INFINITY;

/** How long to wait for a server that neither responds nor closes: enough for a loaded machine, and short enough for a run. */
export const SILENCE_MS = 5000;

export type Field = readonly [name: string, value: string];

/** A request, or bytes that are no request. */
export type Sent = RawRequest | Buffer | string;

/** The outcome of a request: a problem by its code, the success of an operation by its id, or just a status. */
export type Outcome = ProblemCode | OperationId | number;

/** A name, what is sent, and the allowed outcomes. */
export type Case = readonly [what: string, sent: Sent, ...outcomes: Outcome[]];

/** A request for a path of the target, without credentials. */
export const at = (api: Api, target: string, more: Partial<RawRequest> = {}): RawRequest => ({
  target: api.path(target),
  ...more,
});

export const sysinfo = (api: Api, more: Partial<RawRequest> = {}): RawRequest => at(api, SYSINFO, more);

export const withFields = <R extends RawRequest>(request: R, ...fields: readonly Field[]): R => ({
  ...request,
  headers: [...(request.headers ?? []), ...fields],
});

/** The request that calls an operation with its example as input, to be written on a socket. */
export function requestOf(api: Api, id: OperationId, options: CallOptions = {}): RawRequest & { method: string } {
  return written(api, id, { ...options, input: options.input ?? api.example(id) });
}

/** The same for a GET; a POST is valid except for its input, so that it creates nothing. */
export function reachOf(api: Api, operation: Known, options: CallOptions = {}): RawRequest & { method: string } {
  if (operation.method === "GET") return requestOf(api, operation.id, options);
  return written(api, nameOf(operation), { body: { "@": nameOf(operation) }, ...options });
}

function written(api: Api, nameOrId: string, options: CallOptions): RawRequest & { method: string } {
  const { method, path, headers, body } = buildCall(nameOrId, options, api.credentials, api.path(""));
  return { method, target: path, headers, ...(body ? { body } : {}) };
}

/** A POST that is rejected only for its input (422): it passes every layer, and creates nothing. */
export function refusedPost(api: Api, options: CallOptions = {}): RawRequest & { method: string } {
  return reachOf(api, operations["user.create"], { body: emptyCreate, ...options });
}

/** The same request with another body in chunks of `size` bytes. */
export function chunked(request: RawRequest, body: string, size = Math.max(1, body.length)): RawRequest {
  const chunks: string[] = [];
  for (let from = 0; from < body.length; from += size) {
    const chunk = body.slice(from, from + size);
    chunks.push(`${chunk.length.toString(16)}\r\n${chunk}\r\n`);
  }
  return { ...withFields(request, ["Transfer-Encoding", "chunked"]), body: `${chunks.join("")}0\r\n\r\n` };
}

/** The bytes of pipelined requests, one buffer for each; the last request closes the connection. */
export function pipeline(api: Api, requests: readonly RawRequest[]): Buffer[] {
  const last = requests.length - 1;
  return requests.map((request, index) => api.rawRequest(index < last ? { connection: null, ...request } : request));
}

/** The names in a list such as `Allow`, in lower case; several fields are combined. */
export function listed(value: string | undefined): Set<string> {
  const names = (value ?? "").split(",").map((name) => name.trim().toLowerCase());
  return new Set(names.filter((name) => name !== ""));
}

/**
 * The request id of a response. A response with an `ETag` may be stored by shared caches and has an id of the service (D12): for
 * it, returns `sent`.
 */
export const echoedId = (reply: Reply, sent: string): string =>
  reply.header("etag") === undefined ? (reply.header("x-request-id") ?? "none") : sent;

/** Writes a request, or other bytes, on a connection of its own. */
export function converse(api: Api, sent: Sent, options: RawOptions = {}): Promise<RawReply> {
  if (typeof sent === "string" || Buffer.isBuffer(sent)) return api.raw(sent, options);
  return api.raw(api.rawRequest(sent), { heads: [sent.method === "HEAD"], ...options });
}

/** The response; fails if there is none. */
export async function answerTo(api: Api, sent: Sent): Promise<Reply> {
  return answered(await converse(api, sent), "what was sent");
}

const isCode = (outcome: Outcome): outcome is ProblemCode => outcome in problems;

/** The statuses of an outcome. */
export function statusesOf(outcome: Outcome): readonly number[] {
  if (typeof outcome === "number") return [outcome];
  return isCode(outcome) ? [problems[outcome].status] : successes(operations[outcome]);
}

/** Checks that the response is one of these outcomes; for HEAD, only the status. */
export function expectOutcome(reply: Reply, ...outcomes: readonly Outcome[]): void {
  const { method } = reply.exchange.request;
  const outcome =
    outcomes.find((one) => statusesOf(one).includes(reply.status)) ??
    fail("status", outcomes.flatMap((one) => `${statusesOf(one)} (${one})`).join(" or "), describe(reply));
  if (typeof outcome === "number" || method === "HEAD") return;
  if (isCode(outcome)) expectProblem(reply, reply.status, outcome);
  else expectSuccess(reply, outcome);
}

/** Each case on a connection of its own. */
export const expectCases = (api: Api, cases: readonly Case[], ask = answerTo): Promise<void> =>
  inEach(cases, async ([, sent, ...outcomes]) => expectOutcome(await ask(api, sent), ...outcomes));

/** Checks that consist only of cases, by variant. */
export function casesOf(
  requirement: RequirementId,
  effect: Effect,
  variants: Readonly<Record<string, (api: Api) => readonly Case[]>>,
): readonly Check[] {
  return Object.entries(variants).map(([variant, cases]) =>
    check(`${requirement}#${variant}`, { effect }, (api) => expectCases(api, cases(api))),
  );
}
