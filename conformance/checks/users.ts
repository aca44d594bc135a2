import type { Api } from "../client/api.ts";
import type { SuccessBody } from "../client/expect.ts";
import { expectSuccess, fail } from "../client/expect.ts";
import { Stopped } from "../client/expectation.ts";

export type ListedUser = SuccessBody<"user.list">["items"][number];

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

/** One page as documented. */
export async function pageOfUsers(
  api: Api,
  input: { readonly limit?: number; readonly cursor?: string } = {},
): Promise<SuccessBody<"user.list">> {
  return expectSuccess(await api.call("user.list", { input }), "user.list");
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
