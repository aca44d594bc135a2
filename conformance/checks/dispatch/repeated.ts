import type { Api } from "../../client/api.ts";
import { expectStatus } from "../../client/expect.ts";
import { commands, every, type Known, nameOf, queries, queryOf } from "../../client/operation.ts";
import type { Reply } from "../../client/reply.ts";
import { check } from "../check.ts";
import {
  answered,
  askEach,
  credentialFields,
  expectReached,
  expectRefusedAs,
  inCase,
  inEach,
  reach,
} from "../probe.ts";

/** What is sent twice (D2). */

const asRepeated = (reply: Reply) => expectRefusedAs(reply, "parameter-repeated");

const twice = (name: string, one: string, other = one) => `${name}=${one}&${name}=${other}`;

/** More than the thousand parameters that some parsers stop at. */
const MANY = Array.from({ length: 1_100 }, (_, index) => index.toString(36)).join("&");

const QUERIES: Readonly<Record<string, readonly string[]>> = {
  operation: [
    ...[twice("@", "sysinfo"), twice("@", "sysinfo", "docs.list"), twice("%40", "sysinfo"), "@=sysinfo&%40=sysinfo"],
    ...["%40=docs.list&@=sysinfo", "@=sysinfo&@=", "@&@=sysinfo", "@=sysinfo&@", "@=sysinfo&x=1&@=sysinfo"],
    ...["@=sysinfo&@=sysinfo&@=sysinfo", twice("@", "no.such.operation"), "@=constructor&@=__proto__"],
  ],
  input: [
    ...[`@=user.list&${twice("limit", "1")}`, `@=user.list&${twice("limit", "1", "2")}`, twice("limit", "1")],
    ...["@=user.list&limit=1&l%69mit=1", "@=user.list&limit=1&limit=", "@=user.list&limit&limit=1"],
    ...[`@=user.list&${twice("cursor", "a", "b")}`, `${twice("limit", "1")}&@=user.list`],
    `@=no.such.operation&${twice("limit", "1")}`,
  ],
  many: [`@=sysinfo&${MANY}&@=sysinfo`, `@=sysinfo&${MANY}&0`, `${MANY}&@=sysinfo&@=sysinfo`],
  "unknown-parameter": [
    ...[`@=sysinfo&${twice("x", "1")}`, `@=docs.list&${twice("x", "1", "2")}`, "@=docs.get.README&x&x"],
    ...["@=user.list&%C3%A9=1&%c3%a9=2", `@=test.health&${twice("constructor", "1")}`, "@=sysinfo&=1&=2"],
    `@=sysinfo&${twice("__proto__", "1")}`,
    // A query is read before the method is judged.
    ...commands.map((operation) => `@=${nameOf(operation)}&${twice("x", "1")}`),
  ],
};

/** The credentials in the query, one of them twice: equal, different, empty. */
function repeatedCredentials(api: Api): string[] {
  const [key, platform] = [encodeURIComponent(api.key), encodeURIComponent(api.platform)];
  const keys = ["another", key, ""].map((other) => `${twice("X-API-KEY", key, other)}&X-PLATFORM=${platform}`);
  return [...keys, ...[platform, ""].map((other) => `X-API-KEY=${key}&${twice("X-PLATFORM", platform, other)}`)];
}

type Fields = readonly (readonly [name: string, value: string])[];

/** One request with the header fields as they are spelled; a POST is one that creates nothing. */
async function send(api: Api, operation: Known, fields: Fields, head = false): Promise<Reply> {
  const request =
    operation.method === "POST"
      ? {
          ...{ method: "POST", target: api.path("/api/"), body: JSON.stringify({ "@": nameOf(operation) }) },
          headers: [...fields, ["Content-Type", "application/json"] as const],
        }
      : {
          method: head ? "HEAD" : "GET",
          target: api.path(`/api/?${queryOf(operation, api.required(operation.id))}`),
          headers: fields,
        };
  return answered(await api.raw(api.rawRequest(request), { heads: [head] }), "a repeated header");
}

export const repeated = [
  ...Object.entries(QUERIES).map(([variant, list]) =>
    check(`dispatch/repeated#${variant}`, {}, async (api) => {
      await askEach(api, list, asRepeated);
      await askEach(api, list.slice(0, 2), asRepeated, { method: "HEAD" });
    }),
  ),
  check("dispatch/repeated#credentials", {}, async (api) => {
    const pairs = repeatedCredentials(api);
    const named = queries.flatMap((operation) => pairs.map((each) => `@=${nameOf(operation)}&${each}`));
    await askEach(api, named, asRepeated, { credentials: "none" });
    expectStatus(await api.call("user.list", { credentials: "query" }), 200);
  }),
  ...commands.map((operation) =>
    check(`dispatch/repeated#${operation.id}`, {}, async (api) => {
      await inEach([...repeatedCredentials(api), twice("x", "1"), twice("@", "a")], async (rawQuery) =>
        asRepeated(await reach(api, operation, { rawQuery })),
      );
      expectReached(await reach(api, operation, { credentials: "query" }), operation);
    }),
  ),

  ...[0, 1].map((which) =>
    check(`dispatch/repeated-credential#${which === 0 ? "key" : "platform"}`, {}, async (api) => {
      const fields = credentialFields(api);
      const [name, value] = fields[which === 0 ? 0 : 1];
      const other = fields[which === 0 ? 1 : 0];
      const rows = [
        [name, value] as const,
        [name.toLowerCase(), value] as const,
        [name.toLowerCase(), "another"] as const,
      ];
      for (const second of rows)
        await inCase(`${name} and ${second[0]}`, async () => {
          const doubled = [[name, value] as const, other, second];
          for (const search of ["", "?@=", `?@=no.${api.runId}`]) {
            const request = api.rawRequest({ target: api.path(`/api/${search}`), headers: doubled });
            asRepeated(answered(await api.raw(request), `a repeated header to /api/${search}`));
          }
          await inEach(every, async (operation) => {
            for (const head of operation.method === "GET" ? [false, true] : [false])
              asRepeated(await send(api, operation, doubled, head));
          });
        });
      await inEach(every, async (operation) => expectReached(await send(api, operation, fields), operation));
    }),
  ),
];
