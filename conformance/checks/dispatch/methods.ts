import type { CallOptions } from "../../client/call.ts";
import { expectStatus, fail } from "../../client/expect.ts";
import { commands, every, type Known, nameOf, operationCalled } from "../../client/operation.ts";
import type { Reply } from "../../client/reply.ts";
import { check } from "../check.ts";
import {
  answered,
  askEach,
  credentialFields,
  effectOf,
  expectAllow,
  expectReached,
  expectRefusedAs,
  inCase,
  inEach,
  reach,
} from "../probe.ts";
import { expectUnchanged, stateOf } from "../state.ts";
import { ENDPOINT } from "./paths.ts";

/** Methods (D4, D5). */

const allowOf = ({ method }: Known) => (method === "GET" ? ["GET", "HEAD", "OPTIONS"] : ["POST", "OPTIONS"]);
const wrongMethods = ({ method }: Known) => (method === "GET" ? ["POST"] : ["GET", "HEAD"]);

/** HTTP has methods without end; a server may know the token or not (D4, D13). */
const RARE = ["get", "post", "Get", "LINK", "PURGE", "SEARCH", "QUERY", "MKCOL", "PROPFIND", "FOO", "GETS"];

/** The method is one that the path does not take. */
function expectNowhere(reply: Reply): void {
  expectRefusedAs(reply, "method-not-allowed");
  expectAllow(reply, ...ENDPOINT);
}

/** The method is not the operation's. */
function expectWrong(reply: Reply, operation: Known): void {
  expectRefusedAs(reply, "method-not-allowed");
  expectAllow(reply, ...allowOf(operation));
}

/** The names of an operation: that of the example, and where a part varies one of nothing. */
function namesOf(operation: Known): string[] {
  const nothing = Object.fromEntries(operation.parts.map((part) => [part, "no-such"]));
  return [...new Set([nameOf(operation), nameOf(operation, nothing)])].filter(operationCalled);
}

const OVERRIDES = ["X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override", "X-Original-Method"];
const overriding = (method: string) => Object.fromEntries(OVERRIDES.map((name) => [name, method]));

/** Ways to say on a wrong method which one is meant. */
function announced(operation: Known, data: Readonly<Record<string, unknown>>): readonly CallOptions[] {
  const { method } = operation;
  const name = nameOf(operation);
  const body = method === "POST" ? { body: { "@": name, data } } : {};
  return [
    { input: data, headers: overriding(method), ...body },
    { query: [["_method", method]] },
    { body: { "@": name, _method: method } },
  ];
}

export const methods = [
  ...every.map((operation) =>
    check(`dispatch/wrong-method#${operation.id}`, {}, async (api) => {
      // This check may not write: what a command takes is sent by a GET in `get-changes-nothing`.
      const input = operation.method === "GET" ? operation.example : {};
      for (const method of wrongMethods(operation))
        for (const name of namesOf(operation))
          for (const credentials of ["good", "none"] as const)
            await inCase(`${method} ${name}`, async () =>
              expectWrong(await api.call(name, { method, input, credentials }), operation),
            );
      expectReached(await reach(api, operation), operation);
    }),
  ),

  ...commands.map((operation) =>
    check(`dispatch/get-changes-nothing#${operation.id}`, { effect: "write" }, async (api) => {
      const data = api.example(operation.id);
      const before = await stateOf(api, operation, data);
      const name = nameOf(operation);
      const nested = Object.entries(data).map(([member, value]) => [`data[${member}]`, String(value)] as const);
      const calls: readonly CallOptions[] = [
        ...[{ input: data }, { input: data, credentials: "query" as const }, { body: { "@": name, data } }],
        { query: [["data", JSON.stringify(data)], ...nested] },
      ];
      for (const method of ["GET", "HEAD"])
        await inEach(calls, async (options) => {
          const body = method === "HEAD" ? {} : { body: options.body };
          expectWrong(await api.call(name, { method, ...options, ...body }), operation);
        });
      await expectUnchanged(api, before);
    }),
  ),

  ...["PUT", "PATCH", "DELETE", "TRACE"].map((method) =>
    check(`dispatch/unknown-method#${method}`, {}, (api) => {
      // Whatever is said in the query, right and wrong: the method is judged before it.
      const named = every.map((operation) => `@=${nameOf(operation)}`);
      const wrong = ["", "@=", `@=no.${api.runId}`, "@=constructor", "@=sysinfo&@=sysinfo", "@=sysinfo&x=%zz"];
      return askEach(api, [...named, ...wrong, "@=sysinfo&x=1"], expectNowhere, { method });
    }),
  ),
  ...commands.map((operation) =>
    check(`dispatch/unknown-method#with-a-body-of-${operation.id}`, { effect: "write" }, async (api) => {
      const data = api.example(operation.id);
      const before = await stateOf(api, operation, data);
      for (const method of ["PUT", "PATCH", "DELETE"]) {
        expectNowhere(await api.call("", { method, rawQuery: `@=${nameOf(operation)}` }));
        expectNowhere(await api.call(operation.id, { method, body: { "@": nameOf(operation), data } }));
      }
      await expectUnchanged(api, before);
    }),
  ),
  check("dispatch/unknown-method#rare", { effect: "hostile" }, (api) =>
    inEach(RARE, async (method) => {
      const request = { method, target: api.path("/api/?@=user.list"), headers: credentialFields(api) };
      const reply = answered(await api.raw(api.rawRequest(request)), method);
      expectStatus(reply, 405, 400);
      if (reply.status === 405) expectNowhere(reply);
      else expectRefusedAs(reply, "malformed-request");
    }),
  ),
  check("dispatch/unknown-method#TRACE-does-not-echo", {}, async (api) => {
    const mark = `zq${api.runId}`;
    const headers = [...credentialFields(api), ["X-Echo", mark] as const];
    const request = api.rawRequest({ method: "TRACE", target: api.path("/api/"), headers });
    const reply = answered(await api.raw(request), "TRACE");
    const echoes = (text: string) => text.includes(api.key) || text.includes(mark);
    const [field] = reply.headers.find((each) => echoes(each.join())) ?? [];
    if (field !== undefined || echoes(reply.text))
      fail(field ? `header:${field.toLowerCase()}` : "body", "TRACE not to send the request back", "it does");
    expectNowhere(reply);
  }),

  ...every.map((operation) =>
    check(`dispatch/no-method-override#${operation.id}`, { effect: effectOf(operation) }, async (api) => {
      const name = nameOf(operation);
      const data = api.example(operation.id);
      const before = await stateOf(api, operation, data);
      // The operation's own method, announced on a wrong one.
      for (const method of wrongMethods(operation).filter((each) => each !== "HEAD"))
        await inEach(announced(operation, data), async (options) =>
          expectWrong(await api.call(name, { method, ...options }), operation),
        );
      await expectUnchanged(api, before);
      // Another method, announced on the right one.
      await inEach(["GET", "POST", "DELETE", "PUT", "OPTIONS", "HEAD", "nonsense"], async (other) =>
        expectReached(await reach(api, operation, { headers: overriding(other) }), operation),
      );
    }),
  ),
];
