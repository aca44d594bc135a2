import type { Api } from "../../client/api.ts";
import { expectProblem, expectSuccess, fail } from "../../client/expect.ts";
import { type Check, check } from "../check.ts";
import { inCase } from "../probe.ts";
import { create, expectCreated, expectListed } from "./users.ts";

const upper = (email: string) => email.toUpperCase();
const upperLocal = (email: string) => email.replace(/^[^@]+/, upper);
const upperDomain = (email: string) => email.replace(/[^@]+$/, upper);
const capital = (email: string) => email.replace(/^./, upper);

/** An address with every letter: some languages have another small letter for I than i. */
const everyLetter = (api: Api) => api.email((local) => `${local}-abcdefghijklmnopqrstuvwxyz@example.com`);

async function expectTaken(api: Api, email: string): Promise<void> {
  const reply = await create(api, { name: "Somebody Else", email });
  expectProblem(reply, 409, "email-taken", "user.create");
}

/** At the same time, on connections of their own. Exactly one is created. */
async function race(api: Api, emails: readonly string[]): Promise<void> {
  const replies = await Promise.all(emails.map((email, at) => create(api, { name: `Racer ${at}`, email })));
  const winners = replies.filter(({ status }) => status < 300);
  if (winners.length !== 1)
    fail(
      "status",
      "exactly one 201",
      `${winners.length} of ${emails.length}: ${replies.map(({ status }) => status).join(", ")}`,
    );
  for (const reply of replies) if (!winners.includes(reply)) expectProblem(reply, 409, "email-taken", "user.create");
  const users = winners.map((reply) => expectSuccess(reply, "user.create"));
  const [at] = replies.flatMap((reply, index) => (winners.includes(reply) ? [index] : []));
  for (const user of users)
    if (user.name !== `Racer ${at}` || user.email !== emails[at ?? 0])
      fail("body", "the user of the request that won", JSON.stringify(user));
  await expectListed(api, users);
}

/** One user for each address, letter case aside (D24). */
export const taken: readonly Check[] = [
  check("user.create/email-taken#same", { effect: "write" }, async (api) => {
    const first = await expectCreated(api);
    const again = await create(api, { name: first.name, email: first.email });
    expectProblem(again, 409, "email-taken", "user.create");
    await expectTaken(api, first.email);
    await expectTaken(api, first.email);
    await expectListed(api, [first]);
  }),
  check("user.create/email-taken#letter-case", { effect: "write" }, async (api) => {
    const first = await expectCreated(api, { email: everyLetter(api) });
    for (const change of [upper, upperLocal, upperDomain, capital])
      await inCase(change(first.email), () => expectTaken(api, change(first.email)));
    await expectListed(api, [first]);
  }),
  check("user.create/email-taken#stored-in-upper-case", { effect: "write" }, async (api) => {
    const email = everyLetter(api);
    const first = await expectCreated(api, { email: upperLocal(email) });
    for (const other of [email, upper(email), upperDomain(email)]) await inCase(other, () => expectTaken(api, other));
    await expectListed(api, [first]);
  }),
  check("user.create/one-of-many#same", { effect: "write" }, async (api) => {
    const email = api.email();
    await race(
      api,
      Array.from({ length: 8 }, () => email),
    );
  }),
  check("user.create/one-of-many#letter-case", { effect: "write" }, async (api) => {
    const email = everyLetter(api);
    await race(api, [email, upper(email), upperLocal(email), upperDomain(email), capital(email), email, upper(email)]);
  }),
];
