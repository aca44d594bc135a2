import type { Api } from "../../client/api.ts";
import { describe, fail } from "../../client/expect.ts";
import { isSame } from "../../client/observation.ts";
import { excerpt, type Reply } from "../../client/reply.ts";

/** What is given of users: a name and an address go in, and the list shows them. Neither is said to be required. */

/** The values of an input that nobody else has sent. */
export const textsIn = (input: Readonly<Record<string, unknown>>): string[] => Object.values(input).map(String);

/** Refused, or carried out without these values, which stood where no input is: neither answered nor listed. */
export async function expectNotTaken(api: Api, reply: Reply, values: readonly string[]): Promise<void> {
  if (reply.refused) return;
  const { text } = await api.call("user.list");
  const taken = values.find((value) => [reply.text, text].some((said) => said.includes(value)));
  if (taken !== undefined) fail("status", `a refusal (not 2xx), or nothing to be made of ${taken}`, describe(reply));
}

/** No list is cut into pages as short as this. */
const PAGE = 10;

/** The most entries that any list or object in a JSON value has. */
function most(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const members = Object.values(value);
  return Math.max(members.length, ...members.map(most));
}

/** The address that was sent is one of `example.com`, with a `+`. */
export function expectCreated(api: Api, reply: Reply): void {
  const advice = api.advice("where it takes other addresses alone, --email TEMPLATE");
  if (reply.refused) fail("status", "an acceptance (2xx)", describe(reply) + advice);
}

/** A user that was just created shows in the list, unless that is a page of a longer one. */
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
