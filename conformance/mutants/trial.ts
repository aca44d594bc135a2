import { createHash } from "node:crypto";
import { setMaxListeners } from "node:events";
import type { Check, ExchangesCheck } from "../checks/check.ts";
import { type Credentials, secretsOf } from "../client/credentials.ts";
import type { Aspect, Expectation } from "../client/expectation.ts";
import type { Secret } from "../client/redact/redact.ts";
import { createSession } from "../client/session.ts";
import type { Carrier, Session } from "../client/transport.ts";
import { parseTarget } from "../client/wire/target.ts";
import { type Judgement, judgeExchanges, judgeTarget, unsaid } from "../engine/judge.ts";
import { judgePair } from "../engine/parity.ts";
import { ours } from "../lists/ours.ts";
import { checks, histories } from "../suite.ts";
import type { RunningService } from "../test/service.test-kit.ts";
import { type Mutant, overlap } from "./mutant.ts";
import type { Hooks } from "./proxy/message.ts";
import { startProxy } from "./proxy/server.ts";

/** Milliseconds for one request of a trial: a mutant may hang. */
const TIMEOUT_MS = 20_000;

export const overAll = checks.filter((check): check is ExchangesCheck => check.kind === "exchanges");

/** A check that sends requests: those over all exchanges check what it sent. */
export type Sender = Exclude<Check, ExchangesCheck>;
export const senders = checks.filter(
  (check): check is Sender => check.kind !== "exchanges" && !histories.includes(check),
);

/** `name`: of the trial; values that a check derives from its run's id are the same whenever that trial is repeated. */
export function sessionFor(url: string, name: string, credentials: Credentials, carrier?: Carrier): Session {
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
    oracle: ours,
    ...(carrier && { carrier }),
  };
  const { signal } = new AbortController();
  // Every request in flight listens to it; Node would report more than ten as a leak.
  setMaxListeners(0, signal);
  return createSession(options, signal);
}

/** Runs one check against the service behind these hooks; throws the errors of the hooks. `name`: unique on this service. */
export async function judgeBehind(
  hooks: Hooks,
  name: string,
  check: Sender,
  service: RunningService,
): Promise<Judgement> {
  const proxy = await startProxy(hooks, service.url, 0, { credentials: service.credentials.full });
  try {
    const session = sessionFor(proxy.url, `${name}\n${check.id}`, service.credentials);
    const judgement =
      check.kind === "pair"
        ? await judgePair(check, sessionFor(service.url, `right\n${check.id}`, service.credentials), session, [])
        : await judgeTarget(check, session);
    if (judgement.fault !== null) throw new Error(judgement.fault);
    if (proxy.faults.length > 0) throw new Error(`${check.id}: a hook threw`, { cause: proxy.faults[0] });
    return judgement;
  } finally {
    await proxy.close();
  }
}

/** A check that went red in its own run or in that of another, and the aspect of its failure. */
export interface Kill {
  readonly judge: Check;
  readonly expectation: Expectation;
}

/** Which checks are red because of the requests of one of them: itself, and these of those over all exchanges. */
export async function killsOf(
  judgement: Judgement,
  secrets: readonly Secret[],
  others: readonly ExchangesCheck[] = overAll,
): Promise<readonly Kill[]> {
  const recorded = judgement.exchanges.map((exchange) => ({ check: judgement.check.id, exchange }));
  const judgements = await Promise.all(others.map((one) => judgeExchanges(one, recorded, secrets, judgement.model)));
  // A check that runs alone reports itself what those do not report.
  const isSaid = judgements.some(({ outcome }) => outcome === "failed");
  return [isSaid ? judgement : unsaid(judgement), ...judgements].flatMap(({ check: judge, outcome, expectation }) =>
    outcome === "failed" && expectation ? [{ judge, expectation }] : [],
  );
}

/** Those about the defect. */
export const aboutIt = (kills: readonly Kill[], breaks: readonly Aspect[]): readonly Kill[] =>
  kills.filter(({ expectation }) => breaks.some((aspect) => overlap(aspect, expectation.aspect)));

/** The checks that one check's run against a mutant turns red for its defect. */
export async function trial(
  { hooks, id, breaks }: Mutant,
  check: Sender,
  service: RunningService,
): Promise<readonly Kill[]> {
  const judgement = await judgeBehind(hooks, id, check, service);
  return aboutIt(await killsOf(judgement, secretsOf(service.credentials)), breaks);
}
