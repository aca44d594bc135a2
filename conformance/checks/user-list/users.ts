import type { Api } from "../../client/api.ts";
import { expectObject } from "../../client/expect.ts";
import type { Reply } from "../../client/reply.ts";
import { readEntries, sources, type WalkOptions, walk } from "../state.ts";

/** A user as a page lists it; members that are no text are empty texts. */
export type ListedUser = Readonly<Record<"id" | "name" | "email" | "createdAt", string>>;

/** The content of a page. */
export interface Page {
  readonly items: readonly ListedUser[];
  readonly nextCursor: string | undefined;
}

const textOf = (value: unknown) => (typeof value === "string" ? value : "");

export function userOf(item: unknown): ListedUser {
  const { id, name, email, createdAt, ...more } = expectObject(item);
  const user = { id: textOf(id), name: textOf(name), email: textOf(email), createdAt: textOf(createdAt), ...more };
  const source = sources.get(Object(item));
  if (source) sources.set(user, source);
  return user;
}

/** Reads the users and the cursor of a page. A separate check validates that the page is as documented. */
export function readPage(reply: Reply): Page {
  const { entries, nextCursor } = readEntries(reply);
  return { items: entries.map(userOf), nextCursor };
}

/** One page of the list. */
export async function pageOfUsers(
  api: Api,
  input: { readonly limit?: number; readonly cursor?: string } = {},
): Promise<Page> {
  return readPage(await api.call("user.list", { input }));
}

/** The users of a walk. */
export async function walkUsers(api: Api, options: WalkOptions = {}): Promise<ListedUser[]> {
  return (await walk(api, "user.list", options)).map(userOf);
}

/** The user with this e-mail address, in any letter case; null if none is listed. */
export async function findUser(api: Api, email: string): Promise<ListedUser | null> {
  const wanted = email.toLowerCase();
  const users = await walkUsers(api);
  return users.find((user) => user.email.toLowerCase() === wanted) ?? null;
}
