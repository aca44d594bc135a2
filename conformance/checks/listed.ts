import type { Api } from "../client/api.ts";
import { expectSuccess, fail } from "../client/expect.ts";

const PAGE = 200;
/** A deployment with more users than these pages hold is one that only a human can judge. */
const MAX_PAGES = 100;

/** The e-mail addresses of all users, walked page by page. */
export async function listedEmails(api: Api): Promise<string[]> {
  const emails: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const input = cursor === undefined ? { limit: PAGE } : { limit: PAGE, cursor };
    const { items, nextCursor } = expectSuccess(await api.call("user.list", { input }), "user.list");
    emails.push(...items.map(({ email }) => email));
    if (nextCursor === undefined) return emails;
    cursor = nextCursor;
  }
  return emails;
}

/** Nothing was created by requests that were refused. */
export async function expectNotListed(api: Api, ...emails: readonly string[]): Promise<void> {
  const listed = new Set((await listedEmails(api)).map((email) => email.toLowerCase()));
  const found = emails.find((email) => listed.has(email.toLowerCase()));
  if (found !== undefined) fail("nothing to be created by a refused request", `${found} is a user now`);
}
