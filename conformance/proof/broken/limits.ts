import { broken, type Mutant } from "../mutant.ts";
import { problemCode } from "../proxy/look.ts";
import type { Context, ProxyAnswer, ProxyRequest } from "../proxy/message.ts";
import { respondProblem, withHeader, withJson, withoutHeader, withStatus } from "../proxy/shape.ts";
import { sent } from "../requests.ts";

/** Deployments with rate limits, each with one fault: the right service behind them has no limits. */

const MOST = 9;
const POLICY = "ratelimit-policy";
const LIMIT = "ratelimit";

/** Right counting: by key, and requests rejected with 401 separately. */
interface Counting {
  readonly who: (request: ProxyRequest, answer: ProxyAnswer) => string;
  readonly over: (answer: ProxyAnswer) => ProxyAnswer;
  /** What it adds to each response. */
  readonly says: (answer: ProxyAnswer, left: number) => ProxyAnswer;
}
const said = (answer: ProxyAnswer, policy: string, limit: string) =>
  withHeader(withHeader(answer, "RateLimit-Policy", policy), "RateLimit", limit);
const right: Counting = {
  who: (request, answer) => (problemCode(answer) === "credentials-invalid" ? "refused" : sent(request, "X-API-KEY")),
  over: () => withHeader(respondProblem(429, "rate-limited"), "Retry-After", "30"),
  says: (answer, left) => said(answer, `"calls";q=${MOST};w=60`, `"calls";r=${left};t=30`),
};

function counting(id: string, wrong: Partial<Counting>): Mutant {
  const { who, over, says } = { ...right, ...wrong };
  const answer = (answer: ProxyAnswer, request: ProxyRequest, { state }: Context) => {
    const calls = Number(state.get(who(request, answer)) ?? 0) + 1;
    state.set(who(request, answer), calls);
    const left = Math.max(0, MOST - calls);
    return says(calls > MOST ? over(answer) : answer, left);
  };
  return broken(`a service that counts calls ${id}`, { answer });
}

const says = (id: string, policy: string, limit: (left: number) => string) =>
  counting(id, { says: (answer, left) => said(answer, policy, limit(left)) });
const changed = (id: string, change: (answer: ProxyAnswer) => ProxyAnswer) =>
  counting(id, { over: (answer) => change(right.over(answer)) });

const q = `"calls";q=${MOST}`;

export const mutants: readonly Mutant[] = [
  counting("refuses nobody", { over: (answer) => answer }),
  counting("counts all of them alike, valid keys too", { who: () => "all" }),
  changed("refuses with 403", (answer) => withStatus(answer, 403)),
  changed("refuses with 503", (answer) => withStatus(answer, 503)),
  changed("refuses with a code of its own", (answer) => withJson(answer, (json) => ({ ...json, code: "slow-down" }))),
  changed("does not say how long to wait", (answer) => withoutHeader(answer, "Retry-After")),
  changed("says to wait for no time", (answer) => withHeader(answer, "Retry-After", "0")),
  changed("says how long to wait in words", (answer) => withHeader(answer, "Retry-After", "soon")),
  counting("never says that fewer are left", {
    over: (answer) => answer,
    says: (answer) => right.says(answer, MOST),
  }),
  counting("does not say what it allows", {
    says: (answer, left) => withoutHeader(right.says(answer, left), POLICY),
  }),
  counting("does not say what is left", {
    says: (answer, left) => withoutHeader(right.says(answer, left), LIMIT),
  }),
  says("says so as earlier drafts did", `${MOST};w=60`, (left) => `limit=${MOST}, remaining=${left}, reset=30`),
  says("says what is left of another policy", `${q};w=60`, (left) => `"others";r=${left};t=30`),
  says("says that more are left than it allows", `${q};w=60`, (left) => `"calls";r=${left + MOST};t=30`),
  says("says that fewer than none are left", `${q};w=60`, (left) => `"calls";r=${left - MOST};t=30`),
  says("says nothing of a number that is left", `${q};w=60`, () => '"calls";t=30'),
  says("has policies without a quota", '"calls";w=60', (left) => `"calls";r=${left};t=30`),
  says("writes names as tokens", `calls;q=${MOST};w=60`, (left) => `calls;r=${left};t=30`),
];
