import { describe, expectAccepted, expectAcceptedDocument, expectRefused, fail } from "../client/expect.ts";
import { check } from "./check.ts";
import { answered, inCase, shown } from "./probe.ts";

/** What is given of each operation (G3, G4, G5): accepted or refused, and JSON. */
export const givenOperations = [
  check("sysinfo/public", {}, async (api) => {
    expectAccepted(await api.call("sysinfo", { credentials: "none" }));
    expectAccepted(await api.request({ method: "GET", target: "/api/?@=sysinfo" }));
    expectAccepted(answered(await api.raw(api.rawRequest({ target: api.path("/api/?@=sysinfo") })), "GET"));
  }),
  check("sysinfo/json#content", {}, async (api) => expectContent(expectAccepted(await api.call("sysinfo")))),
  check("test.health/json", {}, async (api) => expectContent(expectAccepted(await api.call("test.health")))),
  check("user.list/json", {}, async (api) => {
    expectDocument(expectAccepted(await api.call("user.list")));
  }),
  check("docs.list/json", {}, async (api) => expectContent(expectAccepted(await api.call("docs.list")))),
  check("docs.get/document", {}, async (api) => {
    const reply = await api.call("docs.get.README");
    expectAcceptedDocument(reply);
    if (reply.text.trim() === "") fail("body", "a document that says something", "an empty one");
  }),
  check("user.create/json", { effect: "write" }, async (api) => expectContent(expectAccepted(await api.createUser()))),

  check("user.create/body-only#query", { effect: "write" }, async (api) => {
    const name = "Ada Lovelace";
    const email = api.email();
    const query = [
      ["name", name],
      ["email", email],
    ] as const;
    const data = ["data", JSON.stringify({ name, email })] as const;
    for (const pairs of [
      query,
      [data],
      [...query, data],
      [
        ["data[name]", name],
        ["data[email]", email],
      ] as const,
    ]) {
      for (const body of [
        { "@": "user.create" },
        { "@": "user.create", data: {} },
        { "@": "user.create", data: null },
      ]) {
        const reply = await api.call("user.create", { body, query: pairs });
        await inCase(`${pairs.map(([member]) => member).join(", ")} in the query`, () => expectRefused(reply));
      }
      const get = await api.call("user.create", { method: "GET", query: pairs });
      await inCase(`GET with ${pairs.map(([member]) => member).join(", ")}`, () => expectRefused(get));
    }
  }),
  check("user.create/body-only#half", { effect: "write" }, async (api) => {
    const email = api.email();
    const halves = [
      [{ name: "Ada Lovelace" }, "email", email],
      [{ email }, "name", "Ada Lovelace"],
    ] as const;
    for (const [data, member, value] of halves) {
      const reply = await api.call("user.create", { body: { "@": "user.create", data }, query: [[member, value]] });
      await inCase(`${member} only in the query`, () => expectRefused(reply));
    }
  }),
  check("user.create/body-only#both", { effect: "write" }, async (api) => {
    const email = api.email();
    const query = [
      ["name", "From The Query"],
      ["email", email],
    ] as const;
    const reply = await api.call("user.create", { input: api.example("user.create"), query });
    if (
      reply.status >= 200 &&
      reply.status < 300 &&
      (reply.text.includes(email) || reply.text.includes("From The Query"))
    ) {
      fail("body", "the input of the body, not of the query", describe(reply));
    }
  }),
  check("user.create/body-only#headers", { effect: "write" }, async (api) => {
    const email = api.email();
    const headers = { name: "Ada Lovelace", email, "X-Name": "Ada Lovelace", "X-Email": email };
    expectRefused(await api.call("user.create", { body: { "@": "user.create", data: {} }, headers }));
  }),
];

function expectDocument(json: unknown): object {
  if (typeof json === "object" && json !== null) return json;
  return fail("body", "a JSON document", shown(JSON.stringify(json)));
}

/** A document with something in it. */
function expectContent(json: unknown): void {
  if (Object.keys(expectDocument(json)).length === 0)
    fail("body", "a JSON document that says something", JSON.stringify(json));
}
