import type { Operation } from "../../oracle/contract.ts";
import { mayEndAtParser, type Prediction } from "../../oracle/predict.ts";
import type { Request } from "../../oracle/world.ts";
import type { Exchange, Finding } from "../exchange.ts";
import { Withheld } from "../http/gateway.ts";
import { Stopped } from "../http/pace.ts";
import { compare } from "../laws/compare.ts";
import { learn } from "../model/learn.ts";
import { pageDifference } from "../model/pages.ts";
import { plain, written } from "../requests/draft.ts";
import { type Case, caseOf } from "../requests/generate.ts";
import { isCarriedOut, reasonAgainst } from "./effects.ts";
import type { Input } from "./options.ts";
import { requirementOf } from "./results.ts";
import type { Run } from "./state.ts";

/** The way of a case: predicted, sent if it may be, compared, and learned from. */

/** Sends a case, unless this run may not. Throws `Stopped` if the run ends. */
export async function exchange(run: Run, one: Case): Promise<void> {
  const { suite, world } = run;
  const isCommand = one.operation.method === "POST";
  const own = isCommand ? withOwnValues(run, one) : one;
  const prediction = suite.oracle.predict(own.request, world);
  const send = async (now: Prediction) => {
    const requirement = requirementOf(own, now);
    const reason = reasonAgainst(run, own.request, now);
    if (reason !== null) run.results.withheld(requirement, reason);
    else await sendCase(run, own, now, requirement);
  };
  // Whether a value is in use is known when those before it have been answered.
  if (!/^handle/.test(prediction.step) || own.request.method !== "POST") return send(prediction);
  await run.inTurn(() => send(suite.oracle.predict(own.request, world)));
}

const HARMLESS = "an unknown member";

/**
 * The same case with values of its own, so that a record that a wrong server creates names it. What is not meant to create
 * anything gets an unknown member: half of a longer address may be one, too.
 */
function withOwnValues({ suite, world, tables, source, inputs }: Run, one: Case): Case {
  const fresh = new Map([...source.inputs, [one.operation.id, inputs.fresh(one.operation)]]);
  const of = (id: string) => caseOf(tables, { ...source, inputs: fresh }, id) ?? one;
  const own = of(one.id);
  const isMeant = one.rows.length === 0 || one.rows.some(({ creates, name }) => creates || name === HARMLESS);
  if (isMeant || !isCarriedOut(own.request, suite.oracle.predict(own.request, world))) return own;
  return of(`${one.id} + ${HARMLESS}`);
}

async function sendCase(run: Run, one: Case, prediction: Prediction, requirement: string): Promise<void> {
  const { results } = run;
  try {
    const { findings } = await compared(run, one.request, prediction);
    results.sent(requirement);
    results.compared += 1;
    for (const finding of findings) {
      const about = finding.requirement === prediction.by ? requirement : finding.requirement;
      results.find({ ...finding, requirement: about, case: one });
    }
  } catch (error) {
    if (error instanceof Stopped) throw error;
    if (error instanceof Withheld) results.withheld(requirement, error.message);
    else results.faults.push(`${one.id}: ${error instanceof Error ? error.message : error}`);
  }
  run.endAfterFailures();
}

/** The plain call of an operation, outside of any case; null if it is not carried out. */
export async function plainExchange(run: Run, operation: Operation, input: Input): Promise<Exchange | null> {
  const request = written(plain(operation, input, run.source.caller));
  const prediction = run.suite.oracle.predict(request, run.world);
  if (reasonAgainst(run, request, prediction) !== null) return null;
  const { exchange: sent } = await compared(run, request, prediction);
  return sent.response && sent.response.status < 300 ? sent : null;
}

/** Sends a request, says what is wrong with its response, and learns from it. */
export async function compared(run: Run, request: Request, prediction: Prediction) {
  const { client, world } = run;
  const carriesOut = isCarriedOut(request, prediction);
  const values = carriesOut ? valuesOf(run, request) : [];
  // Before it is sent: a run that dies has reported it.
  for (const value of values) run.created.add(value);
  const since = world.lists.get(prediction.operation?.id ?? "")?.now;
  const isFile = prediction.code === null && prediction.operation === null;
  const sent = await client.send(request, { isFile, mayTrail: mayEndAtParser(prediction) });
  const exchange = { ...sent, prediction };
  const isRefused = sent.response !== null && sent.response.status >= 300;
  if (isRefused) for (const value of values) run.created.delete(value);
  const findings = findingsOf(run, exchange, since);
  learn(world, exchange);
  return { exchange, findings };
}

/** The values of a command that must be unique: they name the record that it creates. */
function valuesOf({ suite: { oracle }, world }: Run, request: Request): readonly string[] {
  const { operation, data } = oracle.read(request, world);
  const own = oracle.own.filter((one) => one.operation === operation?.id);
  return own.flatMap(({ unique = {} }) => Object.values(unique)).flatMap((read) => read(data) ?? []);
}

function findingsOf(run: Run, exchange: Exchange & { prediction: Prediction }, since: number | undefined): Finding[] {
  const { suite, world, memory, results } = run;
  const { prediction, response, error } = exchange;
  const found = (part: Pick<Finding, "requirement" | "source" | "aspect" | "expected" | "actual">): Finding => ({
    ...part,
    ...{ exchanges: [exchange], at: 0, case: null },
  });
  const { by, status } = prediction;
  if (!response) {
    const silence = { aspect: "connection", expected: `a response: ${status}`, actual: error ?? "none" };
    return [found({ requirement: by, source: "prediction", ...silence })];
  }
  const findings: Finding[] = [];
  const difference = compare(exchange, suite.oracle.contract);
  if (difference) findings.push(found({ requirement: by, source: "prediction", ...difference }));
  const page = pageDifference(world, exchange, since);
  if (page) findings.push(found({ source: "state", ...page }));
  for (const law of suite.laws) {
    if (!law.applies(exchange)) continue;
    results.applied(law.id);
    const broken = law.check(exchange, memory);
    if (broken) findings.push(found({ requirement: law.id, source: "law", ...broken }));
  }
  return findings;
}
