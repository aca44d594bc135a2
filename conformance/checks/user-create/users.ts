import type { Api } from "../../client/api.ts";
import { counted } from "../../client/counted.ts";
import { expectSuccess, fail, leftTo, type SuccessBody } from "../../client/expect.ts";
import type { Aspect } from "../../client/expectation.ts";
import { excerpts, type Reply } from "../../client/reply.ts";
import { walkUsers } from "../user-list/users.ts";

/** Helpers that create users and compare them with the response and the list. */

export type User = SuccessBody<"user.create">;

export interface NewUser {
  readonly name: string;
  readonly email: string;
}

/** Fails for two texts that should be the same, and shows each from where they differ. */
function failApart(aspect: Aspect, expected: (text: string) => string, wanted: string, got: string): never {
  const [one, other] = excerpts(wanted, got);
  fail(aspect, expected(one), other);
}

export const create = (api: Api, user: Partial<NewUser>): Promise<Reply> =>
  api.call("user.create", { body: { "@": "user.create", data: user } });

/** Creates a user and checks that the response has it as sent. */
export async function expectCreated(api: Api, wanted: Partial<NewUser> = {}): Promise<User> {
  const sent = { name: "Ada Lovelace", email: api.email(), ...wanted };
  const user = expectSuccess(await create(api, sent), "user.create");
  for (const member of ["name", "email"] as const)
    if (user[member] !== sent[member])
      failApart(`body:/${member}`, (wanted) => `the ${member} ${wanted} as sent`, sent[member], user[member]);
  return user;
}

/** Checks that each user is listed once, as in the response to its create. */
export async function expectListed(api: Api, users: readonly User[]): Promise<void> {
  const listed = await leftTo("its operation", () => walkUsers(api));
  for (const user of users) {
    const [found, ...more] = listed.filter(({ id }) => id === user.id);
    if (!found || more.length > 0) fail("state", `${user.email} listed once`, found ? "more than once" : "never");
    await leftTo("user.create/listed", () => {
      for (const member of ["name", "email", "createdAt"] as const)
        if (found[member] !== user[member])
          failApart("state", (wanted) => `${member} ${wanted} in the list too`, user[member], found[member]);
    });
    const same = listed.filter(({ email }) => email.toLowerCase() === user.email.toLowerCase());
    if (same.length !== 1) fail("state", `one user with the address ${user.email}`, counted(same.length, "user"));
  }
}
