import type { RequirementId } from "../../../generated/requirements.ts";
import type { Api } from "../../client/api.ts";
import { counted } from "../../client/counted.ts";
import { expectSuccess, fail } from "../../client/expect.ts";
import { type Aspect, Expectation, Stopped } from "../../client/expectation.ts";
import { excerpts } from "../../client/reply.ts";
import { check, type TargetCheck } from "../check.ts";
import { type PageOfAny, pagesOf, sources } from "../state.ts";
import { type ListedUser, type Page, pageOfUsers, userOf } from "./users.ts";

/** Helpers for checks of `user.list`. */

/** The default and the maximum number of users on a page (D26). */
export const DEFAULT = 50;
export const MOST = 200;

/** The number of pages of a walk that need not reach the end. */
export const FEW_PAGES = 12;

/** The number of users that checks need for a list with a beginning, a middle and an end. */
const ENOUGH = 3;

/** The minimum number of users on the last page, if the list has as many: the newest users, and some before them. */
const TAIL = 10;

/** The last page of a walk with the maximum page length: its cursor and its users. */
export interface End {
  readonly cursor: string | undefined;
  readonly users: readonly ListedUser[];
}

export const inputOf = (cursor: string | undefined, limit: number) =>
  cursor === undefined ? { limit } : { limit, cursor };

/** Throws `Stopped` if the list is too long to be read to its end. */
export async function endOfList(api: Api): Promise<End> {
  const pages: PageOfAny[] = [];
  for await (const page of pagesOf(api, "user.list")) pages.push(page);
  const [last, before] = pages.reverse();
  if (!last || last.entries.length === MOST) return tailBehind(api, last?.cursor);
  if (last.entries.length < TAIL && before) return tailBehind(api, before.cursor);
  return { cursor: last.cursor, users: last.entries.map(userOf) };
}

/** The last page, with more users: it starts within the page at this cursor. */
async function tailBehind(api: Api, cursor: string | undefined): Promise<End> {
  const { items, nextCursor } = await pageOfUsers(api, inputOf(cursor, MOST - TAIL));
  if (nextCursor === undefined) return { cursor, users: items };
  return { cursor: nextCursor, users: (await pageOfUsers(api, inputOf(nextCursor, MOST))).items };
}

/** The first page, with the maximum length, for checks of the beginning of a list. */
export const beginning = (api: Api): Promise<Page> => pageOfUsers(api, { limit: MOST });

/** The number of listed users, up to `most`. */
const seen = async (api: Api, most: number) => (await pageOfUsers(api, { limit: most })).items.length;

/** Creates the missing users; throws `Stopped` if this run may not create as many. */
export async function ensureUsers(api: Api, wanted = ENOUGH, count = () => seen(api, wanted)): Promise<void> {
  const missing = wanted - (await count());
  if (missing > api.usersLeft) throw new Stopped(`this run may not create the ${missing} users that are missing`);
  for (let left = missing; left > 0; left -= 1) expectSuccess(await api.createUser(), "user.create");
}

/** A user as JSON with sorted members; empty if there is no user. */
const spelled = (user: ListedUser | undefined) =>
  user === undefined ? "" : JSON.stringify(Object.fromEntries(Object.entries(user).sort()));

/** Checks that two lists have the same users. A finding names the first difference, and shows the response that contains it. */
export function expectSameUsers(
  actual: readonly ListedUser[],
  expected: readonly ListedUser[],
  what: string,
  aspect: Aspect = "body:/items",
): void {
  const lengths = [...Array(Math.max(actual.length, expected.length)).keys()];
  const at = lengths.find((index) => spelled(actual[index]) !== spelled(expected[index]));
  if (at === undefined) return;
  const [wanted, got] = excerpts(spelled(expected[at]), spelled(actual[at]));
  const said = ({ length }: readonly ListedUser[], user: string) =>
    `${counted(length, "user")}, ${at < length ? `at ${at} ${user}` : `none at ${at}`}`;
  const shown = sources.get(actual[at] ?? actual.at(-1) ?? {});
  fail(aspect, `${what}: ${said(expected, wanted)}`, said(actual, got), shown);
}

/** Checks that a page has a `nextCursor`, or has none. */
export function expectCursor({ nextCursor }: Page, wanted: boolean, why: string): void {
  if ((nextCursor !== undefined) !== wanted)
    fail("body:/nextCursor", `${wanted ? "a" : "no"} nextCursor, since ${why}`, nextCursor ?? "none");
}

/** The maximum number of attempts to check a list that grows; then the check is incomplete. */
const MOST_TRIES = 10;

/** Other clients may create users: repeats a failed check if the list has grown meanwhile. */
async function quietly(api: Api, run: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const before = await endOfList(api);
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof Expectation)) throw error;
      const found = error.shownBy(api.decisive);
      const after = await endOfList(api);
      if (before.users.at(-1)?.id === after.users.at(-1)?.id) throw found;
      if (tries === MOST_TRIES)
        throw new Stopped(`the list grew while it was judged, ${tries} times: ${error.message}`);
    }
  }
}

/**
 * A check of the existing users. If there are too few and the run may write, it creates users first. It runs alone, since other
 * checks create users.
 */
export const listCheck = (id: `${RequirementId}#${string}`, run: (api: Api) => Promise<void>): TargetCheck =>
  check(id, { alone: true }, async (api) => {
    if (api.usersLeft > 0) await ensureUsers(api);
    await quietly(api, () => run(api));
  });
