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

/** Words for checks that write their own bytes: requests, and cases of what is sent and what it gets. */

/** A path and query that every deployment serves without credentials. */
export const SYSINFO = "/api/?@=sysinfo";

/** A POST that is refused for its input alone. */
export const emptyCreate = '{"@":"user.create","data":{}}';

/** To the end of the connection. */
export const ALL = Number.POSITIVE_INFINITY;

/** Long enough for a loaded machine, short enough for a run: a server that only goes silent is noticed by it. */
export const SILENCE_MS = 5000;

export type Field = readonly [name: string, value: string];

/** A request, or bytes that are none. */
export type Sent = RawRequest | Buffer | string;

/** What comes of a request: a problem by its code, the success of an operation by its id, or a status alone. */
export type Outcome = ProblemCode | OperationId | number;

/** What is sent, in words and as it is, and any one of these comes of it. */
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

/** The request that calls an operation, with its example as input, to be written on a socket. */
export function requestOf(api: Api, id: OperationId, options: CallOptions = {}): RawRequest & { method: string } {
  return written(api, id, { ...options, input: options.input ?? api.example(id) });
}

/** The same of a GET; a POST is right up to its input, so that nothing is created. */
export function reachOf(api: Api, operation: Known, options: CallOptions = {}): RawRequest & { method: string } {
  if (operation.method === "GET") return requestOf(api, operation.id, options);
  return written(api, nameOf(operation), { body: { "@": nameOf(operation) }, ...options });
}

function written(api: Api, nameOrId: string, options: CallOptions): RawRequest & { method: string } {
  const { method, path, headers, body } = buildCall(nameOrId, options, api.credentials, api.path(""));
  return { method, target: path, headers, ...(body ? { body } : {}) };
}

/** A POST that is refused for its input alone (422): it goes through every layer, and creates nothing. */
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

/** Everything said ahead on one connection, request by request; the last one ends it. */
export function pipeline(api: Api, requests: readonly RawRequest[]): Buffer[] {
  const last = requests.length - 1;
  return requests.map((request, index) => api.rawRequest(index < last ? { connection: null, ...request } : request));
}

/** Names in a list such as `Allow`, in lower case, several fields taken together. */
export function listed(value: string | undefined): Set<string> {
  const names = (value ?? "").split(",").map((name) => name.trim().toLowerCase());
  return new Set(names.filter((name) => name !== ""));
}

/** The id of an answer; where shared caches may store it (it has an `ETag`), the caller's in its place: that one has the service's own (D12). */
export const echoedId = (reply: Reply, sent: string): string =>
  reply.header("etag") === undefined ? (reply.header("x-request-id") ?? "none") : sent;

/** Writes a request, or bytes that are none, on a connection of its own. */
export function converse(api: Api, sent: Sent, options: RawOptions = {}): Promise<RawReply> {
  if (typeof sent === "string" || Buffer.isBuffer(sent)) return api.raw(sent, options);
  return api.raw(api.rawRequest(sent), { heads: [sent.method === "HEAD"], ...options });
}

/** The answer to it; without one, fails. */
export async function answerTo(api: Api, sent: Sent): Promise<Reply> {
  return answered(await converse(api, sent), "what was sent");
}

const isCode = (outcome: Outcome): outcome is ProblemCode => outcome in problems;

/** The statuses of what comes of a request. */
export function statusesOf(outcome: Outcome): readonly number[] {
  if (typeof outcome === "number") return [outcome];
  return isCode(outcome) ? [problems[outcome].status] : successes(operations[outcome]);
}

/** One of these came of it; of an answer to HEAD, the status alone. */
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

/** Checks that are cases and nothing more, by variant. */
export function casesOf(
  requirement: RequirementId,
  effect: Effect,
  variants: Readonly<Record<string, (api: Api) => readonly Case[]>>,
): readonly Check[] {
  return Object.entries(variants).map(([variant, cases]) =>
    check(`${requirement}#${variant}`, { effect }, (api) => expectCases(api, cases(api))),
  );
}
