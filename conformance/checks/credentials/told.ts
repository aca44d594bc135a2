import type { Api } from "../../client/api.ts";
import type { Credential } from "../../client/credentials.ts";
import { expectProblem, expectStatus, fail } from "../../client/expect.ts";
import type { Aspect } from "../../client/expectation.ts";
import { guarded, type Known } from "../../client/operation.ts";
import { Reply } from "../../client/reply.ts";
import { type Check, check, checkAll } from "../check.ts";
import { effectOf, inCase, nobodys } from "../probe.ts";
import { type Case, eachPlace, kinds, special, tooFew } from "./calls.ts";
import { empty } from "./twice.ts";
import { junk, long, lookalikes, type WrongValue } from "./wrong-values.ts";

const CHALLENGE = /^ApiKey +realm="atpoint"$/i;

function expectChallenge(reply: Reply): void {
  const values = reply.headerValues("WWW-Authenticate");
  if (!values.some((value) => CHALLENGE.test(value)))
    fail("header:www-authenticate", 'WWW-Authenticate: ApiKey realm="atpoint"', values.join(", ") || "none");
}

/** The detail names what was not sent, and nothing else. */
function expectNamed(reply: Reply, { options: { credentials } }: Case): void {
  const { detail } = expectProblem(reply, 401, "credentials-missing");
  const placed = typeof credentials === "object" ? credentials : {};
  const missing = kinds.filter(({ kind }) => !placed[kind]?.header && !placed[kind]?.query).map(({ header }) => header);
  const named = kinds.map(({ header }) => header).filter((header) => detail.toUpperCase().includes(header));
  if (missing.join() !== named.join())
    fail("body:/detail", `a detail that names ${missing.join(" and ")} only`, detail);
}

/** What is no header of the key's own. */
const OF_THE_REQUEST = new Set(["x-request-id", "date", "ratelimit", "ratelimit-policy", "content-length"]);

/** All that a caller sees of a refusal and that must not tell one invalid key from another. Numbers may count anything. */
function facets(reply: Reply): Map<Aspect, string> {
  const { requestId: _, ...members } = reply.json() as Record<string, unknown>; // proven by expectProblem
  const headers = reply.headers
    .map(([name, value]): [string, string] => [name.toLowerCase(), value.replace(/\d+(?:\.\d+)?/g, "0")])
    .filter(([name]) => !OF_THE_REQUEST.has(name))
    .map(([name, value]): [Aspect, string] => [`header:${name}`, value]);
  const body = Object.entries(members).map(([name, value]): [Aspect, string] => [
    `body:/${name}`,
    JSON.stringify(value),
  ]);
  return new Map([...headers, ...body]);
}

const inPlaces = (what: string, { key, platform }: Credential) =>
  eachPlace(what, key, (placement) => ({ key: placement, platform: { header: platform } }));

async function refusal(api: Api, { id }: Known, { what, options }: Case): Promise<Map<Aspect, string>> {
  const reply = await api.call(id, { input: api.example(id), ...options });
  await inCase(what, () => expectProblem(reply, 401, "credentials-invalid"));
  return facets(reply);
}

/** Refuses each key in each place and compares; what two calls with the same key do not have in common is noise. */
async function expectAlike(
  api: Api,
  operation: Known,
  others: readonly (readonly [string, Credential])[],
): Promise<void> {
  const unknown = { key: nobodys(api), platform: api.platform };
  for (const [at, one] of inPlaces("an unknown key", unknown).entries()) {
    const [first, again] = [await refusal(api, operation, one), await refusal(api, operation, one)];
    for (const other of others.flatMap(([what, credential]) => inPlaces(what, credential).slice(at, at + 1))) {
      const seen = await refusal(api, operation, other);
      for (const facet of new Set([...first.keys(), ...seen.keys()])) {
        const [wanted, told] = [first.get(facet), seen.get(facet)];
        if (wanted === again.get(facet) && told !== wanted)
          fail(facet, `${wanted ?? "nothing"}, as for an unknown key`, `${told ?? "nothing"} for ${other.what}`);
      }
    }
  }
}

const malformed = (key: string): readonly WrongValue[] => [...lookalikes(key).slice(0, 6), long, ...junk.slice(0, 3)];

/** Errors: what a caller is told who sent too little, or the wrong thing. */
export const told: readonly Check[] = [
  ...guarded.flatMap((operation) => [
    check(`credentials/missing-says-which#${operation.id}`, { effect: effectOf(operation) }, async (api) => {
      const input = api.example(operation.id);
      for (const one of [...tooFew(api), ...empty(api)])
        await inCase(one.what, async () => expectNamed(await api.call(operation.id, { input, ...one.options }), one));
    }),
    check(`credentials/challenge#${operation.id}`, { effect: effectOf(operation) }, async (api) => {
      const [key] = kinds;
      const wrong = eachPlace("a wrong key", nobodys(api), (placement) => key.as(api, placement));
      const input = api.example(operation.id);
      for (const { what, options } of [...tooFew(api), ...wrong])
        await inCase(what, async () => {
          const reply = await api.call(operation.id, { input, ...options });
          expectStatus(reply, 401);
          expectChallenge(reply);
        });
    }),
    check(`credentials/alike#${operation.id}`, { effect: effectOf(operation) }, (api) => {
      const { key, platform } = api;
      return expectAlike(
        ...([api, operation] as const),
        malformed(key).map(([what, value]) => [`the key ${what}`, { key: value, platform }] as const),
      );
    }),
    check(
      `credentials/alike#special-${operation.id}`,
      { effect: effectOf(operation), needs: ["expired", "revoked"] },
      (api) =>
        expectAlike(api, operation, [
          ["an expired key", special(api, "expired")],
          ["a revoked key", special(api, "revoked")],
        ]),
    ),
  ]),
  checkAll("credentials/challenge#every-answer", ({ answer, ...exchange }) => {
    if (answer?.status === 401) expectChallenge(new Reply({ answer, ...exchange }, answer));
  }),
];
