import type { Api } from "../client/api.ts";
import type { CallOptions } from "../client/call.ts";
import { expectProblem, expectStatus, fail } from "../client/expect.ts";
import { Expectation, Stopped } from "../client/expectation.ts";
import { type Callable, nameOf } from "../client/operation.ts";
import { excerpt, type Reply } from "../client/reply.ts";
import type { RawReply } from "../client/transport.ts";
import { contract } from "../contract.ts";
import type { Effect } from "./check.ts";

/** Words that all checks share: calling an operation rightly, one case of several, an answer on a socket. */

/** Calls a GET operation rightly, and a POST operation without its `data`: right up to the input, so that nothing is created. */
export function reach(api: Api, operation: Callable, options: CallOptions = {}): Promise<Reply> {
  if (operation.method === "GET") return api.call(operation.id, { input: api.example(operation.id), ...options });
  return api.call(nameOf(operation), { body: { "@": nameOf(operation) }, ...options });
}

/** A word of this run that is nobody's key, platform or name: no server can have been written for it. */
export const nobodys = (api: Api) => `nobodys-${api.runId}`;

/** What `reach` gets of a right deployment. */
export function expectReached(reply: Reply, operation: Callable): void {
  if (operation.method === "POST") expectProblem(reply, 422, "invalid-input");
  else expectStatus(reply, ...successes(operation));
}

export function successes({ answers }: Callable): number[] {
  return answers.map(({ status }) => status).filter((status) => status < 300);
}

/** What a call of the operation with its example does to the target. */
export const effectOf = ({ method }: Callable): Effect => (method === "GET" ? "read" : "write");

/** The run's key and platform, as header fields. */
export const credentialFields = (api: Api) =>
  [
    ["X-API-KEY", api.key],
    ["X-PLATFORM", api.platform],
  ] as const;

/** A refusal with this code, and the status of the code; to HEAD, which has no body, the status alone. */
export function expectRefusedAs(reply: Reply, code: string): void {
  const status = contract.problems[code]?.status ?? 0;
  if (reply.exchange.request.method === "HEAD") expectStatus(reply, status);
  else expectProblem(reply, status, code);
}

/** The methods of `Allow`, in whatever order. */
export function expectAllow(reply: Reply, ...methods: readonly string[]): void {
  const sent = reply.header("allow");
  const listed = (sent ?? "").split(",").map((method) => method.trim());
  if ([...new Set(listed)].sort().join() !== [...methods].sort().join()) {
    fail("header:allow", `Allow: ${methods.join(", ")}`, sent === undefined ? "no Allow" : `Allow: ${sent}`);
  }
}

/** One case of several: a failure says which. */
export async function inCase<T>(what: string, action: () => Promise<T> | T): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof Expectation)) throw error;
    throw error.in(what);
  }
}

/** A case in words: by its id, by the first member of its row, or itself. */
function label(item: unknown): string {
  if (Array.isArray(item)) return label(item[0]);
  if (typeof item === "object" && item !== null && "id" in item) return String(item.id);
  return typeof item === "string" ? shown(item) : excerpt(JSON.stringify(item) ?? "nothing");
}

/** Judges each of several, one after another: a failure says which. Of none nothing can be said. */
export async function inEach<T>(items: readonly T[], judge: (item: T) => Promise<void> | void): Promise<void> {
  for (const item of toJudge(items, "case")) await inCase(label(item), () => judge(item));
}

/** A text as it may stand in a failure: controls escaped, not too long. */
export function shown(text: string): string {
  const escaped = JSON.stringify(text);
  return escaped.length > 80 ? `${escaped.slice(0, 80)}… of ${text.length} characters` : escaped;
}

/** What is judged one by one: where there is none of it, nothing would be judged, and the check is incomplete. */
export function toJudge<T>(items: readonly T[], what: string): readonly T[] {
  if (items.length === 0) throw new Stopped(`there is no ${what} to judge`);
  return items;
}

/** What became of a connection, in words. */
export function ending({ replies, closed, reset, timedOut, leftover, error }: RawReply): string {
  const statuses = replies.length > 0 ? `answers ${replies.map(({ status }) => status).join(", ")}` : "no answer";
  const end = reset ? "a reset" : closed ? "the end of the connection" : timedOut ? "silence" : "nothing more";
  const rest = leftover.length > 0 ? `, ${leftover.length} bytes that are no whole answer` : "";
  return error && !reset ? `${statuses}: ${error}` : `${statuses}${rest}, then ${end}`;
}

/** The first answer; without one, fails. */
export function answered(raw: RawReply, to: string): Reply {
  const [reply] = raw.replies;
  if (!reply) fail("connection", `an answer to ${to}`, ending(raw));
  return reply;
}
