import type { Api } from "../../client/api.ts";
import { describe, expectProblem, expectStatus, fail } from "../../client/expect.ts";
import { commands, every, guarded, queries } from "../../client/operation.ts";
import type { Reply } from "../../client/reply.ts";
import type { Exchange } from "../../client/wire/exchange.ts";
import { wordOf } from "../../client/word.ts";
import { type Check, check, checkAll } from "../check.ts";
import { expectReached, inCase, reach } from "../probe.ts";

type Limits = ReadonlyMap<string, Readonly<Record<string, number>>>;

/** An Item of a List of RFC 9651: a String and its parameters. The parameters of a limit are Integers. */
const ITEM =
  /^"([\x20\x21\x23-\x5b\x5d-\x7e]*)"((?:; *[a-z*][\w.*-]*(?:=(?:-?\d+|"[^"]*"|:[\w+/=]*:|[a-z*][^;, ]*))?)*)$/i;

/** The limits that a header lists, by name; null if it does not have that form. */
function limitsIn(value: string): Limits | null {
  const items = value.split(/[ \t]*,[ \t]*/).map((item) => ITEM.exec(item));
  const limits = items.flatMap((item) => {
    const parameters = [...(item?.[2] ?? "").matchAll(/; *([^=;]+)=(-?\d+)/g)].map(([, name, integer]) => [
      name,
      Number(integer),
    ]);
    return item?.[1] === undefined ? [] : [[item[1], Object.fromEntries(parameters)] as const];
  });
  return limits.length === items.length ? new Map(limits) : null;
}

const fieldOf = ({ answer }: Exchange, name: string) =>
  answer?.headers
    .filter(([each]) => each.toLowerCase() === name)
    .map(([, value]) => value)
    .join(", ") || undefined;

function expectLimits({
  exchange,
  header,
}: {
  exchange: Exchange;
  header: "ratelimit" | "ratelimit-policy";
}): Limits | null {
  const value = fieldOf(exchange, header);
  const limits = value === undefined ? null : limitsIn(value);
  if (value !== undefined && !limits) fail(`header:${header}`, "a list of limits: a String with parameters", value);
  return limits;
}

const isCount = (value: number | undefined): value is number => value !== undefined && value >= 0;

/** The remaining calls in a response, of the limit with the fewest; null if the call was not counted. */
function leftBy(reply: Reply): number | null {
  const limits = limitsIn(reply.header("ratelimit") ?? "");
  return limits && limits.size > 0
    ? Math.min(...[...limits.values()].map(({ r = Number.POSITIVE_INFINITY }) => r))
    : null;
}

function expectLimited(reply: Reply): void {
  expectProblem(reply, 429, "rate-limited");
  const wait = reply.header("retry-after");
  if (!/^[1-9]\d*$/.test(wait ?? "")) fail("header:retry-after", "Retry-After with seconds", wait ?? "none");
}

/** A limit with more remaining calls than these is not tested. */
const MOST = 100;

/** Calls until no calls are left, and once more. Passes if calls are not counted or too many are left. */
async function expectRefusedAtLast(call: () => Promise<Reply>): Promise<void> {
  let left = leftBy(await call());
  if (left === null || left > MOST) return;
  for (let calls = 0; calls <= 2 * MOST; calls += 1) {
    const reply = await call();
    if (reply.status === 429) return expectLimited(reply);
    const now = leftBy(reply);
    if (left === 0 && now === 0) fail("status", "status 429 when no calls are left", describe(reply));
    left = now;
  }
  fail("header:ratelimit", "fewer calls left after each call", `${left} left after ${2 * MOST} calls`);
}

/** One operation for each way of counting: without credentials, with credentials, and a command. None changes anything. */
const samples = [every.filter(({ auth }) => !auth), guarded.filter((one) => queries.includes(one)), commands].flatMap(
  (some) => some.slice(0, 1),
);
/** Calls of other checks would be rejected meanwhile. */
const traits = { effect: "hostile", last: true, rateLimited: true } as const;

/** Rate limits (D21): a deployment need not have any. */
export const limits: readonly Check[] = [
  checkAll("limits/headers", (exchange) => {
    const left = expectLimits({ exchange, header: "ratelimit" });
    const policies = expectLimits({ exchange, header: "ratelimit-policy" });
    if (left && !policies) fail("header:ratelimit-policy", "RateLimit-Policy beside RateLimit", "none");
    if (policies && !left) fail("header:ratelimit", "RateLimit beside RateLimit-Policy", "none");
    for (const [name, { q }] of policies ?? [])
      if (!isCount(q))
        fail("header:ratelimit-policy", `the quota (q) of "${name}"`, fieldOf(exchange, "ratelimit-policy") ?? "");
    for (const [name, { r, t = 0 }] of left ?? []) {
      const q = policies?.get(name)?.q;
      if (!isCount(r) || !isCount(t) || q === undefined || r > q)
        fail("header:ratelimit", `what is left (r) of the policy "${name}"`, fieldOf(exchange, "ratelimit") ?? "");
    }
  }),
  check("limits/refused", traits, async (api) => {
    for (const operation of samples)
      await inCase(operation.id, () => expectRefusedAtLast(() => api.call(operation.id)));
  }),
  check("limits/valid-key", traits, async (api: Api) => {
    const [operation] = guarded.filter((one) => queries.includes(one));
    if (!operation) return;
    const wrong = () =>
      api.call(operation.id, { credentials: { key: { header: wordOf(api) }, platform: { header: api.platform } } });
    for (let calls = 0; calls <= 3 * MOST; calls += 1) {
      const reply = await wrong();
      if (reply.status === 429) {
        expectLimited(reply);
        return expectReached(await reach(api, operation), operation);
      }
      expectStatus(reply, 401);
      if (leftBy(reply) === null) return;
    }
  }),
];
