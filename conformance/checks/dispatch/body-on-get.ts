import { expectProblem, expectStatus, expectSuccess, fail } from "../../client/expect.ts";
import { type Known, queries } from "../../client/operation.ts";
import type { Reply } from "../../client/reply.ts";
import { check } from "../check.ts";
import { expectReached, inCase, reach } from "../probe.ts";

/** A body on GET is ignored (D5). */

/** The operation of the query answered, and no other. */
function expectNamed(reply: Reply, operation: Known): void {
  expectReached(reply, operation);
  if (reply.mediaType === "application/json") expectSuccess(reply, operation.id);
}

export const bodyOnGet = [
  ...queries.map((operation) =>
    check(`dispatch/body-on-get#${operation.id}`, {}, async (api) => {
      const bodies = [
        { "@": "no.such.operation" },
        { "@": "user.create", data: { name: "Ada Lovelace" } },
        { "@": operation.id === "docs.list" ? "sysinfo" : "docs.list", limit: "none", unknown: true },
        [],
        "{",
        "\u0000\u00ff",
      ];
      for (const body of bodies) {
        const reply = await reach(api, operation, { body });
        await inCase(`with the body ${JSON.stringify(body)}`, () => expectNamed(reply, operation));
      }
      for (const type of ["text/plain", "application/x-www-form-urlencoded", "nonsense", null]) {
        const reply = await reach(api, operation, {
          body: "@=user.create&limit=none",
          headers: { "Content-Type": type },
        });
        await inCase(`with a body as ${type}`, () => expectNamed(reply, operation));
      }
    }),
  ),
  check("dispatch/body-on-get#no-name-in-it", {}, async (api) => {
    for (const [type, body] of [
      ["application/json", { "@": "sysinfo" }],
      ["application/json", "@=sysinfo"],
      ["application/x-www-form-urlencoded", "@=sysinfo"],
    ] as const) {
      const reply = await api.call("", { rawQuery: "", body, method: "GET", headers: { "Content-Type": type } });
      await inCase(`a body as ${type}`, () => expectProblem(reply, 400, "operation-missing"));
    }
    expectProblem(
      await api.call("user.create", { method: "GET", body: { "@": "user.list" } }),
      405,
      "method-not-allowed",
    );
  }),
  check("dispatch/body-on-get#chunked", {}, async (api) => {
    const { replies } = await api.raw(
      api.rawRequest({
        target: api.path("/api/?@=sysinfo"),
        headers: [
          ["Content-Type", "application/json"],
          ["Transfer-Encoding", "chunked"],
        ],
        body: '11\r\n{"@":"docs.list"}\r\n0\r\n\r\n',
      }),
    );
    const [reply] = replies;
    if (!reply) fail("connection", "an answer to a GET with a body in chunks", "none");
    expectSuccess(reply, "sysinfo");
  }),
  check("dispatch/body-on-get#coded", {}, async (api) => {
    for (const operation of queries) {
      const reply = await reach(api, operation, { body: "no gzip", headers: { "Content-Encoding": "gzip" } });
      await inCase(`with a coded body to ${operation.id}`, () => expectNamed(reply, operation));
    }
  }),
  check("dispatch/body-on-get#empty", {}, async (api) => {
    for (const operation of queries) {
      for (const type of ["application/json", "text/plain"]) {
        for (const length of ["0", null]) {
          const headers = { "Content-Type": type, "Content-Length": length };
          const reply = await reach(api, operation, { headers });
          await inCase(`with an empty body as ${type} to ${operation.id}`, () => expectNamed(reply, operation));
        }
      }
    }
  }),
  check("dispatch/body-on-get#HEAD", {}, async (api) => {
    for (const body of ['{"@":"docs.list"}', "{"]) {
      const headers = [["Content-Type", "application/json"]] as const;
      const request = api.rawRequest({ method: "HEAD", target: api.path("/api/?@=sysinfo"), headers, body });
      const [reply] = (await api.raw(request, { heads: [true] })).replies;
      if (!reply) fail("connection", "an answer to HEAD with a body", "none");
      expectStatus(reply, 200);
    }
  }),
  check("dispatch/body-on-get#other-paths", {}, async (api) => {
    for (const target of ["/", "/openapi.json"]) {
      for (const type of ["application/json", "application/x-www-form-urlencoded"]) {
        const reply = await api.request({ method: "GET", target, headers: [["Content-Type", type]], body: "{" });
        await inCase(`${target} with a body as ${type}`, () => expectStatus(reply, 200));
      }
    }
  }),
];
