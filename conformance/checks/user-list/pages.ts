import type { RequirementId } from "../../../generated/requirements.ts";
import type { Api } from "../../client/api.ts";
import { counted } from "../../client/counted.ts";
import { expectSuccess, fail } from "../../client/expect.ts";
import { type Aspect, Expectation, Stopped } from "../../client/expectation.ts";
import { excerpts } from "../../client/reply.ts";
import { check, type TargetCheck } from "../check.ts";
import { type PageOfAny, pagesOf, sources } from "../state.ts";
import { type ListedUser, type Page, pageOfUsers, userOf } from "./users.ts";

/** Words for looking at `user.list`. */

/** D26 gives these: users on a page by default, and at most. */
export const DEFAULT = 50;
export const MOST = 200;

/** Pages of a walk that need not come to its end. */
export const FEW_PAGES = 12;

/** Users that must be there for a page to have an end, a middle and a beginning. */
const ENOUGH = 3;

/** Users that are on the last page at least, if there are as many, however many there are: the newest, and some before them. */
const TAIL = 10;

/** The last page of a walk of the most users each: where it starts, and what is on it. */
export interface End {
  readonly cursor: string | undefined;
  readonly users: readonly ListedUser[];
}

export const inputOf = (cursor: string | undefined, limit: number) =>
  cursor === undefined ? { limit } : { limit, cursor };

/** Throws `Stopped` for a list that is too long to be read to its end. */
export async function endOfList(api: Api): Promise<End> {
  const pages: PageOfAny[] = [];
  for await (const page of pagesOf(api, "user.list")) pages.push(page);
  const [last, before] = pages.reverse();
  if (!last || last.entries.length === MOST) return tailBehind(api, last?.cursor);
  if (last.entries.length < TAIL && before) return tailBehind(api, before.cursor);
  return { cursor: last.cursor, users: last.entries.map(userOf) };
}

/** The last page, begun earlier: within the page that starts here. */
async function tailBehind(api: Api, cursor: string | undefined): Promise<End> {
  const { items, nextCursor } = await pageOfUsers(api, inputOf(cursor, MOST - TAIL));
  if (nextCursor === undefined) return { cursor, users: items };
  return { cursor: nextCursor, users: (await pageOfUsers(api, inputOf(nextCursor, MOST))).items };
}

/** The first page of the most users, for what holds at the beginning of a list. */
export const beginning = (api: Api): Promise<Page> => pageOfUsers(api, { limit: MOST });

/** How many users are seen, up to so many. */
const seen = async (api: Api, most: number) => (await pageOfUsers(api, { limit: most })).items.length;

/** Creates as many users as are missing; throws `Stopped` where this run may not create so many. */
export async function ensureUsers(api: Api, wanted = ENOUGH, count = () => seen(api, wanted)): Promise<void> {
  const missing = wanted - (await count());
  if (missing > api.usersLeft) throw new Stopped(`this run may not create the ${missing} users that are missing`);
  for (let left = missing; left > 0; left -= 1) expectSuccess(await api.createUser(), "user.create");
}

/** A user with its members in one order; empty where there is none. */
const spelled = (user: ListedUser | undefined) =>
  user === undefined ? "" : JSON.stringify(Object.fromEntries(Object.entries(user).sort()));

/** Two lists of the same users: a finding names the first that differs, and shows the response that it was read from. */
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

/** A cursor is there, or not. */
export function expectCursor({ nextCursor }: Page, wanted: boolean, why: string): void {
  if ((nextCursor !== undefined) !== wanted)
    fail("body:/nextCursor", `${wanted ? "a" : "no"} nextCursor, since ${why}`, nextCursor ?? "none");
}

/** How often a list that grows is judged before nothing can be said of it. */
const MOST_TRIES = 10;

/** Somebody else may create users: judges again when the list has grown while it was judged. */
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
 * A check of what is listed: of what is there, and where there is too little and the run may write, of users of its own.
 * Alone, since other checks create users.
 */
export const listCheck = (id: `${RequirementId}#${string}`, run: (api: Api) => Promise<void>): TargetCheck =>
  check(id, { alone: true }, async (api) => {
    if (api.usersLeft > 0) await ensureUsers(api);
    await quietly(api, () => run(api));
  });
