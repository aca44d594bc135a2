import { operations } from "../../../generated/operations.ts";
import type { Api } from "../../client/api.ts";
import { check } from "../check.ts";
import { type Case, closed, effectOf, expectAllRefused, sent } from "./probe.ts";

const WRONG = "not-one-of-yours";
const UNKNOWN = "no-platform";

const conflictFirst = ({ key, platform }: Api): readonly Case[] => [
  sent("a conflict of keys, no platform", { key: { header: key, query: WRONG } }),
  sent("a conflict of platforms, no key", { platform: { header: platform, query: UNKNOWN } }),
  sent("a conflict of keys, an empty platform", { key: { header: key, query: WRONG }, platform: { header: "" } }),
  sent("a conflict of wrong keys", { key: { header: WRONG, query: "another" }, platform: { header: platform } }),
  sent("a conflict of platforms, a wrong key", {
    key: { header: WRONG },
    platform: { header: platform, query: UNKNOWN },
  }),
  sent("a conflict of keys, an unknown platform", {
    key: { header: key, query: WRONG },
    platform: { header: UNKNOWN },
  }),
  sent("a conflict of unknown platforms", { key: { header: key }, platform: { header: UNKNOWN, query: "another" } }),
];

const missingFirst = (): readonly Case[] => [
  sent("a wrong key, no platform", { key: { header: WRONG } }),
  sent("a wrong key in the query, no platform", { key: { query: WRONG } }),
  sent("a wrong key, an empty platform", { key: { header: WRONG }, platform: { header: "" } }),
  sent("an unknown platform, no key", { platform: { header: UNKNOWN } }),
  sent("an unknown platform in the query, no key", { platform: { query: UNKNOWN } }),
];

const invalidFirst = ({ key }: Api): readonly Case[] => [
  sent("a wrong key, an unknown platform", { key: { header: WRONG }, platform: { header: UNKNOWN } }),
  sent("both wrong, in the query", { key: { query: WRONG }, platform: { query: UNKNOWN } }),
  sent("almost the key, an unknown platform", { key: { header: key.slice(0, -1) }, platform: { header: UNKNOWN } }),
];

/** What is wrong with credentials, some of them in the query. */
const wrongInQuery = ({ key, platform }: Api) =>
  [
    [401, "credentials-missing", sent("no key, the platform in the query", { platform: { query: platform } })],
    [
      401,
      "credentials-invalid",
      sent("both wrong, in the query", { key: { query: WRONG }, platform: { query: UNKNOWN } }),
    ],
    [403, "platform-not-allowed", sent("an unknown platform", { key: { query: key }, platform: { query: UNKNOWN } })],
    [
      400,
      "credential-conflict",
      sent("two keys", { key: { header: WRONG, query: key }, platform: { query: platform } }),
    ],
  ] as const;

/** The order of judgement, each step against every later one. */
export const order = closed.flatMap((id) => [
  check(`dispatch/order-credentials-first#query-${id}`, { effect: effectOf(id) }, async (api) => {
    const unknown = [["unknown", "1"]] as const;
    for (const [status, code, { what, options }] of wrongInQuery(api))
      await expectAllRefused(api, id, status, code, [
        { what: `${what}, an Accept of nothing`, options: { ...options, accept: "image/png" } },
        { what: `${what}, an unknown parameter`, options: { ...options, query: unknown } },
        { what: `${what}, and both`, options: { ...options, accept: "image/png", query: unknown } },
      ]);
  }),
  check(`credentials/order#conflict-${id}`, { effect: effectOf(id) }, (api) =>
    expectAllRefused(api, id, 400, "credential-conflict", conflictFirst(api)),
  ),
  check(`credentials/order#missing-${id}`, { effect: effectOf(id) }, (api) =>
    expectAllRefused(api, id, 401, "credentials-missing", missingFirst()),
  ),
  check(`credentials/order#invalid-${id}`, { effect: effectOf(id) }, (api) =>
    expectAllRefused(api, id, 401, "credentials-invalid", invalidFirst(api)),
  ),
  ...(["expired", "revoked"] as const).map((name) =>
    check(`credentials/order#${name}-${id}`, { effect: effectOf(id), needs: [name] }, async (api) => {
      const key = api.credentials.special[name]?.key ?? "";
      await expectAllRefused(api, id, 401, "credentials-missing", [sent("no platform", { key: { header: key } })]);
      await expectAllRefused(api, id, 401, "credentials-invalid", [
        sent("an unknown platform", { key: { header: key }, platform: { header: UNKNOWN } }),
      ]);
    }),
  ),
  ...(operations[id].scope === null
    ? []
    : [
        check(`credentials/order#scope-${id}`, { effect: effectOf(id), needs: ["noScopes"] }, async (api) => {
          const { key, platform } = api.credentials.special.noScopes ?? { key: "", platform: "" };
          await expectAllRefused(api, id, 403, "scope-missing", [
            sent("an unknown platform", { key: { header: key }, platform: { header: UNKNOWN } }),
            sent("an unknown platform, both in the query", { key: { query: key }, platform: { query: UNKNOWN } }),
          ]);
          await expectAllRefused(api, id, 401, "credentials-missing", [sent("no platform", { key: { header: key } })]);
          await expectAllRefused(api, id, 400, "credential-conflict", [
            sent("a conflict of keys", { key: { header: key, query: WRONG }, platform: { header: platform } }),
            sent("a conflict with the good key", {
              key: { header: key, query: api.key },
              platform: { header: platform },
            }),
            sent("a conflict of platforms", { key: { header: key }, platform: { header: platform, query: UNKNOWN } }),
          ]);
        }),
      ]),
]);
