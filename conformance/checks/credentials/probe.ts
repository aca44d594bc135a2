import { type OperationId, operations, type ProblemCode } from "../../../generated/operations.ts";
import { type RequirementId, requirements } from "../../../generated/requirements.ts";
import type { Api } from "../../client/api.ts";
import type { CallCredentials, CallOptions, Placement } from "../../client/call.ts";
import { expectProblem, expectSuccess } from "../../client/expect.ts";
import { every, guarded, nameOf } from "../../client/operation.ts";
import type { Reply } from "../../client/reply.ts";
import type { Effect } from "../check.ts";
import { inCase } from "../probe.ts";
import { expectUnchanged, stateOf } from "../state.ts";

/** Words for calling whatever operation there is with credentials right and wrong. */

/** The operations that need credentials, and those that do not. */
export const closed = guarded.map(({ id }) => id);
export const open = every.flatMap(({ id, auth }) => (auth ? [] : [id]));

/** What the spec says of an operation's credentials, derived by the generator: `user.list/placements`. */
export const sayingOf = (id: OperationId, aspect: "credentials" | "placements" | "public"): RequirementId[] =>
  requirements.flatMap((one) => (one.id === `${id}/${aspect}` ? [one.id] : []));

/** A POST that is wrongly let in creates something. */
export const effectOf = (id: OperationId): Effect => (operations[id].method === "POST" ? "write" : "read");

/** The good credentials as headers, but for the key, or for the platform. */
export const keyAs = (api: Api, key: Placement): CallCredentials => ({ key, platform: { header: api.platform } });
export const platformAs = (api: Api, platform: Placement): CallCredentials => ({ key: { header: api.key }, platform });

/** One way of calling, in words for the report. */
export interface Case {
  readonly what: string;
  readonly options: CallOptions;
}

export const sent = (what: string, credentials: CallCredentials, options: CallOptions = {}): Case => ({
  what,
  options: { ...options, credentials },
});

/** The same value in a header and in the query. */
export const eachPlace = (
  what: string,
  value: string,
  place: (placement: Placement) => CallCredentials,
): readonly Case[] => [
  sent(`${what}, in the header`, place({ header: value })),
  sent(`${what}, in the query`, place({ query: value })),
];

/** A body of a POST that no input schema allows: it is judged after the credentials, and nothing is created. */
export const invalidBody = (id: OperationId) => ({ "@": nameOf(operations[id]), data: { "no such member": true } });

/** The call is let in: a GET succeeds, a POST is refused for its input only. */
export async function expectLetIn(api: Api, id: OperationId, options: CallOptions): Promise<void> {
  if (operations[id].method === "POST") {
    judgeLetIn(await api.call(id, { body: invalidBody(id), ...options }), id);
  } else {
    judgeLetIn(await api.call(id, { input: api.example(id), ...options }), id);
  }
}

export function judgeLetIn(reply: Reply, id: OperationId): void {
  if (operations[id].method === "POST") expectProblem(reply, 422, "invalid-input", id);
  else expectSuccess(reply, id);
}

export async function expectAllLetIn(api: Api, id: OperationId, cases: readonly Case[]): Promise<void> {
  for (const { what, options } of cases) await inCase(what, () => expectLetIn(api, id, options));
}

/** Every call is refused like this, right as its input is, and none of them created anything. */
export async function expectAllRefused(
  api: Api,
  id: OperationId,
  status: number,
  code: ProblemCode,
  cases: readonly Case[],
): Promise<void> {
  const input = api.example(id);
  const before = await stateOf(
    api,
    operations[id],
    input,
    cases.map(({ options }) => options.body),
  );
  for (const { what, options } of cases) {
    await inCase(what, async () => expectProblem(await api.call(id, { input, ...options }), status, code, id));
  }
  await expectUnchanged(api, before);
}
