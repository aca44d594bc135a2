import type { Api } from "../../client/api.ts";
import { describe, fail } from "../../client/expect.ts";
import { isSame } from "../../client/observation.ts";
import { excerpt, type Reply } from "../../client/reply.ts";

/** The given requirements of users: a command takes a name and an address, and the list returns them. Neither is required. */

/** The values of an input, which no other request has sent. */
export const textsIn = (input: Readonly<Record<string, unknown>>): string[] => Object.values(input).map(String);

/** Checks that a request was rejected or ignored these values, which were not sent as input: no response and no list has them. */
export async function expectNotTaken(api: Api, reply: Reply, values: readonly string[]): Promise<void> {
  if (reply.refused) return;
  const { text } = await api.call("user.list");
  const taken = values.find((value) => [reply.text, text].some((said) => said.includes(value)));
  if (taken !== undefined) fail("status", `a refusal (not 2xx), or nothing to be made of ${taken}`, describe(reply));
}

/** Every list has pages of at least this length. */
const PAGE = 10;

/** The length of the longest list or object in a JSON value. */
function most(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const members = Object.values(value);
  return Math.max(members.length, ...members.map(most));
}

/** Checks an accepted create. The address is at `example.com` and contains `+`, which a deployment may reject. */
export function expectCreated(api: Api, reply: Reply): void {
  const advice = api.advice("where it takes other addresses alone, --email TEMPLATE");
  if (reply.refused) fail("status", "an acceptance (2xx)", describe(reply) + advice);
}

/** Checks that the list contains a new user, unless it may be one page of a longer list. */
export async function expectListed(api: Api): Promise<void> {
  const input = api.example("user.create");
  const before = await api.call("user.list");
  const again = await api.call("user.list");
  const created = await api.call("user.create", { input });
  expectCreated(api, created);
  const after = await api.call("user.list");
  if (textsIn(input).some((value) => after.text.includes(value)) || most(after.json()) >= PAGE) return;
  if (isSame(before, again, after)) fail("state", `${textsIn(input).join(", ")} in the list`, excerpt(after.text));
}
