import { operations, type ProblemCode, scopes } from "../../../generated/operations.ts";
import type { RequirementId } from "../../../generated/requirements.ts";
import type { Api } from "../../client/api.ts";
import type { CallCredentials } from "../../client/call.ts";
import type { CredentialName } from "../../client/credentials.ts";
import { fail } from "../../client/expect.ts";
import { guarded, type Known } from "../../client/operation.ts";
import { type Check, check } from "../check.ts";
import { effectOf, nobodys, toJudge } from "../probe.ts";
import { readEntries } from "../state.ts";
import {
  type Case,
  combinations,
  eachPlace,
  expectAllLetIn,
  expectAllRefused,
  expectHeadsRefused,
  expectLetIn,
  kinds,
  queryWith,
  sent,
  special,
  tooFew,
} from "./calls.ts";
import { junk, long, lookalikes, queryJunk, spelledOtherwise, surrounded, wrapped } from "./wrong-values.ts";

type Kind = (typeof kinds)[number];

/** What is refused on every operation that needs credentials. */
interface Refusal {
  readonly requirement: RequirementId;
  readonly variant?: string;
  readonly code: ProblemCode;
  readonly needs?: CredentialName;
  /** The first of them are sent by HEAD too. */
  readonly cases: (api: Api, operation: Known) => readonly Case[];
}

const HEADS = 5;

/** One of the two in the query, wrong, beside the other that is right. */
const inQuery = (api: Api, kind: Kind, value: string) => ({
  ...{ key: { query: api.key }, platform: { query: api.platform } },
  [kind.kind]: { query: value },
});

/** What is nobody's key, or nobody's platform. */
function nobody(api: Api, kind: Kind): readonly Case[] {
  const value = nobodys(api);
  const [key, platform] = [{ header: api.platform }, { header: api.key }];
  return [
    ...eachPlace(`a made-up ${kind.kind}`, value, (placement) => kind.as(api, placement)),
    sent(`the same made-up ${kind.kind} in both places`, kind.as(api, { header: value, query: value })),
    sent(`a made-up ${kind.kind}, both in the query`, inQuery(api, kind, value)),
    kind.kind === "key"
      ? sent("key and platform exchanged", { key, platform })
      : sent("the key as the platform", kind.as(api, platform)),
    sent(`the other credential as the ${kind.kind}`, kind.as(api, kind.kind === "key" ? key : platform)),
    ...[...junk, long].flatMap(([what, text]) =>
      eachPlace(`the ${kind.kind} ${what}`, text, (placement) => kind.as(api, placement)),
    ),
    ...queryJunk.map(([what, query]) => sent(`${what} as the ${kind.kind} in the query`, kind.as(api, { query }))),
  ];
}

/** What is not quite the key, or the platform (D18). */
function almost(api: Api, operation: Known, kind: Kind): readonly Case[] {
  const good = kind.good(api);
  const [near, around] = [lookalikes(good), wrapped(good)];
  const others = kinds.filter((other) => other !== kind);
  const rest = others.map((other) => `${other.header}=${encodeURIComponent(other.good(api))}`);
  return [
    ...[...near, ...around].map(([what, header]) => sent(`the ${kind.kind} ${what}`, kind.as(api, { header }))),
    ...[...near.slice(0, 5), ...around, ...surrounded(good)].map(([what, query]) =>
      sent(`the ${kind.kind} in the query ${what}`, kind.as(api, { query })),
    ),
    ...spelledOtherwise(good).map(([what, text]) =>
      sent(`the ${kind.kind} in the query ${what}`, "none", {
        rawQuery: queryWith(api, operation, `${kind.header}=${text}`, ...rest),
      }),
    ),
  ];
}

/** A credential twice, in different words (D18). */
const conflicts = (api: Api): readonly Case[] => {
  const { key, platform } = api;
  const other = nobodys(api);
  const different = (kind: Kind, what: string, header: string, query: string) =>
    sent(`two of the ${kind.kind}, ${what} in the query`, kind.as(api, { header, query }));
  return [
    ...kinds.map((kind) => different(kind, "another", kind.good(api), other)),
    ...kinds.map((kind) => different(kind, "the good one", other, kind.good(api))),
    sent("two of both", { key: { header: key, query: other }, platform: { header: platform, query: other } }),
    sent("two keys, the platform in the query", { key: { header: other, query: key }, platform: { query: platform } }),
    sent("two platforms, the key in the query", { key: { query: key }, platform: { header: platform, query: other } }),
    ...kinds.flatMap((kind) => {
      const good = kind.good(api);
      const near = [["a blank", " "], ["it with a blank", `${good} `], ...lookalikes(good).slice(0, 7)] as const;
      return near.map(([what, query]) => different(kind, what, good, query));
    }),
  ];
};

const specials = [
  ["credentials/expired", "expired", "credentials-invalid"],
  ["credentials/revoked", "revoked", "credentials-invalid"],
  ["credentials/platform-of-key", "otherPlatform", "platform-not-allowed"],
  ["credentials/scope", "noScopes", "scope-missing"],
] as const;

const refusals: readonly Refusal[] = [
  { requirement: "credentials/missing", code: "credentials-missing", cases: tooFew },
  { requirement: "credentials/conflict", code: "credential-conflict", cases: conflicts },
  ...kinds.flatMap((kind): Refusal[] => [
    { requirement: kind.requirement, code: kind.code, cases: (api) => nobody(api, kind) },
    {
      ...{ requirement: "credentials/whole", variant: `${kind.kind}-`, code: kind.code },
      cases: (api, operation) => almost(api, operation, kind),
    },
  ]),
  ...specials.map(
    ([requirement, needs, code]): Refusal => ({
      ...{ requirement, needs, code },
      cases: (api) => combinations(special(api, needs)),
    }),
  ),
];

/** The first page of a list that only grows at its end is the same whoever asks. */
const forAnotherKey = scopes
  .filter((scope) => scope === operations["user.list"].scope)
  .map((scope) =>
    check("user.list/walk#by-another-key", { needs: [scope] }, async (api) => {
      const pageOf = async (credentials: CallCredentials) =>
        readEntries(await api.call("user.list", { input: { limit: 1 }, credentials })).entries;
      const [wanted, seen] = [toJudge(await pageOf("good"), "user"), await pageOf(scope)].map((page) =>
        JSON.stringify(page),
      );
      if (seen !== wanted) fail("body:/items", `${wanted}, whoever asks`, seen ?? "nothing");
    }),
  );

/** D16 to D19: who is refused where a key and a platform are needed, and for what. */
export const refused: readonly Check[] = [
  ...forAnotherKey,
  ...guarded.flatMap((operation) => [
    ...refusals
      .filter(({ needs }) => needs !== "noScopes" || operation.scope !== null)
      .map(({ requirement, variant = "", code, needs, cases }) =>
        check(
          `${requirement}#${variant}${operation.id}`,
          { effect: effectOf(operation), needs: needs ? [needs] : [] },
          async (api) => {
            await expectLetIn(api, operation);
            const all = cases(api, operation);
            await expectAllRefused(api, operation, code, all);
            await expectHeadsRefused(api, operation, code, all.slice(0, HEADS));
          },
        ),
      ),
    ...scopes
      .filter((scope) => scope === operation.scope)
      .flatMap((scope) => [
        check(`credentials/scope#enough-${operation.id}`, { effect: effectOf(operation), needs: [scope] }, (api) =>
          expectAllLetIn(api, operation, combinations(special(api, scope))),
        ),
        check(
          `credentials/scope#of-another-${operation.id}`,
          { effect: effectOf(operation), needs: scopes.filter((other) => other !== scope) },
          async (api) => {
            await expectLetIn(api, operation);
            for (const other of scopes.filter((one) => one !== scope)) {
              // It enters its own first, by a call that only reads: what was decided there must not be remembered here.
              for (const own of guarded.filter((one) => one.scope === other && one.method === "GET"))
                await expectLetIn(api, own, { credentials: other });
              await expectAllRefused(api, operation, "scope-missing", combinations(special(api, other)));
            }
          },
        ),
      ]),
  ]),
];
