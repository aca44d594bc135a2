import { describe, expectStatus, expectSuccess, fail } from "../../client/expect.ts";
import type { Reply } from "../../client/reply.ts";
import { type Check, check } from "../check.ts";
import { walkUsers } from "../users.ts";
import { create, expectCreated, expectListed } from "./users.ts";

const MINUTE = 60_000;
const UUID_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** The target's own clock, as the answer tells it; ours where it does not. */
function answeredAt(reply: Reply): number {
  const date = Date.parse(reply.header("date") ?? "");
  return Number.isNaN(date) ? Date.now() : date;
}

function expectNear(what: string, time: number, clock: number): void {
  // Replicas, the database and the front may each have a clock of their own.
  if (!(Math.abs(time - clock) <= MINUTE))
    fail(
      "body",
      `${what} within a minute of ${new Date(clock).toISOString()}`,
      time > 0 ? new Date(time).toISOString() : `${time}`,
    );
}

/** A user that was created (D23, D24). */
export const created: readonly Check[] = [
  check("user.create/created#answered", { effect: "write" }, async (api) => {
    const sent = { name: "Grace Hopper", email: api.email((local) => `${local.padEnd(62, ".x")}.a@example.com`) };
    const reply = await create(api, sent);
    expectStatus(reply, 201);
    const user = expectSuccess(reply, "user.create");
    if (user.name !== sent.name || user.email !== sent.email) fail("state", "the user as sent", describe(reply));
    // Almost the same, and a pattern of SQL for it; but an address that is free.
    const other = await expectCreated(api, { email: api.email(() => sent.email.replace(".a@", "__@")) });
    await expectListed(api, [user, other]);
  }),
  check("user.create/created#side-by-side", { effect: "write" }, async (api) => {
    const sent = Array.from({ length: 4 }, (_, at) => ({ name: `Parallel ${at}`, email: api.email() }));
    const replies = await Promise.all(sent.map((user) => create(api, user)));
    const users = replies.map((reply) => expectSuccess(reply, "user.create"));
    for (const [at, user] of users.entries())
      if (user.email !== sent[at]?.email || user.name !== sent[at]?.name)
        fail("body", `the answer to ${sent[at]?.email}`, JSON.stringify(user));
    const ids = users.map(({ id }) => id);
    // The last bits are drawn at random (RFC 9562, 5.7).
    for (const part of [ids, ids.map((id) => id.slice(19))])
      if (new Set(part).size < ids.length)
        fail("body", "an id for each user, that none can guess from another", ids.join(", "));
    await expectListed(api, users);
  }),
  check("user.create/id", { effect: "write" }, async (api) => {
    const reply = await create(api, { name: "Ada", email: api.email() });
    const { id } = expectSuccess(reply, "user.create");
    if (!UUID_7.test(id)) fail("body", "a UUID of version 7", id);
    expectNear("the time in the id", Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16), answeredAt(reply));
  }),
  check("user.create/created-at", { effect: "write" }, async (api) => {
    const reply = await create(api, { name: "Ada", email: api.email() });
    const user = expectSuccess(reply, "user.create");
    expectNear("createdAt", Date.parse(user.createdAt), answeredAt(reply));
    await expectListed(api, [user]);
  }),
  check("user.create/listed", { effect: "write" }, async (api) => {
    // What was listed before is not listed again.
    await walkUsers(api);
    const user = await expectCreated(api);
    // At once, and not only the first time.
    await expectListed(api, [user]);
    await expectListed(api, [user]);
  }),
];
