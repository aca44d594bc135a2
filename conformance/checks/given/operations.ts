import type { Api } from "../../client/api.ts";
import { describe, expectAccepted, expectAcceptedDocument, fail } from "../../client/expect.ts";
import { isSame } from "../../client/observation.ts";
import type { Reply } from "../../client/reply.ts";
import { check } from "../check.ts";
import { answered, inCase, inEach, shown } from "../probe.ts";
import { expectCreated, expectListed, expectNotTaken } from "./users.ts";

/** The given requirements of each operation (G3, G4, G5): it accepts or rejects, and returns JSON. */
export const givenOperations = [
  check("sysinfo/public", {}, async (api) => {
    expectAccepted(await api.call("sysinfo", { credentials: "none" }));
    expectAccepted(await api.request({ method: "GET", target: "/api/?@=sysinfo" }));
    expectAccepted(answered(await api.raw(api.rawRequest({ target: api.path("/api/?@=sysinfo") })), "GET"));
  }),
  check("sysinfo/json#content", {}, async (api) => expectContent(await api.call("sysinfo"))),
  check("test.health/json", {}, async (api) => void expectAccepted(await api.call("test.health"))),
  check("user.list/json", {}, async (api) => void expectAccepted(await api.call("user.list"))),
  check("user.list/users", { effect: "write" }, expectListed),
  check("docs.list/json", {}, async (api) => void expectAccepted(await api.call("docs.list"))),
  check("docs.list/readme", {}, async (api) => {
    const { text } = await api.call("docs.list");
    if (!/readme/i.test(text)) fail("body", "README among the entries", shown(text));
  }),
  check("docs.get/document", {}, async (api) => {
    const reply = await api.call("docs.get.README");
    expectAcceptedDocument(reply);
    if (reply.text.trim() === "") fail("body", "a document that says something", "an empty one");
  }),
  check("docs.get/by-name", {}, async (api) => {
    const [first, again] = [await api.call("docs.get.README"), await api.call("docs.get.README")];
    const other = await api.call(`docs.get.no-such-${api.runId}`);
    if (!other.refused && isSame(first, again, other)) fail("status", "not the README", describe(other));
  }),
  check("user.create/json", { effect: "write" }, async (api) => {
    const reply = await api.createUser();
    expectCreated(api, reply);
    expectAccepted(reply);
  }),

  check("user.create/body-only#query", { effect: "write" }, async (api) => {
    const { all, values, name, email } = strangerOf(api);
    const data = ["data", JSON.stringify({ name, email })] as const;
    const bracketed = all.map(([member, value]) => [`data[${member}]`, value] as const);
    for (const query of [all, [data], [...all, data], bracketed])
      await inCase(`${query.map(([member]) => member).join(", ")} in the query`, async () => {
        for (const body of [{}, { data: {} }, { data: null }])
          await expectNotTaken(
            api,
            await api.call("user.create", { body: { "@": "user.create", ...body }, query }),
            values,
          );
        await expectNotTaken(api, await api.call("user.create", { method: "GET", query }), values);
      });
  }),
  check("user.create/body-only#half", { effect: "write" }, async (api) => {
    await inEach(["name", "email"], async (member) => {
      const { all } = strangerOf(api);
      const query = all.filter(([one]) => one === member);
      const data = Object.fromEntries(all.filter(([one]) => one !== member));
      const reply = await api.call("user.create", { body: { "@": "user.create", data }, query });
      await expectNotTaken(
        api,
        reply,
        query.map(([, value]) => value),
      );
    });
  }),
  check("user.create/body-only#both", { effect: "write" }, async (api) => {
    const { all } = strangerOf(api);
    const reply = await api.call("user.create", { input: api.example("user.create"), query: all });
    const taken = all.find(([, value]) => reply.text.includes(value));
    if (!reply.refused && taken) fail(`body:/${taken[0]}`, "the input of the body, not of the query", describe(reply));
  }),
  check("user.create/body-only#headers", { effect: "write" }, async (api) => {
    const { values, name, email } = strangerOf(api);
    const headers = { name, email, "X-Name": name, "X-Email": email };
    const reply = await api.call("user.create", { body: { "@": "user.create", data: {} }, headers });
    await expectNotTaken(api, reply, values);
  }),
];

/** A user that must not be created, or not from these values. */
function strangerOf(api: Api) {
  const email = api.email();
  // Unique like the address, and no part of it.
  const name = `Ada of ${email.replaceAll("@", " at ")}`;
  const all = [["name", name] as const, ["email", email] as const];
  return { all, values: [name, email], name, email };
}

/** Checks that the document is not empty. */
function expectContent(reply: Reply): void {
  if (["{}", "[]", '""', "null"].includes(JSON.stringify(expectAccepted(reply))))
    fail("body", "a JSON document that says something", shown(reply.text));
}
