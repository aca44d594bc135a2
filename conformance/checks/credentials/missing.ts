import { operations } from "../../../generated/operations.ts";
import type { Api } from "../../client/api.ts";
import { describe, expectProblem, expectStatus, fail } from "../../client/expect.ts";
import { Reply } from "../../client/reply.ts";
import { check, checkAll } from "../check.ts";
import { inCase } from "../probe.ts";
import {
  type Case,
  closed,
  effectOf,
  expectAllLetIn,
  expectAllRefused,
  expectLetIn,
  keyAs,
  platformAs,
  sent,
} from "./probe.ts";
import { queryWith } from "./raw-call.ts";

const KEY = "X-API-KEY";
const PLATFORM = "X-PLATFORM";

interface Missing extends Case {
  /** What is not sent. */
  readonly names: readonly string[];
}

/** Every way of sending too little: nothing, or one of the two in either place, the other absent or empty. */
const missing = ({ key, platform }: Api): readonly Missing[] => [
  { ...sent("nothing", "none"), names: [KEY, PLATFORM] },
  { ...sent("no key, the platform in the header", { platform: { header: platform } }), names: [KEY] },
  { ...sent("no key, the platform in the query", { platform: { query: platform } }), names: [KEY] },
  { ...sent("no platform, the key in the header", { key: { header: key } }), names: [PLATFORM] },
  { ...sent("no platform, the key in the query", { key: { query: key } }), names: [PLATFORM] },
];

const empty = ({ key, platform }: Api): readonly Missing[] => [
  { ...sent("both empty headers", { key: { header: "" }, platform: { header: "" } }), names: [KEY, PLATFORM] },
  { ...sent("both empty in the query", { key: { query: "" }, platform: { query: "" } }), names: [KEY, PLATFORM] },
  { ...sent("an empty key header", { key: { header: "" }, platform: { header: platform } }), names: [KEY] },
  { ...sent("an empty key in the query", { key: { query: "" }, platform: { header: platform } }), names: [KEY] },
  {
    ...sent("an empty key in both places", { key: { header: "", query: "" }, platform: { query: platform } }),
    names: [KEY],
  },
  { ...sent("an empty platform header", { key: { header: key }, platform: { header: "" } }), names: [PLATFORM] },
  { ...sent("an empty platform in the query", { key: { query: key }, platform: { query: "" } }), names: [PLATFORM] },
  {
    ...sent("an empty platform in both places", { key: { header: key }, platform: { header: "", query: "" } }),
    names: [PLATFORM],
  },
];

/** Only blanks are nothing in a header, since HTTP strips them, but something in a query. */
const blank = (api: Api) => ({
  key: sent("a blank as the key in the query", keyAs(api, { query: " " })),
  platform: sent("a blank as the platform in the query", platformAs(api, { query: " " })),
});

const emptyBesideGood = ({ key, platform }: Api): readonly Case[] => [
  sent("an empty key header, the key in the query", {
    key: { header: "", query: key },
    platform: { header: platform },
  }),
  sent("an empty key in the query, the key in the header", {
    key: { header: key, query: "" },
    platform: { header: platform },
  }),
  sent("an empty platform header, the platform in the query", {
    key: { header: key },
    platform: { header: "", query: platform },
  }),
  sent("an empty platform in the query, the platform in the header", {
    key: { header: key },
    platform: { header: platform, query: "" },
  }),
  sent("both headers empty, both in the query", {
    key: { header: "", query: key },
    platform: { header: "", query: platform },
  }),
  sent("both empty in the query, both in the headers", {
    key: { header: key, query: "" },
    platform: { header: platform, query: "" },
  }),
];

const CHALLENGE = /^ApiKey +realm="atpoint"$/i;

function expectChallenge(reply: Reply): void {
  const values = reply.headerValues("WWW-Authenticate");
  if (!values.some((value) => CHALLENGE.test(value)))
    fail("body", 'WWW-Authenticate: ApiKey realm="atpoint"', values.join(", ") || `none, with ${describe(reply)}`);
}

/** D17, D18: what is not sent, and what counts as that. */
export const missingCredentials = [
  ...closed.flatMap((id) => [
    check(`credentials/missing#${id}`, { effect: effectOf(id) }, async (api) => {
      await expectLetIn(api, id, { credentials: "good" });
      await expectAllRefused(api, id, 401, "credentials-missing", missing(api));
    }),
    check(`credentials/missing-says-which#${id}`, { effect: effectOf(id) }, async (api) => {
      const input = api.example(id);
      for (const { what, options, names } of [...missing(api), ...empty(api)]) {
        await inCase(what, async () => {
          const reply = await api.call(id, { input, ...options });
          const { detail } = expectProblem(reply, 401, "credentials-missing", id);
          for (const name of [KEY, PLATFORM]) {
            const named = detail.toUpperCase().includes(name);
            if (named !== names.includes(name))
              fail("body", `a detail that names ${names.join(" and ")} only`, describe(reply));
          }
        });
      }
    }),
    check(`credentials/challenge#${id}`, { effect: effectOf(id) }, async (api) => {
      const wrong = "not-one-of-yours";
      const input = api.example(id);
      const cases = [
        sent("nothing sent", "none"),
        sent("no platform", { key: { header: api.key } }),
        sent("no key", { platform: { query: api.platform } }),
        sent("a wrong key in the header", keyAs(api, { header: wrong })),
        sent("a wrong key in the query", keyAs(api, { query: wrong })),
        sent("a key with its end missing", keyAs(api, { header: api.key.slice(0, -1) })),
      ];
      for (const { what, options } of cases) {
        await inCase(what, async () => {
          const reply = await api.call(id, { input, ...options });
          expectStatus(reply, 401);
          expectChallenge(reply);
        });
      }
    }),
    check(`credentials/empty#${id}`, { effect: effectOf(id) }, async (api) => {
      await expectAllLetIn(api, id, emptyBesideGood(api));
      await expectAllRefused(api, id, 401, "credentials-missing", empty(api));
      const named = { credentials: "none", rawQuery: queryWith(api, id, "X-API-KEY", "X-PLATFORM") } as const;
      await expectAllRefused(api, id, 401, "credentials-missing", [
        { what: "only the names in the query", options: named },
      ]);
      await inCase("good headers, the names in the query", () =>
        expectLetIn(api, id, { ...named, credentials: "good" }),
      );
      const { key, platform } = blank(api);
      await expectAllRefused(api, id, 401, "credentials-invalid", [key]);
      await expectAllRefused(api, id, 403, "platform-not-allowed", [platform]);
    }),
  ]),
  ...closed
    .filter((id) => operations[id].method === "GET")
    .map((id) =>
      check(`credentials/missing#head-${id}`, {}, async (api) => {
        const input = api.example(id);
        const head = async (options: Case["options"]) => api.call(id, { method: "HEAD", input, ...options });
        expectStatus(await head({ credentials: "good" }), 200);
        for (const { what, options } of missing(api)) {
          await inCase(`HEAD with ${what}`, async () => expectStatus(await head(options), 401));
        }
      }),
    ),
  checkAll("credentials/challenge#every-answer", ({ answer, ...exchange }) => {
    if (answer?.status === 401) expectChallenge(new Reply({ answer, ...exchange }, answer));
  }),
];
