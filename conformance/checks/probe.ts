import type { Api } from "../client/api.ts";
import type { CallOptions } from "../client/call.ts";
import { expectProblem, expectStatus, fail } from "../client/expect.ts";
import { Expectation, Stopped } from "../client/expectation.ts";
import { type Callable, nameOf } from "../client/operation.ts";
import { excerpt, type Reply } from "../client/reply.ts";
import type { RawReply } from "../client/transport.ts";
import { problemOf } from "../contract.ts";
import type { Effect } from "./check.ts";

/** Helpers that all checks share: valid calls of an operation, named cases, responses on a socket. */

/** Sends a valid call of a GET operation, or a call of a POST operation without `data`, which is valid except for its input. */
export function reach(api: Api, operation: Callable, options: CallOptions = {}): Promise<Reply> {
  if (operation.method === "GET") return api.call(operation.id, { input: api.example(operation.id), ...options });
  return api.call(nameOf(operation), { body: { "@": nameOf(operation) }, ...options });
}

/** Checks the response to `reach`. */
export function expectReached(reply: Reply, operation: Callable): void {
  if (operation.method === "POST") expectProblem(reply, 422, "invalid-input");
  else expectStatus(reply, ...successes(operation));
}

export function successes({ answers }: Callable): number[] {
  return answers.map(({ status }) => status).filter((status) => status < 300);
}

/** The effect that a call of the operation with its example has on the target. */
export const effectOf = ({ method }: Callable): Effect => (method === "GET" ? "read" : "write");

/** The run's key and platform, as header fields. */
export const credentialFields = (api: Api) =>
  [
    ["X-API-KEY", api.key],
    ["X-PLATFORM", api.platform],
  ] as const;

/** The media type of a command. */
export const JSON_TYPE = ["Content-Type", "application/json"] as const;

/** Checks a rejection: its code and the status of the code; for HEAD, which has no body, only the status. */
export function expectRefusedAs(reply: Reply, code: string): void {
  const { status } = problemOf(code);
  if (reply.exchange.request.method === "HEAD") expectStatus(reply, status);
  else expectProblem(reply, status, code);
}

/** Runs one of several cases: a failure names the case. */
export async function inCase<T>(what: string, action: () => Promise<T> | T): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof Expectation)) throw error;
    throw error.in(what);
  }
}

/** The name of a case: its id, the first element of its row, or the case itself. */
function label(item: unknown): string {
  if (Array.isArray(item)) return label(item[0]);
  if (typeof item === "object" && item !== null && "id" in item) return String(item.id);
  return typeof item === "string" ? shown(item) : excerpt(JSON.stringify(item) ?? "nothing");
}

/** Checks each item in turn: a failure names the item. Without items, the check is incomplete. */
export async function inEach<T>(items: readonly T[], judge: (item: T) => Promise<void> | void): Promise<void> {
  for (const item of toJudge(items, "case")) await inCase(label(item), () => judge(item));
}

/** A text for a failure message: control characters are escaped, long texts are cut. */
export function shown(text: string): string {
  const escaped = JSON.stringify(text);
  return escaped.length > 80 ? `${escaped.slice(0, 80)}… of ${text.length} characters` : escaped;
}

/** The items to check. If there are none, the check would check nothing: it is incomplete. */
export function toJudge<T>(items: readonly T[], what: string): readonly T[] {
  if (items.length === 0) throw new Stopped(`there is no ${what} to judge`);
  return items;
}

/** Describes how a connection ended. */
export function ending({ replies, closed, reset, timedOut, leftover, error }: RawReply): string {
  const statuses = replies.length > 0 ? `answers ${replies.map(({ status }) => status).join(", ")}` : "no answer";
  const end = reset ? "a reset" : closed ? "the end of the connection" : timedOut ? "silence" : "nothing more";
  const rest = leftover.length > 0 ? `, ${leftover.length} bytes that are no whole answer` : "";
  return error && !reset ? `${statuses}: ${error}` : `${statuses}${rest}, then ${end}`;
}

/** The first response; fails if there is none. */
export function answered(raw: RawReply, to: string): Reply {
  const [reply] = raw.replies;
  if (!reply) fail("connection", `an answer to ${to}`, ending(raw));
  return reply;
}
