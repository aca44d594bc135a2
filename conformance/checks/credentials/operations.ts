import type { Api } from "../../client/api.ts";
import type { Placement } from "../../client/call.ts";
import { expectAccepted, expectRefused, expectSuccess, fail } from "../../client/expect.ts";
import { check } from "../check.ts";
import { inCase } from "../probe.ts";
import { expectNotCreated } from "../users.ts";
import { type Case, eachPlace, expectAllRefused, expectLetIn, keyAs, platformAs, sent } from "./probe.ts";

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

/** What the operations themselves say of credentials: the first two as given, so nothing decided is used (G4). */
export const operationCredentials = [
  ...(["user.list", "test.health"] as const).flatMap((id) => [
    check(`${id}/credentials`, {}, async (api) => {
      await inCase("good credentials", async () => expectAccepted(await api.call(id)));
      for (const { what, options } of [...tooFew(api), ...wrongKey(api)]) {
        await inCase(what, async () => expectRefused(await api.call(id, options)));
      }
    }),
    check(`${id}/placements#combinations`, {}, async (api) => {
      for (const { what, options } of placed(api)) {
        await inCase(what, async () => expectAccepted(await api.call(id, options)));
      }
    }),
    check(`${id}/placements#query-order`, {}, async (api) => {
      const key = `X-API-KEY=${encodeURIComponent(api.key)}`;
      const platform = `X-PLATFORM=${encodeURIComponent(api.platform)}`;
      const orders = [
        [key, platform, `@=${id}`],
        [platform, `@=${id}`, key],
        [`@=${id}`, platform, key],
      ];
      for (const parameters of orders) {
        const call = api.call(id, { credentials: "none", rawQuery: parameters.join("&") });
        const names = parameters.map((text) => text.replace(/=.*/, ""));
        await inCase(`in the order ${names.join(", ")}`, async () => expectAccepted(await call));
      }
    }),
  ]),
  check("user.create/credentials#refused", { effect: "write" }, async (api) => {
    const id = "user.create";
    await expectLetIn(api, id, { credentials: "good" });
    await expectAllRefused(api, id, 401, "credentials-missing", tooFew(api));
    await expectAllRefused(api, id, 401, "credentials-invalid", wrongKey(api));
    const unknown = eachPlace("an unknown platform", "no-platform", (placement) => platformAs(api, placement));
    await expectAllRefused(api, id, 403, "platform-not-allowed", unknown);
  }),
  check("user.create/credentials#never-created", { effect: "write" }, async (api) => {
    const emails: string[] = [];
    for (const { options } of [...tooFew(api), ...wrongKey(api)]) {
      const email = api.email();
      emails.push(email);
      await api.call("user.create", { ...options, input: { ...api.example("user.create"), email } });
    }
    await expectNotCreated(api, emails);
  }),
  check("user.create/placements", { effect: "write" }, async (api) => {
    for (const { what, options } of placed(api)) {
      await inCase(what, async () => {
        const input = { ...api.example("user.create"), email: api.email() };
        const { email } = expectSuccess(await api.call("user.create", { ...options, input }), "user.create");
        if (email !== input.email) fail("state", "the user that was sent", email);
      });
    }
  }),
];
