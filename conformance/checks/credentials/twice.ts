import type { Api } from "../../client/api.ts";
import { guarded } from "../../client/operation.ts";
import { type Check, check } from "../check.ts";
import { effectOf } from "../probe.ts";
import { type Case, expectAllLetIn, expectAllRefused, kinds, queryWith, sent } from "./calls.ts";

/** Every byte as an escape, which decodes to the same value. */
const escaped = (text: string) => Buffer.from(text).toString("hex").replace(/../g, "%$&");

const sameTwice = ({ key, platform }: Api): readonly Case[] => {
  const [keys, platforms] = [
    { header: key, query: key },
    { header: platform, query: platform },
  ];
  return [
    sent("the key twice", { key: keys, platform: { header: platform } }),
    sent("the key twice, the platform in the query", { key: keys, platform: { query: platform } }),
    sent("the platform twice", { key: { header: key }, platform: platforms }),
    sent("the platform twice, the key in the query", { key: { query: key }, platform: platforms }),
    sent("both twice", { key: keys, platform: platforms }),
  ];
};

/** Every way to send a credential empty: in the header, in the query, in both. */
const EMPTY = [{ header: "" }, { query: "" }, { header: "", query: "" }];

/** What is refused as if it had not been sent. */
export const empty = ({ key, platform }: Api): readonly Case[] =>
  EMPTY.flatMap((nothing) => {
    const where = Object.keys(nothing).join(" and ");
    return [
      sent(`an empty key, in the ${where}`, { key: nothing, platform: { header: platform } }),
      sent(`an empty platform, in the ${where}`, { key: { header: key }, platform: nothing }),
      sent(`both empty, in the ${where}`, { key: nothing, platform: nothing }),
    ];
  });

/** An empty value in one place, the good one in the other. */
const emptyBesideGood = ({ key, platform }: Api): readonly Case[] => {
  const behind = (value: string) => ({ header: "", query: value });
  const before = (value: string) => ({ header: value, query: "" });
  return [behind, before].flatMap((beside, at) => {
    const where = at === 0 ? "header" : "query";
    return [
      sent(`an empty key in the ${where} too`, { key: beside(key), platform: { header: platform } }),
      sent(`an empty platform in the ${where} too`, { key: { header: key }, platform: beside(platform) }),
      sent(`both empty in the ${where} too`, { key: beside(key), platform: beside(platform) }),
    ];
  });
};

/** D18: the same in both places is fine, and what is empty was not sent. */
export const twice: readonly Check[] = guarded.flatMap((operation) => [
  check(`credentials/same-twice#${operation.id}`, { effect: effectOf(operation) }, async (api) => {
    await expectAllLetIn(api, operation, sameTwice(api));
    const headers = Object.fromEntries(kinds.map(({ header, good }) => [header, good(api)]));
    const again = kinds.map(({ header, good }) => `${header}=${escaped(good(api))}`);
    const rawQuery = queryWith(api, operation, ...again);
    await expectAllLetIn(api, operation, [sent("both twice, escaped in the query", "none", { headers, rawQuery })]);
  }),
  check(`credentials/empty#${operation.id}`, { effect: effectOf(operation) }, async (api) => {
    await expectAllLetIn(api, operation, emptyBesideGood(api));
    const rawQuery = queryWith(api, operation, "X-API-KEY", "X-PLATFORM");
    await expectAllRefused(api, operation, "credentials-missing", [
      ...empty(api),
      sent("only the names in the query", "none", { rawQuery }),
    ]);
    await expectAllLetIn(api, operation, [sent("good headers, the names in the query", "good", { rawQuery })]);
    // Only blanks are nothing in a header, since HTTP strips them, but something in a query.
    for (const { kind, code, as } of kinds)
      await expectAllRefused(api, operation, code, [
        sent(`a blank as the ${kind} in the query`, as(api, { query: " " })),
      ]);
  }),
]);
