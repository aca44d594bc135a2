import type { Api } from "../../client/api.ts";
import { expectProblem, expectStatus } from "../../client/expect.ts";
import { commands, every, type Known, nameOf, queries, queryOf } from "../../client/operation.ts";
import { check } from "../check.ts";
import { answered, expectReached, inCase, reach, shown } from "../probe.ts";

/** What is sent twice (D2). */

async function expectRepeated(api: Api, searches: readonly string[]): Promise<void> {
  for (const rawQuery of searches) {
    for (const credentials of ["good", "none"] as const) {
      const reply = await api.call("", { rawQuery, credentials });
      await inCase(shown(`?${rawQuery}`), () => expectProblem(reply, 400, "parameter-repeated"));
    }
  }
}

const twice = (name: string, one: string, other = one) => `${name}=${one}&${name}=${other}`;

/** More than the thousand parameters that some parsers stop at. */
const many = Array.from({ length: 1_100 }, (_, index) => index.toString(36)).join("&");

/** One request with the header fields twice, each spelling as it stands; a POST is one that creates nothing. */
function sendRaw(api: Api, operation: Known, fields: readonly (readonly [string, string])[], head = false) {
  const name = nameOf(operation);
  const post = { method: "POST", target: api.path("/api/"), body: JSON.stringify({ "@": name }) };
  const get = {
    method: head ? "HEAD" : "GET",
    target: api.path(`/api/?${queryOf(operation, api.required(operation.id))}`),
  };
  const headers = [...fields, ...(operation.method === "POST" ? [["Content-Type", "application/json"] as const] : [])];
  return api.raw(api.rawRequest({ ...(operation.method === "POST" ? post : get), headers }), { heads: [head] });
}

async function expectRepeatedHeader(
  api: Api,
  spellings: readonly string[],
  values: readonly [string, string],
): Promise<void> {
  const [first = "", second = first] = spellings;
  const other = first.toLowerCase().includes("key")
    ? (["X-PLATFORM", api.platform] as const)
    : (["X-API-KEY", api.key] as const);
  const doubled = [[first, values[0]], other, [second, values[1]]] as const;
  for (const search of ["", "?@=", "?@=no.such.operation"]) {
    const unknown = api.rawRequest({ target: api.path(`/api/${search}`), headers: doubled });
    const raw = await api.raw(unknown);
    await inCase(`${first} and ${second} to /api/${search}`, () =>
      expectProblem(answered(raw, "a repeated header"), 400, "parameter-repeated"),
    );
  }
  for (const operation of every) {
    const once = await sendRaw(api, operation, [other, [first, values[0]]]);
    expectReached(answered(once, operation.id), operation);
    for (const head of operation.method === "GET" ? [false, true] : [false]) {
      const raw = await sendRaw(api, operation, doubled, head);
      await inCase(`${first} and ${second} to ${head ? "HEAD of " : ""}${nameOf(operation)}`, () => {
        const reply = answered(raw, "a repeated header");
        if (head) expectStatus(reply, 400);
        else expectProblem(reply, 400, "parameter-repeated");
      });
    }
  }
}

export const repeated = [
  check("dispatch/repeated#operation", {}, (api) =>
    expectRepeated(api, [
      twice("@", "sysinfo"),
      twice("@", "sysinfo", "docs.list"),
      twice("%40", "sysinfo"),
      "@=sysinfo&%40=sysinfo",
      "%40=docs.list&@=sysinfo",
      "@=sysinfo&@=",
      "@&@=sysinfo",
      "@=sysinfo&@",
      "@=sysinfo&x=1&@=sysinfo",
      `${twice("@", "sysinfo")}&@=sysinfo`,
      twice("@", "no.such.operation"),
      "@=constructor&@=__proto__",
    ]),
  ),
  check("dispatch/repeated#input", {}, async (api) => {
    await expectRepeated(api, [
      `@=user.list&${twice("limit", "1")}`,
      `@=user.list&${twice("limit", "1", "2")}`,
      "@=user.list&limit=1&l%69mit=1",
      "@=user.list&limit=1&limit=",
      "@=user.list&limit&limit=1",
      `@=user.list&${twice("cursor", "a", "b")}`,
      `${twice("limit", "1")}&@=user.list`,
      `@=no.such.operation&${twice("limit", "1")}`,
      twice("limit", "1"),
    ]);
    expectStatus(await api.call("user.list", { rawQuery: "@=user.list&limit=1" }), 200);
  }),
  check("dispatch/repeated#many", {}, (api) =>
    expectRepeated(api, [`@=sysinfo&${many}&@=sysinfo`, `@=sysinfo&${many}&0`, `${many}&@=sysinfo&@=sysinfo`]),
  ),
  check("dispatch/repeated#unknown-parameter", {}, (api) =>
    expectRepeated(api, [
      `@=sysinfo&${twice("x", "1")}`,
      `@=docs.list&${twice("x", "1", "2")}`,
      "@=docs.get.README&x&x",
      "@=user.list&%C3%A9=1&%c3%a9=2",
      `@=test.health&${twice("constructor", "1")}`,
      `@=sysinfo&${twice("__proto__", "1")}`,
      "@=sysinfo&=1&=2",
      // A query is read before the method is judged.
      ...commands.map((operation) => `@=${nameOf(operation)}&${twice("x", "1")}`),
    ]),
  ),
  check("dispatch/repeated#credentials", {}, async (api) => {
    const key = encodeURIComponent(api.key);
    const platform = encodeURIComponent(api.platform);
    const searches = queries.flatMap((operation) => [
      `@=${nameOf(operation)}&${twice("X-API-KEY", key)}&X-PLATFORM=${platform}`,
      `@=${nameOf(operation)}&${twice("X-API-KEY", key, "another")}&X-PLATFORM=${platform}`,
      `@=${nameOf(operation)}&X-API-KEY=${key}&${twice("X-PLATFORM", platform)}`,
      `@=${nameOf(operation)}&X-API-KEY=${key}&${twice("X-PLATFORM", platform, "")}`,
    ]);
    for (const rawQuery of searches) {
      const reply = await api.call("", { rawQuery, credentials: "none" });
      await inCase(rawQuery.slice(0, rawQuery.indexOf("&")), () => expectProblem(reply, 400, "parameter-repeated"));
    }
    expectStatus(await api.call("user.list", { credentials: "query" }), 200);
  }),
  check("dispatch/repeated#POST", {}, async (api) => {
    for (const operation of commands) {
      const key = encodeURIComponent(api.key);
      for (const rawQuery of [
        twice("X-API-KEY", key),
        twice("X-PLATFORM", api.platform),
        twice("x", "1"),
        twice("@", "a"),
      ]) {
        await inCase(rawQuery.replaceAll(key, "…"), async () =>
          expectProblem(await reach(api, operation, { rawQuery }), 400, "parameter-repeated"),
        );
      }
      expectReached(await reach(api, operation, { credentials: "query" }), operation);
    }
  }),
  check("dispatch/repeated#HEAD", {}, async (api) => {
    for (const rawQuery of [twice("@", "sysinfo"), "@=sysinfo&%40=sysinfo", `@=user.list&${twice("limit", "1")}`]) {
      await inCase(`?${rawQuery}`, async () => expectStatus(await api.call("", { method: "HEAD", rawQuery }), 400));
    }
  }),

  ...(["key", "platform"] as const).flatMap((kind) => {
    const name = kind === "key" ? "X-API-KEY" : "X-PLATFORM";
    const value = (api: Api) => (kind === "key" ? api.key : api.platform);
    return [
      check(`dispatch/repeated-credential#${kind}-equal`, {}, async (api) => {
        await expectRepeatedHeader(api, [name], [value(api), value(api)]);
        await expectRepeatedHeader(api, [name, name.toLowerCase()], [value(api), value(api)]);
      }),
      check(`dispatch/repeated-credential#${kind}-different`, {}, (api) =>
        expectRepeatedHeader(api, [name, name.toLowerCase()], [value(api), "another"]),
      ),
    ];
  }),
];
