import { createHash } from "node:crypto";
import { setMaxListeners } from "node:events";
import type { Check, ExchangesCheck } from "../checks/check.ts";
import { checks } from "../checks/index.ts";
import { secretsOf } from "../client/credentials.ts";
import { createSession } from "../client/session.ts";
import type { Session } from "../client/transport.ts";
import { parseTarget } from "../client/wire/target.ts";
import { type Judgement, judgeExchanges, judgeTarget, unsaid } from "../engine/judge.ts";
import { judgePair } from "../engine/parity.ts";
import type { RunningService } from "../test/service.test-kit.ts";
import { type Mutant, overlap, type Seen } from "./mutant.ts";
import type { Hooks } from "./proxy/message.ts";
import { startProxy } from "./proxy/server.ts";

/** Milliseconds for one request of a trial: a mutant may hang. */
const TIMEOUT_MS = 6_000;

export const overAll = checks.filter((check): check is ExchangesCheck => check.kind === "exchanges");

/** A check that sends something: those over all exchanges judge what it sent. */
export type Sender = Exclude<Check, ExchangesCheck>;
export const senders = checks.filter((check): check is Sender => check.kind !== "exchanges");

/** A check that went red: `answers/schema#user.list body:/items`, one over all exchanges with the check that sent them: `http/date@sysinfo/json header:date`. */
export type Kill = string;

/** `name`: of the trial; whatever a check makes of its run's id is the same whenever that trial is made again. */
function sessionFor(url: string, name: string, { credentials }: RunningService): Session {
  const runId = createHash("sha256").update(name).digest("hex").slice(0, 16);
  const options = {
    target: parseTarget(url),
    credentials,
    runId,
    seed: 1,
    timeoutMs: TIMEOUT_MS,
    mayWrite: true,
    mayHarm: true,
    onUser: () => {},
  };
  const { signal } = new AbortController();
  // Every request in flight listens to it; Node would take more than ten for a leak and say so.
  setMaxListeners(0, signal);
  return createSession(options, signal);
}

/** Runs one check against the service behind these hooks; throws what the hooks threw. `name`: no other on this service. */
export async function judgeBehind(
  hooks: Hooks,
  name: string,
  check: Sender,
  service: RunningService,
): Promise<Judgement> {
  const proxy = await startProxy(hooks, service.url, 0, { credentials: service.credentials.full });
  try {
    const session = sessionFor(proxy.url, `${name}\n${check.id}`, service);
    const judgement =
      check.kind === "pair"
        ? await judgePair(check, sessionFor(service.url, `right\n${check.id}`, service), session, [])
        : await judgeTarget(check, session);
    if (judgement.fault !== null) throw new Error(judgement.fault);
    if (proxy.faults.length > 0) throw new Error(`${check.id}: a hook threw`, { cause: proxy.faults[0] });
    return judgement;
  } finally {
    await proxy.close();
  }
}

/** What passes between a check and the right service. Throws when the check is not green there. */
export async function seenBy(check: Sender, service: RunningService): Promise<Seen[]> {
  const seen: Seen[] = [];
  const hooks: Hooks = {
    answer: (answer, request) => {
      seen.push({ request, answer });
      return answer;
    },
    unreadableAnswer: (answer) => {
      seen.push({ request: null, answer });
      return answer;
    },
  };
  const { outcome, expectation, reason } = await judgeBehind(hooks, "none", check, service);
  if (outcome !== "passed") throw new Error(`${check.id} on the right service: ${expectation?.message ?? reason}`);
  return seen;
}

/** Which checks one check's run against a mutant turns red: itself, and of those that judge all exchanges these. */
export async function trial(
  mutant: Mutant,
  check: Sender,
  service: RunningService,
  others: readonly ExchangesCheck[] = overAll,
): Promise<Kill[]> {
  const judgement = await judgeBehind(mutant.hooks, mutant.id, check, service);
  const recorded = judgement.exchanges.map((exchange) => ({ check: check.id, exchange }));
  const secrets = secretsOf(service.credentials);
  const judgements = await Promise.all(others.map((one) => judgeExchanges(one, recorded, secrets, true)));
  // What those do not say, a check that runs alone says itself.
  const isSaid = judgements.some(({ outcome }) => outcome === "failed");
  return [isSaid ? judgement : unsaid(judgement), ...judgements].flatMap(({ check: judge, outcome, expectation }) =>
    outcome === "failed" && expectation && mutant.breaks.some((aspect) => overlap(aspect, expectation.aspect))
      ? [`${judge === check ? check.id : `${judge.id}@${check.id}`} ${expectation.aspect}`]
      : [],
  );
}
