import { operations } from "../../../generated/operations.ts";
import type { Api } from "../../client/api.ts";
import { expectProblem, expectStatus, fail } from "../../client/expect.ts";
import { commands, type Known, nameOf, queries } from "../../client/operation.ts";
import type { Reply } from "../../client/reply.ts";
import { check } from "../check.ts";
import { answered, expectReached, inCase, reach, shown } from "../probe.ts";
import { expectUnchanged, stateOf } from "../state.ts";

/** A request has to name its operation, once (D1, D33). */

function expectMissing(reply: Reply): void {
  expectProblem(reply, 400, "operation-missing");
  const named = reply.header("x-operation");
  if (named !== undefined) fail("header:x-operation", "no X-Operation where none is named", named);
}

const withoutName = ["", "@", "@=", "%40", "%40=", "=sysinfo", "limit=1", "&", "x"];
const nearlyAt = [
  "@@=sysinfo",
  "a@=sysinfo",
  "@a=sysinfo",
  "@%20=sysinfo",
  "%20@=sysinfo",
  "@+=sysinfo",
  "%2540=sysinfo",
  "@%5B%5D=sysinfo",
  "@%5B0%5D=sysinfo",
  "@%00=sysinfo",
  "%EF%BC%A0=sysinfo",
  "&commat;=sysinfo",
  "op=sysinfo",
  "operation=sysinfo",
  "sysinfo",
  "x;@=sysinfo",
  "limit=1;@=sysinfo",
  "x?@=sysinfo",
];

const noStrings: readonly unknown[] = [
  null,
  0,
  1,
  true,
  false,
  [],
  {},
  ["user.create"],
  [["user.create"]],
  { name: "user.create" },
  { toString: "user.create" },
  { "@": "user.create" },
];
const nearlyMembers = ["%40", "@ ", " @", "@@", "\uff20", "\u0000@", "op", "operation", "method", "action", "name", ""];

/** A POST that would create, had it a right `@`; refused, and nothing created. */
async function expectMissingIn(
  api: Api,
  envelopes: readonly Readonly<Record<string, unknown>>[],
  rawQuery = "",
): Promise<void> {
  for (const operation of commands) {
    const data = api.example(operation.id);
    const before = await stateOf(api, operation, data);
    for (const envelope of envelopes) {
      const reply = await api.call(nameOf(operation), { body: { ...envelope, data }, rawQuery });
      await inCase(`the body's ${shown(JSON.stringify(envelope))}`, () => expectMissing(reply));
    }
    await expectUnchanged(api, before);
    expectReached(await reach(api, operation), operation);
  }
}

/** Sends each query beside a body that would create; refused as ambiguous, and nothing created. */
async function expectAmbiguous(
  api: Api,
  operation: Known,
  searches: readonly string[],
  name = nameOf(operation),
): Promise<void> {
  const data = api.example(operation.id);
  const before = await stateOf(api, operation, data);
  for (const rawQuery of searches) {
    for (const credentials of ["good", "none"] as const) {
      const reply = await api.call(name, { method: "POST", body: { "@": name, data }, rawQuery, credentials });
      await inCase(`?${rawQuery} beside ${shown(name)}`, () => expectProblem(reply, 400, "operation-ambiguous"));
    }
  }
  await expectUnchanged(api, before);
}

export const naming = [
  check("dispatch/missing#absent", {}, async (api) => {
    for (const rawQuery of withoutName) {
      for (const credentials of ["none", "good"] as const) {
        const reply = await api.call("", { rawQuery, credentials });
        await inCase(`?${rawQuery}`, () => expectMissing(reply));
      }
    }
    // A bare `?`, which an HTTP client leaves away.
    expectMissing(answered(await api.raw(api.rawRequest({ target: api.path("/api/?") })), "a bare ?"));
    expectReached(await api.call("sysinfo"), queries[0] ?? fail("body", "an operation of GET", "none"));
  }),
  check("dispatch/missing#nearly-at", {}, async (api) => {
    for (const rawQuery of nearlyAt) {
      await inCase(`?${rawQuery}`, async () => expectMissing(await api.call("", { rawQuery })));
    }
  }),
  check("dispatch/missing#credentials-do-not-matter", {}, async (api) => {
    const wrong = { key: { header: "not-a-key" }, platform: { header: "not-a-platform" } };
    expectMissing(await api.call("", { rawQuery: "", credentials: wrong }));
    expectMissing(await api.call("", { rawQuery: "X-API-KEY=not-a-key", credentials: { key: { header: "another" } } }));
    expectMissing(await api.call("", { rawQuery: "", accept: "image/png" }));
  }),
  check("dispatch/missing#HEAD", {}, async (api) => {
    for (const rawQuery of withoutName) {
      await inCase(`?${rawQuery}`, async () => expectStatus(await api.call("", { method: "HEAD", rawQuery }), 400));
    }
  }),

  check("dispatch/missing-in-body#absent", { effect: "write" }, (api) => expectMissingIn(api, [{}, { "@": "" }])),
  check("dispatch/missing-in-body#not-a-string", { effect: "write" }, (api) =>
    expectMissingIn(
      api,
      noStrings.map((value) => ({ "@": value })),
    ),
  ),
  check("dispatch/missing-in-body#nearly-at", { effect: "write" }, (api) =>
    expectMissingIn(
      api,
      nearlyMembers.map((member) => ({ [member]: "user.create" })),
    ),
  ),
  check("dispatch/missing-in-body#only-in-query", { effect: "write" }, async (api) => {
    const envelopes = [{}, { "@": "" }, { "@": null }, { "@": ["user.create"] }, { op: "user.create" }];
    for (const rawQuery of ["@=user.create", "%40=user.create", "@=sysinfo", "@=no.such.operation"]) {
      await expectMissingIn(api, envelopes, rawQuery);
    }
  }),
  check("dispatch/missing-in-body#only-in-header", { effect: "write" }, async (api) => {
    const data = api.example("user.create");
    const before = await stateOf(api, operations["user.create"], data);
    const headers = { "X-Operation": "user.create", Operation: "user.create", SOAPAction: "user.create" };
    expectMissing(await api.call("user.create", { body: { data }, headers }));
    await expectUnchanged(api, before);
  }),
  check("dispatch/missing-in-body#empty-object", {}, async (api) => {
    for (const credentials of ["good", "none"] as const) {
      expectMissing(await api.call("user.create", { body: {}, credentials }));
    }
  }),

  ...commands.flatMap((operation) => [
    check(`dispatch/ambiguous#equal-${operation.id}`, { effect: "write" }, async (api) => {
      const name = nameOf(operation);
      await expectAmbiguous(api, operation, [`@=${name}`, `%40=${name}`]);
      expectReached(await reach(api, operation), operation);
    }),
    check(`dispatch/ambiguous#different-${operation.id}`, { effect: "write" }, async (api) => {
      await expectAmbiguous(api, operation, ["@=sysinfo", "%40=user.list", "@=no.such.operation", "@=constructor"]);
      expectReached(await reach(api, operation), operation);
    }),
    check(`dispatch/ambiguous#empty-${operation.id}`, { effect: "write" }, (api) =>
      expectAmbiguous(api, operation, ["@=", "@", "%40=", "X-PLATFORM=web&@="]),
    ),
  ]),
  check("dispatch/ambiguous#before-unknown", { effect: "write" }, async (api) => {
    const [operation] = commands;
    if (operation) await expectAmbiguous(api, operation, ["@=user.create", "@=sysinfo"], "no.such.operation");
  }),

  check("dispatch/no-batch#lists", { effect: "write" }, async (api) => {
    for (const operation of commands) {
      const data = api.example(operation.id);
      const call = { "@": nameOf(operation), data };
      const other = { "@": nameOf(operation), data: api.example(operation.id) };
      const before = await stateOf(api, operation, data, other);
      for (const body of [[call], [call, other], [[call]], [call, { "@": "sysinfo" }]]) {
        for (const credentials of ["good", "none"] as const) {
          const reply = await api.call(nameOf(operation), { body, credentials });
          await inCase(`a list of ${body.length}`, () => expectProblem(reply, 400, "malformed-json"));
        }
      }
      await expectUnchanged(api, before);
      expectReached(await reach(api, operation), operation);
    }
  }),
  check("dispatch/no-batch#others", {}, async (api) => {
    for (const body of [[], [{}], [{ "@": "sysinfo" }], ["sysinfo"], ["user.list", "docs.list"], [null], [[]]]) {
      const reply = await api.call("user.create", { body });
      await inCase(shown(JSON.stringify(body)), () => expectProblem(reply, 400, "malformed-json"));
    }
  }),
];
