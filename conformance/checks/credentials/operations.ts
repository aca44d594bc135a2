import type { Api } from "../../client/api.ts";
import type { Placement } from "../../client/call.ts";
import { expectAccepted, expectRefused, expectSuccess, fail } from "../../client/expect.ts";
import { commands, guarded, type Known, queryOf } from "../../client/operation.ts";
import { check } from "../check.ts";
import { inCase } from "../probe.ts";
import { expectUnchanged, stateOf } from "../state.ts";
import { type Case, eachPlace, expectAllRefused, expectLetIn, keyAs, platformAs, sayingOf, sent } from "./probe.ts";

type PlacementOf = (value: string) => Placement;
const header: PlacementOf = (value) => ({ header: value });
const query: PlacementOf = (value) => ({ query: value });

/** G4: the four combinations. */
const combinations = [
  ["both in headers", header, header],
  ["the key in the header, the platform in the query", header, query],
  ["the key in the query, the platform in the header", query, header],
  ["both in the query", query, query],
] as const;

const placed = ({ key, platform }: Api): readonly Case[] =>
  combinations.map(([what, keyIn, platformIn]) => sent(what, { key: keyIn(key), platform: platformIn(platform) }));

const tooFew = ({ key, platform }: Api): readonly Case[] => [
  sent("neither key nor platform", "none"),
  ...eachPlace("only the key", key, (placement) => ({ key: placement })),
  ...eachPlace("only the platform", platform, (placement) => ({ platform: placement })),
];

const wrongKey = (api: Api): readonly Case[] =>
  eachPlace("a made-up key", "not-one-of-yours", (placement) => keyAs(api, placement));

const ofQuery = (operation: Known) => [
  ...sayingOf(operation.id, "credentials").map((requirement) =>
    check(requirement, {}, async (api) => {
      await inCase("good credentials", async () => expectAccepted(await api.call(operation.id)));
      for (const { what, options } of [...tooFew(api), ...wrongKey(api)]) {
        await inCase(what, async () => expectRefused(await api.call(operation.id, options)));
      }
    }),
  ),
  ...sayingOf(operation.id, "placements").flatMap((requirement) => [
    check(`${requirement}#combinations`, {}, async (api) => {
      for (const { what, options } of placed(api)) {
        await inCase(what, async () => expectAccepted(await api.call(operation.id, options)));
      }
    }),
    check(`${requirement}#query-order`, {}, async (api) => {
      const key = `X-API-KEY=${encodeURIComponent(api.key)}`;
      const platform = `X-PLATFORM=${encodeURIComponent(api.platform)}`;
      const own = queryOf(operation, api.required(operation.id));
      const orders = [
        [key, platform, own],
        [platform, own, key],
        [own, platform, key],
      ];
      for (const parameters of orders) {
        const call = api.call(operation.id, { credentials: "none", rawQuery: parameters.join("&") });
        const names = parameters.map((text) => text.replace(/=.*/, ""));
        await inCase(`in the order ${names.join(", ")}`, async () => expectAccepted(await call));
      }
    }),
  ]),
];

const ofCommand = (operation: Known) => [
  ...sayingOf(operation.id, "credentials").flatMap((requirement) => [
    check(`${requirement}#refused`, { effect: "write" }, async (api) => {
      const { id } = operation;
      await expectLetIn(api, id, { credentials: "good" });
      await expectAllRefused(api, id, 401, "credentials-missing", tooFew(api));
      await expectAllRefused(api, id, 401, "credentials-invalid", wrongKey(api));
      const unknown = eachPlace("an unknown platform", "no-platform", (placement) => platformAs(api, placement));
      await expectAllRefused(api, id, 403, "platform-not-allowed", unknown);
    }),
    check(`${requirement}#never-carried-out`, { effect: "write" }, async (api) => {
      const cases = [...tooFew(api), ...wrongKey(api)].map((one) => ({ ...one, input: api.example(operation.id) }));
      const before = await stateOf(api, operation, cases[0]?.input, cases);
      for (const { options, input } of cases) await api.call(operation.id, { ...options, input });
      await expectUnchanged(api, before);
    }),
  ]),
  ...sayingOf(operation.id, "placements").map((requirement) =>
    check(requirement, { effect: "write" }, async (api) => {
      for (const { what, options } of placed(api)) {
        await inCase(what, async () => {
          const input = api.example(operation.id);
          const answer = expectSuccess(await api.call(operation.id, { ...options, input }), operation.id);
          const other = Object.entries(answer).find(([name, value]) => name in input && value !== input[name]);
          if (other) fail(`body:/${other[0]}`, "what was sent", String(other[1]));
        });
      }
    }),
  ),
];

/** What the operations themselves say of credentials: of queries as given, so nothing decided is used (G4). */
export const operationCredentials = [
  ...guarded.filter(({ method }) => method === "GET").flatMap(ofQuery),
  ...commands.filter(({ auth }) => auth).flatMap(ofCommand),
];
