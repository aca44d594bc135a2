import type { Exchange, Finding } from "../exchange.ts";
import { kept } from "../http/response.ts";
import { explained, stateOf } from "../model/linearize.ts";
import { requirementOf } from "../oracle/contract.ts";
import type { Prediction } from "../oracle/predict.ts";
import { reasonAgainst } from "../run/effects.ts";
import { broken, compared, differences, learnFrom, momentsOf, sent } from "../run/exchange.ts";
import type { Run } from "../run/state.ts";
import { Stage } from "./stage.ts";
import type { Scenario, Step } from "./steps.ts";

/** Findings after which a scenario ends: later ones have the same cause. */
const MOST_FINDINGS = 20;

/**
 * Sends the requests of a scenario, each compared with its prediction in the state after those before it. `mark`: unique among the
 * scenarios of the run. Throws `Stopped` if the run ends.
 */
export async function* played(run: Run, scenario: Scenario, mark: string): AsyncGenerator<Finding> {
  const stage = new Stage(run, mark);
  const before: Exchange[] = [];
  let count = 0;
  try {
    for (const one of scenario) {
      const { exchanges, findings } = "operation" in one ? await take(run, stage, one) : await race(run, stage, one);
      for (const exchange of exchanges) stage.note(exchange);
      for (const finding of findings) {
        count += 1;
        yield { ...finding, exchanges: [...before, ...finding.exchanges], at: before.length + finding.at };
      }
      if (count >= MOST_FINDINGS) return;
      before.push(...exchanges.map((exchange) => kept(exchange)));
    }
  } finally {
    stage.close();
  }
}

interface Taken {
  readonly exchanges: readonly Exchange[];
  readonly findings: readonly Finding[];
}
const NOTHING: Taken = { exchanges: [], findings: [] };

/** A finding of the prediction is about the rule that the step tests. */
function about({ suite }: Run, { of, operation }: Step, { by }: Prediction): (finding: Finding) => Finding {
  const requirement = of === undefined ? by : requirementOf(suite.oracle.contract, operation, of, by);
  return (finding) => (finding.requirement === by ? { ...finding, requirement } : finding);
}

async function take(run: Run, stage: Stage, step: Step): Promise<Taken> {
  const request = await stage.requestOf(step);
  if (!request) return NOTHING;
  return run.inTurn(async () => {
    const prediction = run.suite.oracle.predict(request, run.world);
    if (reasonAgainst(run, request, prediction) !== null) return NOTHING;
    const { exchange, findings } = await compared(run, request, prediction, stage.connectionOf(step));
    return { exchanges: [exchange], findings: findings.map(about(run, step, prediction)) };
  });
}

/** Several at once, each on a connection of its own: their responses must fit some order. */
async function race(run: Run, stage: Stage, steps: readonly Step[]): Promise<Taken> {
  const { suite, world } = run;
  const before = stateOf(world);
  const since = momentsOf(world);
  const asked = [];
  for (const step of steps) {
    const request = await stage.requestOf(step);
    const prediction = request && suite.oracle.predict(request, world);
    if (request && prediction && reasonAgainst(run, request, prediction) === null)
      asked.push({ step, request, prediction });
  }
  if (asked.length > 0) await run.client.atOnce(asked.length);
  const all = await Promise.all(
    asked.map(async ({ step, request, prediction }) => ({ step, exchange: await sent(run, request, prediction) })),
  );
  for (const { exchange } of all) learnFrom(run, exchange);
  const found = explained(world, before, all, ({ exchange }, prediction) =>
    differences(run, { ...exchange, prediction }, since),
  );
  return {
    exchanges: all.map(({ exchange }) => exchange),
    findings: found.flatMap(({ one, prediction, findings }) => [
      ...findings.map(about(run, one.step, prediction)),
      ...broken(run, { ...one.exchange, prediction }),
    ]),
  };
}
