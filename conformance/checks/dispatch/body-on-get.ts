import { expectStatus, expectSuccess } from "../../client/expect.ts";
import { commands, type Known, nameOf, queries } from "../../client/operation.ts";
import type { Reply } from "../../client/reply.ts";
import { check } from "../check.ts";
import { answered, expectReached, expectRefusedAs, inCase, inEach, reach } from "../probe.ts";
import { expectUnchanged, stateOf } from "../state.ts";
import { PATHS } from "./paths.ts";

/** A body on GET is ignored (D5). */

const FORM = "application/x-www-form-urlencoded";

/** The operation of the query answered, and no other. */
function expectNamed(reply: Reply, operation: Known): void {
  expectReached(reply, operation);
  if (reply.mediaType === "application/json") expectSuccess(reply, operation.id);
}

/** Bodies that name another operation, or can be read by nobody; beside them what they say that they are. */
function bodiesFor(operation: Known): readonly (readonly [body: unknown, headers?: Record<string, string>])[] {
  const other = queries.find(({ id, parts }) => id !== operation.id && parts.length === 0);
  const bodies = [
    ...[{ "@": "no.such.operation" }, { "@": other?.name, limit: "none", unknown: true }],
    ...commands.map(({ name, example }) => ({ "@": name, data: example })),
    ...[[], "{", "\u0000\u00ff"],
  ];
  const types = ["text/plain", FORM, "nonsense"].map((type) => ({ "Content-Type": type }));
  return [
    ...bodies.map((body) => [body] as const),
    ...types.map((headers) => ["@=user.create&limit=none", headers] as const),
    ["no gzip", { "Content-Encoding": "gzip" }],
  ];
}

export const bodyOnGet = [
  ...queries.map((operation) =>
    check(`dispatch/body-on-get#${operation.id}`, {}, async (api) => {
      await inEach(bodiesFor(operation), async ([body, headers = {}]) =>
        expectNamed(await reach(api, operation, { body, headers }), operation),
      );
      const untyped = { body: "@=user.create", headers: { "Content-Type": null } };
      expectNamed(await reach(api, operation, untyped), operation);
      for (const type of ["application/json", "text/plain"])
        for (const length of ["0", null])
          await inCase(`an empty body as ${type}`, async () => {
            const headers = { "Content-Type": type, "Content-Length": length };
            expectNamed(await reach(api, operation, { headers }), operation);
          });
    }),
  ),
  check("dispatch/body-on-get#carried-out", { effect: "write" }, (api) =>
    inEach(commands, async (command) => {
      const data = api.example(command.id);
      const before = await stateOf(api, command, data);
      const body = { "@": nameOf(command, data), data };
      await inEach(queries, async (operation) => expectNamed(await reach(api, operation, { body }), operation));
      await expectUnchanged(api, before);
    }),
  ),
  check("dispatch/body-on-get#no-name-in-it", {}, async (api) => {
    for (const [type, body] of [
      ["application/json", { "@": "sysinfo" }],
      ["application/json", "@=sysinfo"],
      [FORM, "@=sysinfo"],
    ] as const) {
      const reply = await api.call("", { rawQuery: "", body, method: "GET", headers: { "Content-Type": type } });
      await inCase(`a body as ${type}`, () => expectRefusedAs(reply, "operation-missing"));
    }
    await inEach(commands, async (operation) => {
      const reply = await api.call(nameOf(operation), { method: "GET", body: { "@": "user.list" } });
      expectRefusedAs(reply, "method-not-allowed");
    });
  }),
  check("dispatch/body-on-get#on-a-socket", {}, async (api) => {
    const request = { target: api.path("/api/?@=sysinfo"), headers: [["Content-Type", "application/json"] as const] };
    const chunked = [...request.headers, ["Transfer-Encoding", "chunked"] as const];
    const body = '11\r\n{"@":"docs.list"}\r\n0\r\n\r\n';
    const raw = await api.raw(api.rawRequest({ ...request, headers: chunked, body }));
    expectSuccess(answered(raw, "a GET with a body in chunks"), "sysinfo");
    await inEach(['{"@":"docs.list"}', "{"], async (text) => {
      const head = await api.raw(api.rawRequest({ ...request, method: "HEAD", body: text }), { heads: [true] });
      expectStatus(answered(head, "HEAD with a body"), 200);
    });
  }),
  check("dispatch/body-on-get#other-paths", {}, (api) =>
    inEach(PATHS, async (target) => {
      for (const type of ["application/json", FORM]) {
        const reply = await api.request({ method: "GET", target, headers: [["Content-Type", type]], body: "{" });
        await inCase(`a body as ${type}`, () => expectStatus(reply, 200));
      }
    }),
  ),
];
