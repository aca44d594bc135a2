import { type InputMember, type Operation, type OperationId, operations } from "../../../generated/operations.ts";
import { validators } from "../../../generated/validators.ts";
import type { Api } from "../../client/api.ts";
import type { CallOptions } from "../../client/call.ts";
import { expectProblem, expectSuccess, fail, type Refusal } from "../../client/expect.ts";
import { commands as commandOperations, nameOf, queries as queryOperations } from "../../client/operation.ts";
import { excerpt, type Reply } from "../../client/reply.ts";
import type { Effect } from "../check.ts";
import { inEach } from "../probe.ts";
import { expectUnchanged, stateOf } from "../state.ts";

/** Words for input right and wrong of whatever operation there is. */

/** Those whose input is a query, and those whose input is `data`. */
export const queries = queryOperations.map(({ id }) => id);
export const commands = commandOperations.map(({ id }) => id);

export type Data = Readonly<Record<string, unknown>>;

/** What an operation takes; parts of its name are none of it. */
export function membersOf(id: OperationId): readonly (InputMember & { readonly name: string })[] {
  const { input, parts }: Operation = operations[id];
  return Object.entries(input).flatMap(([name, member]) => (parts.includes(name) ? [] : [{ name, ...member }]));
}

/**
 * What a command that changes something is aimed at is a value of this run. Without it, or with another in its place, a lax
 * deployment might change what is somebody's: only a run that may do harm sends that.
 */
export const isAimed = (id: OperationId, member?: string): boolean =>
  member === undefined ? Object.keys(operations[id].exampleFrom).length > 0 : member in operations[id].exampleFrom;

export const effectOfMalformed = (id: OperationId, member?: string): Effect =>
  isAimed(id, member) ? "hostile" : "write";

/** A value for a member that no operation knows, which a lax deployment may take for one that it does. */
export const strangeValue = (id: OperationId, data: Data): unknown => {
  const [aim] = Object.keys(operations[id].exampleFrom);
  return aim === undefined ? "1" : data[aim];
};

/** The whole body of a POST. */
export const bodyOf = (id: OperationId, data: unknown) => ({ "@": nameOf(operations[id]), data });

export type Fault = Refusal["errors"][number];

/** The operation refuses the input; returns what it finds wrong. */
export async function expectInvalid(api: Api, id: OperationId, options: CallOptions): Promise<readonly Fault[]> {
  return faultsIn(await api.call(id, options));
}

/** The same of each of several. */
export const expectAllInvalid = (api: Api, id: OperationId, rows: readonly CallOptions[]): Promise<void> =>
  inEach(rows, async (options) => void (await expectInvalid(api, id, options)));

/** A command refuses each of these, however right its `data` may be, and carries none out. */
export async function expectNoneTaken(api: Api, id: OperationId, rows: (data: Data) => readonly CallOptions[]) {
  const data = api.example(id);
  const before = await stateOf(api, operations[id], data);
  await expectAllInvalid(api, id, rows(data));
  await expectUnchanged(api, before);
}

export const faultsIn = (reply: Reply): readonly Fault[] => expectProblem(reply, 422, "invalid-input").errors;

/** The operation takes the input as it stands in its example. */
export async function expectTaken(api: Api, id: OperationId, options: CallOptions = {}): Promise<void> {
  expectSuccess(await api.call(id, { input: api.example(id), ...options }), id);
}

/** Where a fault is: a pointer or a parameter's name. */
export const placeOf = ({ pointer, parameter }: Fault): string => pointer ?? parameter ?? "nowhere";

/** Among the faults there is one at each of these places. */
export function expectPlaces(faults: readonly Fault[], wanted: readonly string[]): void {
  const places = faults.map(placeOf);
  const missing = wanted.filter((place) => !places.includes(place));
  if (missing.length > 0)
    fail("body:/errors", `a fault at ${missing.join(" and at ")}`, excerpt(JSON.stringify(faults)));
}

/** Whether the schema allows an empty text as this query member. */
export function mayBeEmpty(id: OperationId, member: string): boolean {
  const { [member]: _, ...rest }: Readonly<Record<string, unknown>> = operations[id].example;
  return validators[id].query?.({ ...rest, [member]: "" }) ?? true;
}
