import type { Api } from "../../client/api.ts";
import { expectProblem, expectSuccess, fail, leftTo, type SuccessBody } from "../../client/expect.ts";
import { excerpt, type Reply } from "../../client/reply.ts";
import { walkUsers } from "../user-list/users.ts";

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
      fail(`body:/${member}`, `the ${member} ${excerpt(sent[member])} as sent`, excerpt(user[member]));
  return user;
}

/** The members of `data` that a refusal for the input is about. */
async function faults(api: Api, user: NewUser): Promise<readonly string[]> {
  const { errors } = expectProblem(await create(api, user), 422, "invalid-input");
  return errors.flatMap(({ pointer }) => /^#\/data\/([^/]+)/.exec(pointer ?? "")?.[1] ?? []);
}

/** Refused for this member, and for nothing else. */
export async function expectRefused(api: Api, member: keyof NewUser, user: NewUser): Promise<void> {
  const found = await faults(api, user);
  if (!found.includes(member) || found.some((one) => one !== member))
    fail("body:/errors", `a fault of the ${member} ${excerpt(user[member])} only`, found.join(", ") || "none");
}

/** Taken: what is refused is the other member, which is wrong on purpose, so that nobody is created. */
export async function expectTaken(api: Api, member: keyof NewUser, value: string): Promise<void> {
  const found = await faults(api, { name: "", email: "no address", [member]: value });
  if (found.includes(member)) fail("body:/errors", `the ${member} ${excerpt(value)} taken`, "a fault of it");
}

/** Each user is listed once, and as it was answered. */
export async function expectListed(api: Api, users: readonly User[]): Promise<void> {
  const listed = await leftTo("its operation", () => walkUsers(api));
  for (const user of users) {
    const [found, ...more] = listed.filter(({ id }) => id === user.id);
    if (!found || more.length > 0) fail("state", `${user.email} listed once`, found ? "more than once" : "never");
    await leftTo("user.create/listed", () => {
      for (const member of ["name", "email", "createdAt"] as const)
        if (found[member] !== user[member])
          fail("state", `${member} ${excerpt(user[member])} in the list too`, excerpt(found[member]));
    });
    const same = listed.filter(({ email }) => email.toLowerCase() === user.email.toLowerCase());
    if (same.length !== 1) fail("state", `one user with the address ${user.email}`, `${same.length} users`);
  }
}
