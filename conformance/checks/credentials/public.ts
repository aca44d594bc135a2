import type { Api } from "../../client/api.ts";
import { expectStatus } from "../../client/expect.ts";
import { every } from "../../client/operation.ts";
import { type Check, check } from "../check.ts";
import { effectOf, inCase, nobodys } from "../probe.ts";
import { type Case, eachPlace, expectAllLetIn, sent } from "./calls.ts";
import { junk, long, lookalikes, queryJunk, type WrongValue } from "./wrong-values.ts";

/** The same text as both credentials; in headers and in the query, or in the query only. */
const inHeadersAndQuery = ([what, value]: WrongValue): Case => {
  const both = { header: value, query: value };
  return sent(`as both credentials, in headers and query: ${what}`, { key: both, platform: both });
};
const inQuery = ([what, query]: WrongValue) =>
  sent(`as both parameters: ${what}`, { key: { query }, platform: { query } });

function anything(api: Api): readonly Case[] {
  const { key, platform } = api;
  const [one, two] = [nobodys(api), `${nobodys(api)}-2`];
  const differ = { header: one, query: two };
  return [
    sent("nothing", "none"),
    sent("wrong headers", { key: { header: one }, platform: { header: one } }),
    inQuery(["a word", one]),
    ...eachPlace("the key alone", key, (placement) => ({ key: placement })),
    ...eachPlace("the platform alone", platform, (placement) => ({ platform: placement })),
    sent("good ones in headers", "good"),
    sent("good ones in the query", "query"),
    ...Object.entries(api.credentials.special).flatMap(([name, { key, platform }]) => [
      sent(`${name}, in headers`, { key: { header: key }, platform: { header: platform } }),
      sent(`${name}, in the query`, { key: { query: key }, platform: { query: platform } }),
    ]),
    sent("a conflict of keys", { key: differ }),
    sent("a conflict of platforms", { platform: differ }),
    sent("a good key with an unknown platform", { key: { header: key }, platform: { header: one } }),
    sent("a wrong key with the platform", { key: { header: one }, platform: { header: platform } }),
    sent("an empty header, a wrong parameter", { key: { header: "", query: one } }),
    ...lookalikes(key)
      .slice(0, 3)
      .map(([what, header]) => sent(`the key ${what}`, { key: { header }, platform: { header: platform } })),
    ...[["nothing", ""] as const, ...junk].map(inHeadersAndQuery),
    ...queryJunk.map(inQuery),
    ...eachPlace("a long key", long[1], (placement) => ({ key: placement })),
    ...[`Bearer ${one}`, "Basic d3Jvbmc6"].map((Authorization) =>
      sent("a wrong Authorization and cookie", "none", { headers: { Authorization, Cookie: `X-API-KEY=${one}` } }),
    ),
  ];
}

const HEADS = 3;

/** D16: where no credentials are needed they do not matter. */
export const publicOperations: readonly Check[] = every
  .filter(({ auth }) => !auth)
  .map((operation) =>
    check(`credentials/public#${operation.id}`, { effect: effectOf(operation) }, async (api) => {
      await expectAllLetIn(api, operation, anything(api));
      if (operation.method === "POST") return;
      for (const { what, options } of anything(api).slice(0, HEADS)) {
        const reply = await api.call(operation.id, { method: "HEAD", input: api.example(operation.id), ...options });
        await inCase(`HEAD with ${what}`, () => expectStatus(reply, 200));
      }
    }),
  );
