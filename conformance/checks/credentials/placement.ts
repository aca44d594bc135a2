import type { Api } from "../../client/api.ts";
import { expectProblem } from "../../client/expect.ts";
import { check } from "../check.ts";
import { inCase } from "../probe.ts";
import { nearMisses } from "./near-misses.ts";
import {
  type Case,
  closed,
  effectOf,
  expectAllLetIn,
  expectAllRefused,
  expectLetIn,
  judgeLetIn,
  keyAs,
  platformAs,
  sent,
} from "./probe.ts";
import { callRaw, queryWith } from "./raw-call.ts";

/** Every byte as an escape, which decodes to the same value. */
const escaped = (text: string) => Buffer.from(text).toString("hex").replace(/../g, "%$&");

const spelledHeaders = [
  ["x-api-key", "x-platform"],
  ["X-Api-Key", "X-Platform"],
  ["X-API-KEY", "X-PLATFORM"],
  ["x-API-kEY", "X-pLATFORm"],
  ["X-Api-KEY", "x-platForm"],
] as const;

/** Names that are not the parameter's. */
const spelledQuery = {
  key: ["x-api-key", "X-Api-Key", "x-API-KEY", "X-API-KEy", "X_API_KEY", "XAPIKEY", "api_key", "apikey", "key"],
  platform: ["x-platform", "X-Platform", "x-PLATFORM", "X-PLATFORm", "X_PLATFORM", "platform"],
};
const aroundQuery = (name: string) => [`${name}[]`, `${name}[0]`, ` ${name}`, `${name} `, `${name}\0`, `${name}.`];

const sameTwice = ({ key, platform }: Api): readonly Case[] => [
  sent("the key twice", { key: { header: key, query: key }, platform: { header: platform } }),
  sent("the key twice, the platform in the query", { key: { header: key, query: key }, platform: { query: platform } }),
  sent("the platform twice", { key: { header: key }, platform: { header: platform, query: platform } }),
  sent("the platform twice, the key in the query", {
    key: { query: key },
    platform: { header: platform, query: platform },
  }),
  sent("both twice", { key: { header: key, query: key }, platform: { header: platform, query: platform } }),
];

const conflicts = (api: Api): readonly Case[] => {
  const { key, platform } = api;
  const near = [
    ["something else", "not-one-of-yours"],
    [...["a blank"], " "],
    ...nearMisses(key).slice(0, 12),
  ] as const;
  const nearPlatform = [
    ["another", "no-platform"],
    ["with a blank behind it", `${platform} `],
    ...nearMisses(platform).slice(0, 12),
  ] as const;
  return [
    ...near.map(([what, value]) =>
      sent(`the key in the header, ${what} in the query`, keyAs(api, { header: key, query: value })),
    ),
    ...near
      .slice(0, 1)
      .map(([what, value]) =>
        sent(`the key in the query, ${what} in the header`, keyAs(api, { header: value, query: key })),
      ),
    ...nearPlatform.map(([what, value]) =>
      sent(`the platform in the header, ${what} in the query`, platformAs(api, { header: platform, query: value })),
    ),
    ...nearPlatform
      .slice(0, 1)
      .map(([what, value]) =>
        sent(`the platform in the query, ${what} in the header`, platformAs(api, { header: value, query: platform })),
      ),
    sent("two keys, the platform in the query", {
      key: { header: "one-key", query: key },
      platform: { query: platform },
    }),
    sent("two platforms, the key in the query", {
      key: { query: key },
      platform: { header: platform, query: "other" },
    }),
    sent("two of both", { key: { header: key, query: "wrong" }, platform: { header: platform, query: "wrong" } }),
  ];
};

/** D18: where a credential stands and how its name is spelled. */
export const placement = closed.flatMap((id) => [
  check(`credentials/same-twice#${id}`, { effect: effectOf(id) }, async (api) => {
    await expectAllLetIn(api, id, sameTwice(api));
    const headers = { "X-API-KEY": api.key, "X-PLATFORM": api.platform };
    const rawQuery = queryWith(api, id, `X-API-KEY=${escaped(api.key)}&X-PLATFORM=${escaped(api.platform)}`);
    await inCase("both twice, percent-encoded in the query", () =>
      expectLetIn(api, id, { credentials: "none", headers, rawQuery }),
    );
  }),
  check(`credentials/conflict#${id}`, { effect: effectOf(id) }, async (api) => {
    await expectLetIn(api, id, { credentials: "good" });
    await expectAllRefused(api, id, 400, "credential-conflict", conflicts(api));
  }),
  check(`credentials/header-case#${id}`, { effect: effectOf(id) }, async (api) => {
    for (const [key, platform] of spelledHeaders) {
      await inCase(`${key} and ${platform}`, async () =>
        judgeLetIn(
          await callRaw(api, id, [
            [key, api.key],
            [platform, api.platform],
          ]),
          id,
        ),
      );
      await inCase(`${platform} without ${key}`, async () =>
        expectProblem(await callRaw(api, id, [[platform, api.platform]]), 401, "credentials-missing", id),
      );
    }
  }),
  check(`credentials/query-case#${id}`, { effect: effectOf(id) }, async (api) => {
    await expectLetIn(api, id, { credentials: "query" });
    const names = [
      ...[...spelledQuery.key, ...aroundQuery("X-API-KEY")].map((name) => ({
        name,
        value: api.key,
        good: keyAs(api, {}),
      })),
      ...[...spelledQuery.platform, ...aroundQuery("X-PLATFORM")].map((name) => ({
        name,
        value: api.platform,
        good: platformAs(api, {}),
      })),
    ];
    const spelled = (name: string) => JSON.stringify(name);
    const escapedNames = `X%2DAPI%2dKEY=${encodeURIComponent(api.key)}&%58-PLATFORM=${encodeURIComponent(api.platform)}`;
    await inCase("the names percent-encoded", () =>
      expectLetIn(api, id, { credentials: "none", rawQuery: queryWith(api, id, escapedNames) }),
    );
    await expectAllRefused(
      api,
      id,
      401,
      "credentials-missing",
      names.map(({ name, value, good }) =>
        sent(`only ${spelled(name)} in the query`, good, { query: [[name, value]] }),
      ),
    );
    await expectAllRefused(
      api,
      id,
      422,
      "invalid-input",
      names.map(({ name, value }) =>
        sent(`good headers, ${spelled(name)} in the query`, "good", { query: [[name, value]] }),
      ),
    );
  }),
  check(`credentials/whole#plus-${id}`, { effect: effectOf(id) }, async (api) => {
    const key = encodeURIComponent(api.key);
    const platform = encodeURIComponent(api.platform);
    const call = (parameters: string) => ({ credentials: "none", rawQuery: queryWith(api, id, parameters) }) as const;
    await expectLetIn(api, id, call(`X-API-KEY=${key}&X-PLATFORM=${platform}`));
    for (const [what, spelled] of [
      ["before", (text: string) => `+${text}`],
      ["behind", (text: string) => `${text}+`],
    ] as const) {
      const wrongKey = call(`X-API-KEY=${spelled(key)}&X-PLATFORM=${platform}`);
      const wrongPlatform = call(`X-API-KEY=${key}&X-PLATFORM=${spelled(platform)}`);
      await expectAllRefused(api, id, 401, "credentials-invalid", [
        { what: `a plus sign ${what} the key`, options: wrongKey },
      ]);
      await expectAllRefused(api, id, 403, "platform-not-allowed", [
        { what: `a plus sign ${what} the platform`, options: wrongPlatform },
      ]);
    }
    // A value ends at the next `&`, not at its own `=`.
    for (const tail of ["=", "=x", "%26x=1"]) {
      const wrongKey = call(`X-API-KEY=${key}${tail}&X-PLATFORM=${platform}`);
      const wrongPlatform = call(`X-API-KEY=${key}&X-PLATFORM=${platform}${tail}`);
      await expectAllRefused(api, id, 401, "credentials-invalid", [
        { what: `${tail} behind the key`, options: wrongKey },
      ]);
      await expectAllRefused(api, id, 403, "platform-not-allowed", [
        { what: `${tail} behind the platform`, options: wrongPlatform },
      ]);
    }
  }),
]);
