import type { Api } from "../client/api.ts";
import type { SuccessBody } from "../client/expect.ts";
import { expectSuccess } from "../client/expect.ts";
import { type WalkOptions, walk } from "./state.ts";

export type ListedUser = SuccessBody<"user.list">["items"][number];

/** One page as documented. */
export async function pageOfUsers(
  api: Api,
  input: { readonly limit?: number; readonly cursor?: string } = {},
): Promise<SuccessBody<"user.list">> {
  return expectSuccess(await api.call("user.list", { input }), "user.list");
}

/** The users from one place of the list on, as `walk` reads them. */
export async function walkUsers(api: Api, options?: WalkOptions): Promise<ListedUser[]> {
  // Proven page by page by the validator of `user.list`.
  return (await walk(api, "user.list", options)) as ListedUser[];
}

/** The user with this e-mail address, letter case aside; null when none is listed. */
export async function findUser(api: Api, email: string): Promise<ListedUser | null> {
  const wanted = email.toLowerCase();
  const users = await walkUsers(api);
  return users.find((user) => user.email.toLowerCase() === wanted) ?? null;
}
