import type { Api } from "../../client/api.ts";
import type { CallOptions } from "../../client/call.ts";
import { expectProblem, expectStatus, fail } from "../../client/expect.ts";
import { commands, every, type Known, nameOf, operationCalled } from "../../client/operation.ts";
import type { Reply } from "../../client/reply.ts";
import { check } from "../check.ts";
import { answered, expectAllow, expectReached, inCase, reach, shown } from "../probe.ts";
import { expectUnchanged, stateOf } from "../state.ts";

/** Methods (D4, D5). */

const ENDPOINT = ["GET", "HEAD", "POST", "OPTIONS"] as const;
const allowOf = ({ method }: Known) => (method === "GET" ? ["GET", "HEAD", "OPTIONS"] : ["POST", "OPTIONS"]);
const wrongMethods = ({ method }: Known) => (method === "GET" ? ["POST"] : ["GET", "HEAD"]);

const unknownMethods = ["PUT", "PATCH", "DELETE", "TRACE", "PROPFIND"] as const;

/** HTTP has methods without end; a server may know the token or not (D4, D13). */
const rareMethods = ["get", "post", "Get", "LINK", "PURGE", "SEARCH", "QUERY", "MKCOL", "FOO", "GETS"];

function expectNotAllowed(reply: Reply, allowed: readonly string[], operation?: Known): void {
  if (reply.exchange.request.method === "HEAD") expectStatus(reply, 405);
  else expectProblem(reply, 405, "method-not-allowed", operation?.id);
  expectAllow(reply, ...allowed);
}

/** The names of an operation: that of the example, and where a part varies one of nothing. */
const namesOf = (operation: Known) =>
  [
    ...new Set([
      nameOf(operation),
      nameOf(operation, Object.fromEntries(operation.parts.map((part) => [part, "no-such"]))),
    ]),
  ].filter(operationCalled);

/** Calls that are right or wrong in whatever is judged after the method. */
function callsBy(method: string, operation: Known, name: string): readonly CallOptions[] {
  // This check may not write: what a command takes is sent by a GET in `get-changes-nothing`.
  const input = operation.method === "GET" ? operation.example : {};
  const calls: readonly CallOptions[] = [{ input }, { input, credentials: "none" }];
  if (method !== "POST") return [...calls, { input, query: [["no-such-parameter", "1"]] }];
  return [
    ...calls,
    { body: { "@": name } },
    { body: { "@": name, data: null } },
    { body: { "@": name, data: { "no-such-member": 1 }, "no-such-member": 1 } },
  ];
}

/** Everything that a method which is not allowed might be let do: with and without a name, in query and body. */
async function expectNowhere(api: Api, method: string): Promise<void> {
  for (const operation of every) {
    for (const credentials of ["good", "none"] as const) {
      const query = await api.call(nameOf(operation), { method, credentials, rawQuery: `@=${nameOf(operation)}` });
      await inCase(`${operation.id} in the query`, () => expectNotAllowed(query, ENDPOINT));
    }
  }
  for (const rawQuery of ["", "@=", "@=no.such.operation", "@=constructor"]) {
    const reply = await api.call("", { method, rawQuery, credentials: "none" });
    await inCase(`?${rawQuery}`, () => expectNotAllowed(reply, ENDPOINT));
  }
}

const overrides = ["X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override", "X-Original-Method"];
const overriding = (method: string) => Object.fromEntries(overrides.map((name) => [name, method]));

export const methods = [
  ...every.map((operation) =>
    check(`dispatch/wrong-method#${operation.id}`, {}, async (api) => {
      for (const method of wrongMethods(operation)) {
        for (const name of namesOf(operation)) {
          for (const options of callsBy(method, operation, name)) {
            const reply = await api.call(name, { method, ...options });
            await inCase(`${method} ${name}`, () => expectNotAllowed(reply, allowOf(operation), operation));
          }
        }
      }
      expectReached(await reach(api, operation), operation);
    }),
  ),

  ...commands.map((operation) =>
    check(`dispatch/get-changes-nothing#${operation.id}`, { effect: "write" }, async (api) => {
      const data = api.example(operation.id);
      const before = await stateOf(api, operation, data);
      const name = nameOf(operation);
      const query: [string, string][] = [
        ["data", JSON.stringify(data)],
        ...Object.entries(data).map(([member, value]): [string, string] => [`data[${member}]`, String(value)]),
      ];
      for (const method of ["GET", "HEAD"]) {
        const tries = [
          await api.call(name, { method, input: data }),
          await api.call(name, { method, query }),
          await api.call(name, { method, input: data, credentials: "query" }),
          await api.call(name, { method, ...(method === "GET" ? { body: { "@": name, data } } : {}) }),
        ];
        for (const reply of tries) await inCase(method, () => expectNotAllowed(reply, allowOf(operation), operation));
      }
      await expectUnchanged(api, before);
    }),
  ),

  ...unknownMethods.map((method) =>
    check(`dispatch/unknown-method#${method}`, {}, (api) => expectNowhere(api, method)),
  ),
  check("dispatch/unknown-method#with-a-body", { effect: "write" }, async (api) => {
    for (const operation of commands) {
      const data = api.example(operation.id);
      const before = await stateOf(api, operation, data);
      for (const method of ["PUT", "PATCH", "DELETE"]) {
        const reply = await api.call(nameOf(operation), { method, body: { "@": nameOf(operation), data } });
        await inCase(method, () => expectNotAllowed(reply, ENDPOINT));
      }
      await expectUnchanged(api, before);
    }
  }),
  check("dispatch/unknown-method#before-the-query", {}, async (api) => {
    for (const rawQuery of ["@=sysinfo&@=sysinfo", "@=sysinfo&x=%zz", "@=sysinfo&x=1", ""]) {
      await inCase(`?${rawQuery}`, async () =>
        expectNotAllowed(await api.call("", { method: "DELETE", rawQuery }), ENDPOINT),
      );
    }
  }),
  check("dispatch/unknown-method#before-the-body", {}, async (api) => {
    for (const method of ["PUT", "PATCH", "DELETE"]) {
      for (const [type, body, coding] of [
        ["application/json", "{", null],
        ["application/json", "", null],
        ["text/plain", "a", null],
        ["application/json", "a", "gzip"],
      ] as const) {
        const headers = { "Content-Type": type, "Content-Encoding": coding };
        const reply = await api.call("", { method, rawQuery: "", body, headers });
        await inCase(`${method} with ${shown(body)} as ${type}`, () => expectNotAllowed(reply, ENDPOINT));
      }
    }
  }),
  check("dispatch/unknown-method#rare", { effect: "hostile" }, async (api) => {
    for (const method of rareMethods) {
      const headers = [
        ["X-API-KEY", api.key],
        ["X-PLATFORM", api.platform],
      ] as const;
      const raw = await api.raw(api.rawRequest({ method, target: api.path("/api/?@=user.list"), headers }));
      await inCase(method, () => {
        const reply = answered(raw, method);
        expectStatus(reply, 405, 400);
        if (reply.status === 405) expectNotAllowed(reply, ENDPOINT);
        else expectProblem(reply, 400, "malformed-request");
      });
    }
  }),
  check("dispatch/unknown-method#TRACE-does-not-echo", {}, async (api) => {
    const raw = await api.raw(
      api.rawRequest({
        method: "TRACE",
        target: api.path("/api/"),
        headers: [
          ["X-API-KEY", api.key],
          ["X-Echo", `zq${api.runId}`],
        ],
      }),
    );
    const reply = answered(raw, "TRACE");
    const whole = `${reply.headers.flat().join("\n")}\n${reply.text}`;
    if (whole.includes(api.key) || whole.includes(`zq${api.runId}`))
      fail("body", "TRACE not to send the request back", "it does");
    expectNotAllowed(reply, ENDPOINT);
  }),

  ...every.map((operation) =>
    check(
      `dispatch/no-method-override#${operation.id}`,
      { effect: operation.method === "GET" ? "read" : "write" },
      async (api) => {
        const name = nameOf(operation);
        // The operation's own method, announced on a wrong one.
        for (const method of wrongMethods(operation).filter((each) => each !== "HEAD")) {
          const data = api.example(operation.id);
          const before = await stateOf(api, operation, data);
          const headers = overriding(operation.method);
          const content = method === "GET" ? { input: data, body: { "@": name, data } } : { input: data };
          expectNotAllowed(await api.call(name, { method, headers, ...content }), allowOf(operation), operation);
          for (const options of [
            { query: [["_method", operation.method] as const] },
            { body: { "@": name, _method: operation.method } },
          ]) {
            const reply = await api.call(name, { method, ...options });
            await inCase("_method", () => expectNotAllowed(reply, allowOf(operation), operation));
          }
          const search = `@=${name}&_method=${operation.method}`;
          if (method === "GET")
            expectNotAllowed(await api.call(name, { method, rawQuery: search }), allowOf(operation), operation);
          await expectUnchanged(api, before);
        }
        // Another method, announced on the right one.
        for (const other of ["GET", "POST", "DELETE", "PUT", "OPTIONS", "HEAD", "nonsense"]) {
          const reply = await reach(api, operation, { headers: overriding(other) });
          await inCase(`${overrides[0]}: ${other}`, () => expectReached(reply, operation));
        }
      },
    ),
  ),
];
