import { operations } from "../../../generated/operations.ts";
import { describe, fail, leftTo } from "../../client/expect.ts";
import { type Check, check } from "../check.ts";
import { faultsOf, faulty, written } from "../faults.ts";
import { answered, credentialFields, expectRefusedAs, inCase, toJudge } from "../probe.ts";
import { expectNotCreated } from "../state.ts";
import { walkUsers } from "../user-list/users.ts";
import { expectCreated } from "./users.ts";

const creating = operations["user.create"];
const refusals = faultsOf(creating).filter(({ step }) => step !== "readHead" && step !== "handle");

/** A rejected create stores nothing (D24). */
export const refused: readonly Check[] = [
  check("user.create/refused-not-stored#problems", { effect: "write" }, async (api) => {
    const sent = refusals.map((one) => ({ ...one, data: { name: "Ada Lovelace", email: api.email() } }));
    for (const { data, ...one } of toJudge(sent, "refusal"))
      await inCase(`${one.step}, ${one.code}`, async () =>
        expectRefusedAs(await api.request(written(faulty(api, one, data))), one.code),
      );
    const listed = new Set(
      (await leftTo("its operation", () => walkUsers(api))).map(({ email }) => email.toLowerCase()),
    );
    const stored = sent.find(({ data }) => listed.has(data.email.toLowerCase()));
    if (stored)
      fail("state", `nobody created by what is refused at ${stored.step}`, `${stored.data.email} is a user now`);
    // The addresses are not in use.
    await expectCreated(api, { email: sent[0]?.data.email ?? api.email() });
  }),
  check("user.create/refused-not-stored#other-methods", { effect: "write" }, async (api) => {
    const email = api.email();
    const headers = [...credentialFields(api), ["Content-Type", "application/json"] as const];
    const body = JSON.stringify({ "@": creating.id, data: { name: "Ada Lovelace", email } });
    for (const method of ["HEAD", "DELETE"])
      for (const query of ["", `?@=${creating.id}`])
        await inCase(`by ${method} with the query ${query}`, async () => {
          const request = { method, target: api.path(`/api/${query}`), headers, body };
          const reply = answered(await api.raw(api.rawRequest(request), { heads: [method === "HEAD"] }), method);
          if (reply.status < 400) fail("status", "a refusal", describe(reply));
        });
    await expectNotCreated(api, [email]);
  }),
];
