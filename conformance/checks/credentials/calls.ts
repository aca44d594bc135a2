import type { Api } from "../../client/api.ts";
import type { CallCredentials, CallOptions, Placement } from "../../client/call.ts";
import type { Credential } from "../../client/credentials.ts";
import { expectProblem, expectSuccess } from "../../client/expect.ts";
import type { Reply } from "../../client/reply.ts";
import type { Operation } from "../../oracle/contract.ts";
import { expectRefusedAs, inCase, reach } from "../probe.ts";
import { expectUnchanged, stateOf } from "../state.ts";

/** Helpers for calls of any operation with valid and invalid credentials. */

/** One variant of a call, with its name in the report. */
export interface Case {
  readonly what: string;
  readonly options: CallOptions;
}

export const sent = (what: string, credentials: CallCredentials, options: CallOptions = {}): Case => ({
  what,
  options: { ...options, credentials },
});

/** The two credentials: the error code for an invalid one, and how to send one in a given place while the other is valid. */
export const kinds = [
  {
    kind: "key",
    header: "X-API-KEY",
    requirement: "credentials/invalid",
    code: "credentials-invalid",
    good: (api: Api) => api.key,
    as: (api: Api, key: Placement): CallCredentials => ({ key, platform: { header: api.platform } }),
  },
  {
    kind: "platform",
    header: "X-PLATFORM",
    requirement: "credentials/platform",
    code: "platform-not-allowed",
    good: (api: Api) => api.platform,
    as: (api: Api, platform: Placement): CallCredentials => ({ key: { header: api.key }, platform }),
  },
] as const;

/** The places for a credential (G4). */
const places: readonly (readonly [where: string, place: (value: string) => Placement])[] = [
  ["in the header", (header) => ({ header })],
  ["in the query", (query) => ({ query })],
];

/** The same value, once in a header and once in the query. */
export const eachPlace = (what: string, value: string, credentials: (placement: Placement) => CallCredentials) =>
  places.map(([where, place]) => sent(`${what} ${where}`, credentials(place(value))));

/** The four combinations of places. */
export const combinations = ({ key, platform }: Credential): readonly Case[] =>
  places.flatMap(([keyIn, placeKey]) =>
    eachPlace(`the key ${keyIn}, the platform`, platform, (placement) => ({ key: placeKey(key), platform: placement })),
  );

/** Incomplete credentials: none, or one of the two in either place. */
export const tooFew = ({ key, platform }: Api): readonly Case[] => [
  sent("nothing", "none"),
  ...eachPlace("no platform, the key", key, (placement) => ({ key: placement })),
  ...eachPlace("no key, the platform", platform, (placement) => ({ platform: placement })),
];

/** An empty credential in the header, in the query, in both. */
const EMPTY = [{ header: "" }, { query: "" }, { header: "", query: "" }];

/** Empty credentials, which are rejected like missing ones. */
export const empty = ({ key, platform }: Api): readonly Case[] =>
  EMPTY.flatMap((nothing) => {
    const where = Object.keys(nothing).join(" and ");
    return [
      sent(`an empty key, in the ${where}`, { key: nothing, platform: { header: platform } }),
      sent(`an empty platform, in the ${where}`, { key: { header: key }, platform: nothing }),
      sent(`both empty, in the ${where}`, { key: nothing, platform: nothing }),
    ];
  });

/** Checks that the credentials are accepted: a GET succeeds, a POST is rejected only for its input, and creates nothing. */
export async function expectLetIn(api: Api, operation: Operation, options: CallOptions = {}): Promise<void> {
  judgeLetIn(await reach(api, operation, options), operation);
}

export function judgeLetIn(reply: Reply, { id, method }: Operation): void {
  if (method === "POST") expectProblem(reply, 422, "invalid-input");
  else expectSuccess(reply, id);
}

/** Checks that every call is rejected with this code although its input is valid, and that none of them changed anything. */
export async function expectAllRefused(
  api: Api,
  operation: Operation,
  code: string,
  cases: readonly Case[],
): Promise<void> {
  const { id } = operation;
  const input = api.example(id);
  const before = await stateOf(api, operation, input, cases);
  for (const { what, options } of cases)
    await inCase(what, async () => {
      // With the caller's id: a check of all responses compares it, also in rejections.
      const headers = { "X-Request-Id": api.runId, ...options.headers };
      expectRefusedAs(await api.call(id, { input, ...options, headers }), code);
    });
  await expectUnchanged(api, before);
}
