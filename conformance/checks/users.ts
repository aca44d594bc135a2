import type { Api } from "../client/api.ts";
import { describe, expectObject, expectStatus, fail } from "../client/expect.ts";
import { Stopped } from "../client/expectation.ts";
import type { Reply } from "../client/reply.ts";

/** A user as a page lists it; what is no text there is an empty one. */
export type ListedUser = Readonly<Record<"id" | "name" | "email" | "createdAt", string>>;

/** What a page says. */
export interface Page {
  readonly items: readonly ListedUser[];
  readonly nextCursor: string | undefined;
}

export interface WalkOptions {
  /** Users a page; default 200, the most there can be. */
  readonly limit?: number;
  /** The cursor to start at; absent: the first user. */
  readonly from?: string;
  /** Stop after so many pages, so that a target that goes round in circles ends too. */
  readonly maxPages?: number;
}

/** Pages that a walk reads at most unless told: at 200 users each more than any target for tests has. */
const MAX_PAGES = 500;

const textOf = (value: unknown) => (typeof value === "string" ? value : "");

function userOf(item: unknown): ListedUser {
  const { id, name, email, createdAt, ...more } = expectObject(item);
  return { id: textOf(id), name: textOf(name), email: textOf(email), createdAt: textOf(createdAt), ...more };
}

/** A page, read for its users and its cursor: whether it is as documented is for one check to say, and not for all. */
export function readPage(reply: Reply): Page {
  expectStatus(reply, 200);
  const { items, nextCursor } = expectObject(reply.json());
  if (!Array.isArray(items)) fail("body:/items", "a list as items", describe(reply));
  if (nextCursor !== undefined && typeof nextCursor !== "string")
    fail("body:/nextCursor", "a text as nextCursor", describe(reply));
  return { items: items.map(userOf), nextCursor };
}

/** One page of the list. */
export async function pageOfUsers(
  api: Api,
  input: { readonly limit?: number; readonly cursor?: string } = {},
): Promise<Page> {
  return readPage(await api.call("user.list", { input }));
}

/**
 * The users from one place of the list on, page by page to its end, or to the `maxPages`th page. Throws `Stopped` for a list
 * that is too long to be read: of what is not in sight nothing can be said.
 */
export async function walkUsers(api: Api, options: WalkOptions = {}): Promise<ListedUser[]> {
  const { limit = 200, from, maxPages } = options;
  const users: ListedUser[] = [];
  const seen = new Set<string>();
  let cursor = from;
  for (let pages = 0; pages < (maxPages ?? MAX_PAGES); pages += 1) {
    const page = await pageOfUsers(api, cursor === undefined ? { limit } : { limit, cursor });
    users.push(...page.items);
    if (page.nextCursor === undefined) return users;
    if (seen.has(page.nextCursor))
      fail("body:/nextCursor", "a walk that comes to an end", "a nextCursor for the second time");
    seen.add(page.nextCursor);
    cursor = page.nextCursor;
  }
  if (maxPages === undefined) throw new Stopped(`there are more than ${users.length} users`);
  return users;
}

/** The user with this e-mail address, letter case aside; null when none is listed. */
export async function findUser(api: Api, email: string): Promise<ListedUser | null> {
  const wanted = email.toLowerCase();
  const users = await walkUsers(api);
  return users.find((user) => user.email.toLowerCase() === wanted) ?? null;
}

/** The addresses in an input or a body that this run gave out. */
export function emailsIn(api: Api, value: unknown): string[] {
  return JSON.stringify(value).match(new RegExp(`[^"@\\s]*${api.runId}[^"@\\s]*@[^"\\s]+`, "g")) ?? [];
}

/** Refused, and yet there? */
export async function expectNotCreated(api: Api, emails: readonly string[]): Promise<void> {
  if (emails.length === 0) return;
  const listed = new Set((await walkUsers(api)).map(({ email }) => email.toLowerCase()));
  const created = emails.find((email) => listed.has(email.toLowerCase()));
  if (created !== undefined) fail("state", "a refused call that creates nothing", `${created} is a user now`);
}
