import { operations } from "../../../generated/operations.ts";
import type { Api } from "../../client/api.ts";
import type { CredentialName } from "../../client/credentials.ts";
import { expectStatus, fail } from "../../client/expect.ts";
import { check } from "../check.ts";
import { inCase } from "../probe.ts";
import { junk, long, nearMisses, queryJunk } from "./near-misses.ts";
import { type Case, eachPlace, effectOf, expectAllLetIn, expectLetIn, open, sayingOf, sent } from "./probe.ts";

const both = (value: string) => ({ key: { header: value }, platform: { header: value } });
const bothInQuery = (value: string) => ({ key: { query: value }, platform: { query: value } });

const anything = ({ key, platform }: Api): readonly Case[] => [
  sent("nothing", "none"),
  ...eachPlace("the key alone", key, (placement) => ({ key: placement })),
  ...eachPlace("the platform alone", platform, (placement) => ({ platform: placement })),
  sent("good ones in headers", "good"),
  sent("good ones in the query", "query"),
  sent("good ones twice", { key: { header: key, query: key }, platform: { header: platform, query: platform } }),
  sent("a conflict of keys", { key: { header: key, query: "another-key" } }),
  sent("a conflict of platforms", { platform: { header: platform, query: "another" } }),
  sent("conflicts of both", { key: { header: "one", query: "two" }, platform: { header: "three", query: "four" } }),
  sent("empty headers", both("")),
  sent("empty parameters", bothInQuery("")),
  sent("an empty header, a wrong parameter", { key: { header: "", query: "wrong" } }),
  sent("a good key with an unknown platform", { key: { header: key }, platform: { header: "no-platform" } }),
  sent("a wrong key with the platform", { key: { header: "wrong" }, platform: { header: platform } }),
  ...[...junk, long].map(([what, value]) => sent(`as both headers: ${what}`, both(value))),
  ...[...junk, ...queryJunk].map(([what, value]) => sent(`as both parameters: ${what}`, bothInQuery(value))),
  sent("a long key in the query", { key: { query: long[1] } }),
  ...[{ Authorization: "Bearer wrong" }, { Authorization: "Basic d3Jvbmc6" }, { Cookie: "X-API-KEY=wrong" }].map(
    (headers) => sent(`a wrong ${Object.keys(headers).join()}`, "none", { headers }),
  ),
  ...nearMisses(key)
    .slice(0, 3)
    .map(([what, value]) => sent(`the key ${what}`, { key: { header: value }, platform: { header: platform } })),
];

const special: readonly CredentialName[] = ["noScopes", "otherPlatform", "expired", "revoked"];

/** D16: where no credentials are needed they do not matter. */
export const publicOperations = open.flatMap((id) => [
  ...sayingOf(id, "public").map((requirement) =>
    check(`${requirement}#called`, { effect: effectOf(id) }, async (api) => {
      const { status } = await api.call(id, { credentials: "none" });
      if (status === 401 || status === 403) fail("status", "a call without credentials to be let in", String(status));
      if (operations[id].method === "GET" && status >= 300) fail("status", "a success", String(status));
    }),
  ),
  check(`credentials/public#${id}`, { effect: effectOf(id) }, (api) => expectAllLetIn(api, id, anything(api))),
  ...special.map((name) =>
    check(`credentials/public#${name}-${id}`, { effect: effectOf(id), needs: [name] }, async (api) => {
      await expectLetIn(api, id, { credentials: name });
      const { key, platform } = api.credentials.special[name] ?? { key: "", platform: "" };
      await expectLetIn(api, id, { credentials: { key: { query: key }, platform: { query: platform } } });
    }),
  ),
  ...(operations[id].method === "POST"
    ? []
    : [
        check(`credentials/public#head-${id}`, {}, async (api) => {
          for (const { what, options } of [sent("nothing", "none"), sent("wrong ones", both("wrong"))]) {
            const reply = await api.call(id, { method: "HEAD", input: api.example(id), ...options });
            await inCase(`HEAD with ${what}`, async () => expectStatus(reply, 200));
          }
        }),
      ]),
]);
