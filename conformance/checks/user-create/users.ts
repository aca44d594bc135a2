import type { Api } from "../../client/api.ts";
import { expectSuccess, fail, type SuccessBody } from "../../client/expect.ts";
import { excerpt, type Reply } from "../../client/reply.ts";
import { type Fault, faultsIn, placeOf } from "../input/operations.ts";
import { walkUsers } from "../users.ts";

/** Words for creating users, and for seeing what a name or an e-mail address is taken for without creating any. */

export type User = SuccessBody<"user.create">;

export interface NewUser {
  readonly name: string;
  readonly email: string;
}

export const create = (api: Api, user: Partial<NewUser>): Promise<Reply> =>
  api.call("user.create", { body: { "@": "user.create", data: user } });

/** Created, and answered as it was sent. */
export async function expectCreated(api: Api, wanted: Partial<NewUser> = {}): Promise<User> {
  const sent = { name: "Ada Lovelace", email: api.email(), ...wanted };
  const user = expectSuccess(await create(api, sent), "user.create");
  for (const member of ["name", "email"] as const)
    if (user[member] !== sent[member])
      fail("body", `the ${member} ${excerpt(sent[member])} as sent`, excerpt(user[member]));
  return user;
}

const at = (faults: readonly Fault[], member: keyof NewUser) =>
  faults.some((fault) => new RegExp(`^#/data/${member}(?:/|$)`).test(placeOf(fault)));

/** Refused for this member, and for nothing else. */
export async function expectRefused(api: Api, member: keyof NewUser, user: NewUser): Promise<void> {
  const other = member === "name" ? "email" : "name";
  const faults = faultsIn(await create(api, user), "user.create");
  if (!at(faults, member) || at(faults, other))
    fail("status", `422 for the ${member} ${excerpt(user[member])} only`, excerpt(JSON.stringify(faults)));
}

/** Taken: what is refused is the other member, which is wrong on purpose, so that nobody is created. */
export async function expectTaken(api: Api, member: keyof NewUser, value: string): Promise<void> {
  const user = member === "name" ? { name: value, email: "no address" } : { name: "", email: value };
  const faults = faultsIn(await create(api, user), "user.create");
  if (at(faults, member)) fail("body", `the ${member} ${excerpt(value)} taken`, excerpt(JSON.stringify(faults)));
}

/** Each user is listed once, and as it was answered. */
export async function expectListed(api: Api, users: readonly User[]): Promise<void> {
  const listed = await walkUsers(api);
  for (const user of users) {
    const found = listed.filter(({ id }) => id === user.id);
    if (found.length !== 1) fail("body", `${user.email} listed once`, `listed ${found.length} times`);
    for (const [member, value] of Object.entries(user)) {
      const got = Object.entries(found[0] ?? {}).find(([name]) => name === member)?.[1];
      if (got !== value) fail("body", `${member} ${excerpt(String(value))} in the list too`, excerpt(String(got)));
    }
    const same = listed.filter(({ email }) => email.toLowerCase() === user.email.toLowerCase());
    if (same.length !== 1) fail("body", `one user with the address ${user.email}`, `${same.length} users`);
  }
}
