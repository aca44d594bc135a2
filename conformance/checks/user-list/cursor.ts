import type { Api } from "../../client/api.ts";
import { expectProblem, expectSuccess, fail } from "../../client/expect.ts";
import { Stopped } from "../../client/expectation.ts";
import { check } from "../check.ts";
import { inCase } from "../probe.ts";
import { pageOfUsers } from "../users.ts";
import { ensureUsers, listCheck } from "./pages.ts";

const base64 = (text: string | Buffer) => Buffer.from(text).toString("base64");
const base64url = (text: string | Buffer) => Buffer.from(text).toString("base64url");

/** Never given out, whatever a cursor looks like. */
const madeUp = [
  "",
  " ",
  "x",
  "0",
  "1",
  "50",
  "-1",
  "1e3",
  "null",
  "undefined",
  "true",
  "not-a-cursor",
  "AAAA",
  "====",
  "!!!!",
  "%",
  "*",
  "' OR '1'='1",
  "1; DROP TABLE users; --",
  "__proto__",
  "constructor",
  '{"id":1}',
  "[]",
  "../../etc/passwd",
  "\0",
  "a\r\nb",
  "\u00e9",
  "\u{1f600}",
  "00000000-0000-0000-0000-000000000000",
  "019c1395-e200-7000-8000-0123456789ab",
  "2026-01-01T00:00:00.000Z",
  base64('{"id":"019c1395-e200-7000-8000-0123456789ab"}'),
  base64url('{"after":"019c1395-e200-7000-8000-0123456789ab"}'),
  base64("019c1395-e200-7000-8000-0123456789ab"),
  base64("1"),
  base64("50"),
  base64url(Buffer.from("019c1395e200700080000123456789ab", "hex")),
  base64url(Buffer.alloc(20)),
  base64url(Buffer.alloc(24, 255)),
  "a".repeat(4000),
];

const other = (character: string) => (character === "A" ? "B" : "A");
const changed = (text: string, at: number) => text.slice(0, at) + other(text.charAt(at)) + text.slice(at + 1);
const swapCase = (text: string) => (text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase());

/** Almost one that was given out. */
function nearMisses(cursor: string): string[] {
  const middle = Math.floor(cursor.length / 2);
  const all = [
    cursor.slice(0, -1),
    cursor.slice(1),
    cursor.slice(0, middle),
    cursor.slice(middle),
    `${cursor}A`,
    `${cursor}=`,
    `${cursor}==`,
    `${cursor} `,
    ` ${cursor}`,
    `${cursor}\n`,
    `${cursor}\0`,
    `${cursor}.`,
    `"${cursor}"`,
    cursor + cursor,
    changed(cursor, 0),
    changed(cursor, Math.floor(cursor.length / 4)),
    changed(cursor, middle),
    changed(cursor, Math.floor((cursor.length * 3) / 4)),
    changed(cursor, cursor.length - 1),
    cursor.replace(/[a-z](?=[^a-z]*$)/i, swapCase),
    cursor.replace(/[a-z]/i, swapCase),
    [...cursor].reverse().join(""),
    base64(cursor),
    cursor.toUpperCase(),
    cursor.toLowerCase(),
    // The last character of base64 may hold bits that count for nothing: another spelling was not given out either.
    ...[..."BCDEFGHIJKLMNOPQRSTUVWXYZabcdef"].map((letter) => cursor.slice(0, -1) + letter).slice(0, 16),
  ];
  return all.filter((text) => text !== cursor);
}

/** What is known of a user is no cursor. */
const ofUser = (id: string) => {
  const hex = id.replaceAll("-", "");
  const bytes = Buffer.from(hex, "hex");
  return [
    id,
    id.toUpperCase(),
    hex,
    base64(id),
    base64url(id),
    base64(bytes),
    base64url(bytes),
    base64(JSON.stringify({ id })),
    base64(JSON.stringify(id)),
    base64url(JSON.stringify({ after: id })),
  ];
};

async function expectInvalid(api: Api, cursors: Iterable<string>): Promise<void> {
  for (const cursor of new Set(cursors)) {
    const reply = await api.call("user.list", { input: { limit: 1, cursor } });
    const shown = cursor.length > 60 ? `${cursor.slice(0, 60)}…` : cursor;
    await inCase(`cursor ${JSON.stringify(shown)}`, async () =>
      expectProblem(reply, 400, "invalid-cursor", "user.list"),
    );
  }
}

/** Two pages of one user, and the cursor between them. */
async function givenOut(api: Api): Promise<{ readonly cursors: readonly string[]; readonly id: string }> {
  const first = await pageOfUsers(api, { limit: 1 });
  const [user] = first.items;
  if (first.nextCursor === undefined || !user) throw new Stopped("there is no second page, and no cursor to it");
  const second = await pageOfUsers(api, { limit: 1, cursor: first.nextCursor });
  return { cursors: [first.nextCursor, ...(second.nextCursor === undefined ? [] : [second.nextCursor])], id: user.id };
}

/** Cursors that were not given out (D26). */
export const cursors = [
  check("user.list/invalid-cursor#made-up", {}, async (api) => {
    await pageOfUsers(api, { limit: 1 });
    await expectInvalid(api, madeUp);
    const bare = await api.call("user.list", { rawQuery: "@=user.list&cursor" });
    await inCase("cursor without a value", async () => expectProblem(bare, 400, "invalid-cursor", "user.list"));
    const defaulted = await api.call("user.list", { input: { cursor: "not-a-cursor" } });
    await inCase("without limit", async () => expectProblem(defaulted, 400, "invalid-cursor", "user.list"));
  }),
  ...listCheck("user.list/invalid-cursor#near-misses", async (api) => {
    const given = await givenOut(api);
    await expectInvalid(
      api,
      [...nearMisses(given.cursors[0] ?? ""), ...ofUser(given.id)].filter((text) => !given.cursors.includes(text)),
    );
    for (const cursor of given.cursors) await pageOfUsers(api, { limit: 1, cursor });
  }),
  check("user.list/invalid-cursor#still-valid", { effect: "write", alone: true }, async (api) => {
    await ensureUsers(api);
    if ((await pageOfUsers(api, { limit: 1 })).nextCursor === undefined) fail("body", "a second page", "none");
    const given = await givenOut(api);
    const [cursor = ""] = given.cursors;
    const call = (rawQuery: string) => api.call("user.list", { rawQuery });
    const [plain] = (await pageOfUsers(api, { limit: 1, cursor })).items;
    // Another spelling in the query is the same value.
    const escaped = Buffer.from(cursor).toString("hex").replace(/../g, "%$&");
    for (const query of [
      `cursor=${escaped}&@=user.list&limit=1`,
      `limit=1&@=user.list&cursor=${encodeURIComponent(cursor)}`,
    ]) {
      const { items } = expectSuccess(await call(query), "user.list");
      if (items[0]?.id !== plain?.id) fail("body", "the same page by the same cursor", JSON.stringify(items));
    }
  }),
];
