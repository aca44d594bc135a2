import type { Api } from "../../client/api.ts";
import { describe, expectProblem, fail } from "../../client/expect.ts";
import { Stopped } from "../../client/expectation.ts";
import { check } from "../check.ts";
import { inCase, shown } from "../probe.ts";
import { beginning, ensureUsers, expectCursor, listCheck } from "./pages.ts";
import { pageOfUsers, readPage } from "./users.ts";

const base64 = (text: string | Buffer) => Buffer.from(text).toString("base64");
const base64url = (text: string | Buffer) => Buffer.from(text).toString("base64url");

/** A user's id is no cursor, in any spelling. */
const ofUser = (id: string) => {
  const bytes = Buffer.from(id.replaceAll("-", ""), "hex");
  const json = [{ id }, id, { after: id }].map((one) => JSON.stringify(one));
  const all = [id, bytes, ...json].flatMap((one) => [base64(one), base64url(one)]);
  return [id, id.toUpperCase(), bytes.toString("hex"), ...all];
};

/** Values that no server has issued as a cursor, whatever its form. */
const MADE_UP = [
  ..."x 0 1 50 -1 1e3 null undefined true not-a-cursor AAAA ==== !!!! % * __proto__ constructor [] MQ== NTA=".split(
    " ",
  ),
  ...["", " ", "' OR '1'='1", "1; DROP TABLE users; --", '{"id":1}', "../../etc/passwd", "\0", "a\r\nb"],
  ...["\u00e9", "\u{1f600}", "00000000-0000-0000-0000-000000000000", "2026-01-01T00:00:00.000Z", "a".repeat(4000)],
  ...[base64url(Buffer.alloc(20)), base64url(Buffer.alloc(24, 255))],
  ...ofUser("019c1395-e200-7000-8000-0123456789ab"),
];

const swapCase = (text: string) => (text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase());

/** Values that differ slightly from an issued cursor. */
function nearMisses(cursor: string): readonly string[] {
  const { length } = cursor;
  const middle = Math.floor(length / 2);
  const changed = (at: number) => cursor.slice(0, at) + (cursor[at] === "A" ? "B" : "A") + cursor.slice(at + 1);
  return [
    ...[cursor.slice(0, -1), cursor.slice(1), cursor.slice(0, middle), cursor.slice(middle), cursor + cursor],
    ...["A", "=", "==", " ", "\n", "\0", "."].map((end) => cursor + end),
    ...[` ${cursor}`, `"${cursor}"`, [...cursor].reverse().join(""), base64(cursor)],
    ...[0, Math.floor(length / 4), middle, Math.floor((length * 3) / 4), length - 1].map(changed),
    ...[cursor.replace(/[a-z](?=[^a-z]*$)/i, swapCase), cursor.replace(/[a-z]/i, swapCase)],
    ...[cursor.toUpperCase(), cursor.toLowerCase()],
    // The last character of base64 may have unused bits: another spelling of them is no issued cursor either.
    ...[..."BCDEFGHIJKLMNOPQ"].map((letter) => cursor.slice(0, -1) + letter),
  ];
}

async function expectInvalid(api: Api, cursors: Iterable<string>): Promise<void> {
  for (const cursor of new Set(cursors)) {
    const reply = await api.call("user.list", { input: { limit: 1, cursor } });
    await inCase(`cursor ${shown(cursor)}`, () => expectProblem(reply, 400, "invalid-cursor"));
  }
}

/** The cursors of two pages of one user each. */
async function givenOut(api: Api): Promise<{ readonly cursors: readonly [string, ...string[]]; readonly id: string }> {
  const first = await pageOfUsers(api, { limit: 1 });
  const [user] = first.items;
  if (first.nextCursor === undefined || !user) throw new Stopped("there is no second page, and no cursor to it");
  const second = await api.call("user.list", { input: { limit: 1, cursor: first.nextCursor } });
  if (second.status !== 200) fail("body:/nextCursor", "a nextCursor that is taken for a cursor", describe(second));
  const { nextCursor } = readPage(second);
  return { cursors: [first.nextCursor, ...(nextCursor === undefined ? [] : [nextCursor])], id: user.id };
}

/** Cursors that were not issued (D26). */
export const cursors = [
  check("user.list/invalid-cursor#made-up", {}, async (api) => {
    await expectInvalid(api, [api.runId, ...MADE_UP]);
    for (const rawQuery of ["@=user.list&cursor", `@=user.list&cursor=${api.runId}`])
      expectProblem(await api.call("user.list", { rawQuery }), 400, "invalid-cursor");
  }),
  listCheck("user.list/invalid-cursor#near-misses", async (api) => {
    const { cursors, id } = await givenOut(api);
    const wrong = [...nearMisses(cursors[0]), ...ofUser(id)];
    await expectInvalid(
      api,
      wrong.filter((text) => !cursors.includes(text)),
    );
    for (const cursor of cursors) await pageOfUsers(api, { limit: 1, cursor });
  }),
  check("user.list/invalid-cursor#still-valid", { effect: "write", alone: true }, async (api) => {
    await ensureUsers(api);
    expectCursor(await pageOfUsers(api, { limit: 1 }), true, "more users are there");
    const { cursors } = await givenOut(api);
    const [cursor] = cursors;
    const [, second] = (await beginning(api)).items;
    // Another percent-encoding in the query is the same value.
    const escaped = Buffer.from(cursor).toString("hex").replace(/../g, "%$&");
    const spellings = [
      `cursor=${escaped}&@=user.list&limit=1`,
      `limit=1&@=user.list&cursor=${encodeURIComponent(cursor)}`,
    ];
    for (const rawQuery of spellings) {
      const { items } = readPage(await api.call("user.list", { rawQuery }));
      if (items[0]?.id !== second?.id) fail("body:/items", `the second user, ${second?.id}`, JSON.stringify(items));
    }
  }),
];
