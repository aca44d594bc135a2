import type { Api } from "../../client/api.ts";
import { describe, expectProblem, expectStatus, expectSuccess, fail } from "../../client/expect.ts";
import type { Aspect } from "../../client/expectation.ts";
import { memberIn, type Reply } from "../../client/reply.ts";
import { type Check, check } from "../check.ts";
import { inCase } from "../probe.ts";
import { walkUsers } from "../user-list/users.ts";
import { create, expectCreated, expectListed } from "./users.ts";

const MINUTE = 60_000;
const UUID_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** Within a minute of the `Date` of the response, or else of the local clock: the clocks of replicas differ. */
function expectNow(aspect: Aspect, what: string, time: number, reply: Reply): void {
  const date = Date.parse(reply.header("date") ?? "");
  const clock = Number.isNaN(date) ? Date.now() : date;
  if (!(Math.abs(time - clock) <= MINUTE)) fail(aspect, `${what} of ${new Date(clock).toISOString()}`, `${time} ms`);
}

/** Names that software on the way might change. Each combines several cases, so that few users are needed. */
const NAMES = [
  // Syntax of pages, shells, SQL, templates and logs.
  `<b onclick="x()">O'Brien & Sons</b> "quoted" \\ \\n \\u0041 &amp; %00 %41 +1 \${x} {{x}} <%= x %> ` +
    "'); DROP TABLE users;-- `id` $(id) ?, :name $1 @p # /* */ || null",
  // Composed and decomposed, compatible and Kelvin (every normal form is another text); right to left, beyond the BMP,
  // joined, invisible, and special letter case.
  "e\u0301 \u00e9 \u212b \u00c5 \ufb01 \uff21 \u1100\u1161 \uac00 \u2126 \u212a q\u0307\u0323 q\u0323\u0307 " +
    "\u0645\u0631\u064a\u0645 \u05d3\u05d5\u05d3 \u{1f469}\u200d\u{1f52c}\u{1f3fd} \u{20bb7} \u5c71\u7530 \u0130\u0131\u00df\u1e9e \ufe0f\u200e\u200f\u00ad",
  // Inner blanks of all widths, and letter case.
  "aDa   LOVElace\u00a0\u00a0of\u3000 \u2003 \u2028\u2029 \u202f\ufeff\u200bEND",
  // Texts that some databases read as a number, or as null.
  "007",
  "null",
  // The maximum length of a name: 400 UTF-16 units, 800 bytes.
  "\u{1f600}".repeat(200),
];

const upper = (email: string) => email.toUpperCase();
const upperLocal = (email: string) => email.replace(/^[^@]+/, upper);
const upperDomain = (email: string) => email.replace(/[^@]+$/, upper);
const capital = (email: string) => email.replace(/^./, upper);

/** An address with every letter: in some languages, the lower case of I is not i. */
const everyLetter = (api: Api) => api.email((local) => `${local}-abcdefghijklmnopqrstuvwxyz@example.com`);

/** Sends creates at the same time, each on its own connection. Exactly one must succeed. */
async function race(api: Api, emails: readonly string[]): Promise<void> {
  const racers = emails.map((email, at) => ({ name: `Racer ${at}`, email }));
  const runs = await Promise.all(racers.map(async (racer) => ({ racer, reply: await create(api, racer) })));
  const statuses = runs.map(({ reply }) => reply.status).join(", ");
  const [first, ...more] = runs.filter(({ reply }) => reply.status < 300);
  if (!first || more.length > 0) fail("status", `exactly one 201 of ${emails.length}`, statuses);
  for (const run of runs) if (run !== first) expectProblem(run.reply, 409, "email-taken");
  const user = expectSuccess(first.reply, "user.create");
  if (user.name !== first.racer.name || user.email !== first.racer.email)
    fail("body", "the user of the request that won", describe(first.reply));
  await expectListed(api, [user]);
}

/** A new user: returned as it was sent, listed, and the only one with its address (D23, D24). */
export const created: readonly Check[] = [
  check("user.create/created#answered", { effect: "write" }, async (api) => {
    const sent = { name: "Grace Hopper", email: api.email() };
    const reply = await create(api, sent);
    expectStatus(reply, 201);
    const user = expectSuccess(reply, "user.create");
    if (user.name !== sent.name || user.email !== sent.email) fail("body", "the user as sent", describe(reply));
    await expectListed(api, [user]);
  }),
  check("user.create/created#whatever-is-preferred", { effect: "write" }, async (api) => {
    // RFC 7240: a server may ignore preferences, and this API does.
    const headers = { Prefer: "return=minimal, respond-async" };
    expectSuccess(await api.call("user.create", { input: api.example("user.create"), headers }), "user.create");
  }),
  check("user.create/created#side-by-side", { effect: "write" }, async (api) => {
    const sent = [1, 2, 3, 4].map((at) => ({ name: `Parallel ${at}`, email: api.email() }));
    const users = await Promise.all(sent.map((user) => expectCreated(api, user)));
    const ids = users.map(({ id }) => id);
    // The last bits are random (RFC 9562, 5.7).
    for (const part of [ids, ids.map((id) => id.slice(19))])
      if (new Set(part).size < ids.length) fail("body:/id", "ids that none can guess from another", ids.join(", "));
    await expectListed(api, users);
  }),
  check("user.create/id", { effect: "write" }, async (api) => {
    const reply = await create(api, { name: "Ada", email: api.email() });
    const id = memberIn(reply.body, "id") ?? "none";
    if (!UUID_7.test(id)) fail("body:/id", "a UUID of version 7", id);
    expectNow("body:/id", "the time in the id", Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16), reply);
  }),
  check("user.create/created-at", { effect: "write" }, async (api) => {
    const reply = await create(api, { name: "Ada", email: api.email() });
    expectNow("body:/createdAt", "createdAt", Date.parse(memberIn(reply.body, "createdAt") ?? ""), reply);
    await expectListed(api, [expectSuccess(reply, "user.create")]);
  }),
  check("user.create/listed", { effect: "write" }, async (api) => {
    // Reads the list first, so that a cached list would not contain the new user.
    await walkUsers(api);
    const user = await expectCreated(api);
    // Listed immediately, and also the second time.
    await expectListed(api, [user]);
    await expectListed(api, [user]);
  }),
  check("user.create/as-sent", { effect: "write" }, async (api) => {
    const spelled = api.email().replace("conformance", "ConFormance").replace("example.com", "EXAMPLE.Com");
    const users = [await expectCreated(api, { email: spelled })];
    for (const name of NAMES) users.push(await expectCreated(api, { name }));
    await expectListed(api, users);
  }),
  check("user.create/email-taken", { effect: "write" }, async (api) => {
    const users = [
      await expectCreated(api, { email: everyLetter(api) }),
      await expectCreated(api, { email: upperLocal(everyLetter(api)) }),
    ];
    for (const { name, email } of users)
      for (const change of [String, upper, upperLocal, upperDomain, capital, (text: string) => text.toLowerCase()])
        for (const other of [name, "Somebody Else"]) {
          const reply = await create(api, { name: other, email: change(email) });
          await inCase(change(email), () => expectProblem(reply, 409, "email-taken"));
        }
    await expectListed(api, users);
  }),
  check("user.create/email-taken#almost", { effect: "write" }, async (api) => {
    const one = api.email((local) => `${local}+x.y.`.padEnd(64, "z").concat("@a.b.example.com"));
    // One dot less after the plus, another domain, an SQL pattern: each is another address, and not in use.
    const others = [one.replace("x.y", "xy"), one.replace("a.b.", "a.c."), one.replace("x.y.", "x_y_")];
    const users = [await expectCreated(api, { email: one })];
    for (const email of others) users.push(await expectCreated(api, { email: api.email(() => email) }));
    await expectListed(api, users);
  }),
  check("user.create/one-of-many", { effect: "write" }, async (api) => {
    const same = api.email();
    await race(api, Array(8).fill(same));
    const email = everyLetter(api);
    await race(api, [email, upper(email), upperLocal(email), upperDomain(email), capital(email), email, upper(email)]);
  }),
];
