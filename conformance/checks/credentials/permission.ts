import { type OperationId, operations, scopes } from "../../../generated/operations.ts";
import type { Api } from "../../client/api.ts";
import type { CredentialName } from "../../client/credentials.ts";
import { check } from "../check.ts";
import { junk, long, type NearMiss, nearMisses, queryJunk, surrounded, unfolded } from "./near-misses.ts";
import {
  type Case,
  closed,
  effectOf,
  expectAllLetIn,
  expectAllRefused,
  expectLetIn,
  platformAs,
  sent,
} from "./probe.ts";

const platforms = (api: Api, place: "header" | "query", values: readonly NearMiss[]): readonly Case[] =>
  values.map(([what, value]) => sent(`as the platform in the ${place}: ${what}`, platformAs(api, { [place]: value })));

/** Every scope but the one that an operation asks for. */
const others = (id: OperationId) => scopes.filter((scope) => scope !== operations[id].scope);

/** A special key in each placement. */
function placements(api: Api, name: CredentialName): readonly Case[] {
  const special = api.credentials.special[name];
  if (!special) throw new Error("the check needs it");
  const { key, platform } = special;
  return [
    sent(`${name}: both in headers`, { key: { header: key }, platform: { header: platform } }),
    sent(`${name}: both in the query`, { key: { query: key }, platform: { query: platform } }),
    sent(`${name}: the platform in the query`, { key: { header: key }, platform: { query: platform } }),
    sent(`${name}: the key in the query`, { key: { query: key }, platform: { header: platform } }),
  ];
}

/** D16, D17: what a valid key may not do. */
export const permissions = closed.flatMap((id) => [
  check(`credentials/platform#${id}`, { effect: effectOf(id) }, async (api) => {
    await expectLetIn(api, id, { credentials: "good" });
    await expectAllRefused(api, id, 403, "platform-not-allowed", [
      ...platforms(api, "header", [...junk, long]),
      ...platforms(api, "query", [...junk, ...queryJunk]),
      sent("the key as the platform", platformAs(api, { header: api.key })),
      sent("unknown, both in the query", { key: { query: api.key }, platform: { query: "no-platform" } }),
    ]);
  }),
  check(`credentials/whole#platform-${id}`, { effect: effectOf(id) }, async (api) => {
    await expectLetIn(api, id, { credentials: "query" });
    await expectAllRefused(api, id, 403, "platform-not-allowed", [
      ...platforms(api, "header", nearMisses(api.platform)),
      ...platforms(api, "query", [
        ...nearMisses(api.platform).slice(0, 14),
        ...surrounded(api.platform),
        ...unfolded(api.platform),
      ]),
    ]);
  }),
  check(`credentials/platform-of-key#${id}`, { effect: effectOf(id), needs: ["otherPlatform"] }, async (api) => {
    await expectLetIn(api, id, { credentials: "good" });
    await expectAllRefused(api, id, 403, "platform-not-allowed", placements(api, "otherPlatform"));
  }),
  ...(operations[id].scope === null
    ? []
    : [
        check(`credentials/scope#${id}`, { effect: effectOf(id), needs: ["noScopes"] }, async (api) => {
          await expectLetIn(api, id, { credentials: "good" });
          await expectAllRefused(api, id, 403, "scope-missing", placements(api, "noScopes"));
        }),
      ]),
  ...scopes
    .filter((scope) => scope === operations[id].scope)
    .map((scope) =>
      check(`credentials/scope#enough-${id}`, { effect: effectOf(id), needs: [scope] }, (api) =>
        expectAllLetIn(api, id, placements(api, scope)),
      ),
    ),
  ...(operations[id].scope === null
    ? []
    : [
        check(`credentials/scope#of-another-${id}`, { effect: effectOf(id), needs: others(id) }, async (api) => {
          await expectLetIn(api, id, { credentials: "good" });
          for (const scope of others(id)) {
            // It enters its own first, by a call that only reads: what was decided there must not be remembered here.
            for (const own of closed.filter((other) => operations[other].scope === scope && effectOf(other) === "read"))
              await expectLetIn(api, own, { credentials: scope });
            await expectAllRefused(api, id, 403, "scope-missing", placements(api, scope));
          }
        }),
      ]),
]);
