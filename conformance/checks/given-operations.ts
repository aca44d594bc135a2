import type { Api } from "../client/api.ts";
import { describe, expectAccepted, expectAcceptedDocument, expectRefused, fail } from "../client/expect.ts";
import type { Reply } from "../client/reply.ts";
import { check } from "./check.ts";
import { answered, inCase, inEach, shown } from "./probe.ts";

/** What is given of each operation (G3, G4, G5): accepted or refused, and JSON. */
export const givenOperations = [
  check("sysinfo/public", {}, async (api) => {
    expectAccepted(await api.call("sysinfo", { credentials: "none" }));
    expectAccepted(await api.request({ method: "GET", target: "/api/?@=sysinfo" }));
    expectAccepted(answered(await api.raw(api.rawRequest({ target: api.path("/api/?@=sysinfo") })), "GET"));
  }),
  check("sysinfo/json#content", {}, async (api) => expectContent(await api.call("sysinfo"))),
  check("test.health/json", {}, async (api) => expectContent(await api.call("test.health"))),
  check("user.list/json", {}, async (api) => void expectDocument(await api.call("user.list"))),
  check("docs.list/json", {}, async (api) => expectContent(await api.call("docs.list"))),
  check("docs.get/document", {}, async (api) => {
    const reply = await api.call("docs.get.README");
    expectAcceptedDocument(reply);
    if (reply.text.trim() === "") fail("body", "a document that says something", "an empty one");
  }),
  check("user.create/json", { effect: "write" }, async (api) => expectContent(await api.createUser())),

  check("user.create/body-only#query", { effect: "write" }, async (api) => {
    const { all, name, email } = strangerOf(api);
    const data = ["data", JSON.stringify({ name, email })] as const;
    const bracketed = all.map(([member, value]) => [`data[${member}]`, value] as const);
    for (const query of [all, [data], [...all, data], bracketed])
      await inCase(`${query.map(([member]) => member).join(", ")} in the query`, async () => {
        for (const body of [{}, { data: {} }, { data: null }])
          expectRefused(await api.call("user.create", { body: { "@": "user.create", ...body }, query }));
        expectRefused(await api.call("user.create", { method: "GET", query }));
      });
  }),
  check("user.create/body-only#half", { effect: "write" }, async (api) => {
    const { all } = strangerOf(api);
    await inEach(all, async ([member, value]) => {
      const data = Object.fromEntries(all.filter(([other]) => other !== member));
      const body = { "@": "user.create", data };
      expectRefused(await api.call("user.create", { body, query: [[member, value]] }));
    });
  }),
  check("user.create/body-only#both", { effect: "write" }, async (api) => {
    const { all } = strangerOf(api);
    const reply = await api.call("user.create", { input: api.example("user.create"), query: all });
    const taken = all.find(([, value]) => reply.text.includes(value));
    if (reply.status >= 200 && reply.status < 300 && taken)
      fail(`body:/${taken[0]}`, "the input of the body, not of the query", describe(reply));
  }),
  check("user.create/body-only#headers", { effect: "write" }, async (api) => {
    const { name, email } = strangerOf(api);
    const headers = { name, email, "X-Name": name, "X-Email": email };
    expectRefused(await api.call("user.create", { body: { "@": "user.create", data: {} }, headers }));
  }),
];

/** Somebody who must not be created, or not from there. */
function strangerOf(api: Api) {
  const [name, email] = [`Ada ${api.runId}`, api.email()];
  const all = [["name", name] as const, ["email", email] as const];
  return { all, name, email };
}

function expectDocument(reply: Reply): object {
  const json = expectAccepted(reply);
  return typeof json === "object" && json !== null ? json : fail("body", "a JSON document", shown(reply.text));
}

/** A document with something in it. */
function expectContent(reply: Reply): void {
  const document = expectDocument(reply);
  if (Object.keys(document).length === 0) fail("body", "a JSON document that says something", shown(reply.text));
}
