import type { OperationId } from "../../../generated/operations.ts";
import type { Api } from "../../client/api.ts";
import type { Credential } from "../../client/credentials.ts";
import { expectProblem, fail } from "../../client/expect.ts";
import type { Reply } from "../../client/reply.ts";
import { check } from "../check.ts";
import { inCase } from "../probe.ts";
import { junk, long, type NearMiss, nearMisses, queryJunk, surrounded, unfolded } from "./near-misses.ts";
import { type Case, closed, eachPlace, effectOf, expectAllRefused, expectLetIn, keyAs, sent } from "./probe.ts";

const keys = (api: Api, place: "header" | "query", values: readonly NearMiss[]): readonly Case[] =>
  values.map(([what, value]) => sent(`as the key in the ${place}: ${what}`, keyAs(api, { [place]: value })));

/** What is no header of the key's own. */
const OF_THE_REQUEST = new Set(["x-request-id", "date", "ratelimit", "ratelimit-policy", "content-length"]);

type Place = "header" | "query";

/** All that a caller sees of a refusal and that must not tell one invalid key from another. Numbers may count anything. */
async function refusal(api: Api, id: OperationId, place: Place, what: string, { key, platform }: Credential) {
  const reply = await inCase(`${what} in the ${place}`, async () => {
    const credentials = { key: { [place]: key }, platform: { [place]: platform } };
    const reply = await api.call(id, { input: api.example(id), credentials });
    expectProblem(reply, 401, "credentials-invalid", id);
    return reply;
  });
  return { what, seen: facets(reply) };
}

function facets(reply: Reply): Map<string, string> {
  const { requestId: _, ...members } = reply.json() as Record<string, unknown>; // proven by expectProblem
  const headers = reply.headers
    .map(([name, value]): [string, string] => [name.toLowerCase(), value.replace(/\d+(?:\.\d+)?/g, "0")])
    .filter(([name]) => !OF_THE_REQUEST.has(name))
    .map(([name, value]): [string, string] => [`header ${name}`, value]);
  const body = Object.entries(members).map(([name, value]): [string, string] => [name, JSON.stringify(value)]);
  return new Map([...headers, ...body]);
}

/** Refuses each key and compares; what two calls with the same key do not have in common is noise. */
async function expectAlike(
  api: Api,
  id: OperationId,
  place: Place,
  others: readonly (readonly [string, Credential])[],
): Promise<void> {
  const unknown = { key: "not-one-of-yours", platform: api.platform };
  const first = await refusal(api, id, place, "an unknown key", unknown);
  const again = await refusal(api, id, place, "an unknown key", unknown);
  const names = new Set([...first.seen.keys(), ...again.seen.keys()]);
  const noise = [...names].filter((name) => first.seen.get(name) !== again.seen.get(name));
  for (const [what, credential] of others) {
    const { seen } = await refusal(api, id, place, what, credential);
    for (const name of new Set([...first.seen.keys(), ...seen.keys()])) {
      if (noise.includes(name) || seen.get(name) === first.seen.get(name)) continue;
      const told = `${seen.get(name) ?? "nothing"} for ${what} in the ${place}`;
      fail("body", `${name} as for an unknown key: ${first.seen.get(name) ?? "absent"}`, told);
    }
  }
}

/** Errors, D18, D19: keys that are not valid. */
export const invalidKeys = closed.flatMap((id) => [
  check(`credentials/invalid#${id}`, { effect: effectOf(id) }, async (api) => {
    await expectLetIn(api, id, { credentials: "good" });
    await expectAllRefused(api, id, 401, "credentials-invalid", [
      ...keys(api, "header", [...junk, long]),
      ...keys(api, "query", [...junk, ...queryJunk, long]),
      sent("the platform as the key", keyAs(api, { header: api.platform })),
      sent("key and platform exchanged", { key: { header: api.platform }, platform: { header: api.key } }),
      sent("a wrong key, both in the query", { key: { query: "wrong" }, platform: { query: api.platform } }),
      sent("the same wrong key in both places", keyAs(api, { header: "wrong", query: "wrong" })),
    ]);
  }),
  check(`credentials/whole#key-${id}`, { effect: effectOf(id) }, async (api) => {
    await expectLetIn(api, id, { credentials: "query" });
    await expectAllRefused(api, id, 401, "credentials-invalid", [
      ...keys(api, "header", nearMisses(api.key)),
      ...keys(api, "query", [...nearMisses(api.key).slice(0, 14), ...surrounded(api.key), ...unfolded(api.key)]),
    ]);
  }),
  check(`credentials/alike#${id}`, { effect: effectOf(id) }, async (api) => {
    const { key, platform } = api;
    const near = nearMisses(key).slice(0, 12);
    const others = [...near, long, ...junk.filter(([, value]) => value.length < 5)];
    const keyed = others.map(([what, value]) => [`the key ${what}`, { key: value, platform }] as const);
    await expectAlike(api, id, "header", keyed);
    await expectAlike(api, id, "query", keyed.slice(-8));
  }),
  check(`credentials/alike#special-${id}`, { effect: effectOf(id), needs: ["expired", "revoked"] }, async (api) => {
    const { expired, revoked } = api.credentials.special;
    if (!expired || !revoked) throw new Error("the check needs both");
    for (const place of ["header", "query"] as const)
      await expectAlike(api, id, place, [
        ["an expired key", expired],
        ["a revoked key", revoked],
      ]);
  }),
  ...(["expired", "revoked"] as const).map((name) =>
    check(`credentials/${name}#${id}`, { effect: effectOf(id), needs: [name] }, async (api) => {
      const special = api.credentials.special[name];
      if (!special) throw new Error("the check needs it");
      const { key, platform } = special;
      await expectLetIn(api, id, { credentials: "good" });
      await expectAllRefused(api, id, 401, "credentials-invalid", [
        ...eachPlace(`an ${name} key`, key, (placement) => ({ key: placement, platform: { header: platform } })),
        sent(`an ${name} key, both in the query`, { key: { query: key }, platform: { query: platform } }),
      ]);
    }),
  ),
]);
