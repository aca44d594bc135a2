import type { Exchange, Finding, Timed } from "../exchange.ts";
import type { Connection } from "../http/client.ts";
import { SkippedByPolicy } from "../http/gateway.ts";
import { RunAborted } from "../http/rate-limiter.ts";
import { compare } from "../laws/compare.ts";
import { concernsOf } from "../laws/tags.ts";
import { underWay } from "../model/changes.ts";
import { recordsOf } from "../model/known-state.ts";
import { learn } from "../model/learn.ts";
import { stateDifference } from "../model/pages.ts";
import type { StateDifference } from "../model/record-difference.ts";
import { type Operation, requirementOf as requirementOfRule } from "../oracle/contract.ts";
import { requirementOfCode } from "../oracle/effect-rules.ts";
import { recordNamedBy } from "../oracle/effects.ts";
import { fieldsOf, type Request } from "../oracle/model-state.ts";
import { uniqueOf } from "../oracle/operation-extension.ts";
import { mayEndAtParser, type Prediction } from "../oracle/predict.ts";
import { stringOf } from "../oracle/values.ts";
import { plain, written } from "../requests/draft.ts";
import { type Case, caseRequirement, createCase } from "../requests/generate.ts";
import { HARMLESS } from "../requests/modes.ts";
import { accusedBy } from "./accused.ts";
import type { Input } from "./options.ts";
import { isCarriedOut, skipReason } from "./policy.ts";
import type { Run } from "./state.ts";

/** The way of a case: predicted, sent if it may be, compared, and learned from. */

/**
 * Sends a case if this run may. Returns whether it was compared. Throws `RunAborted` if the run
 * ends.
 */
export async function runCase(run: Run, testCase: Case): Promise<boolean> {
  const { suite, model } = run;
  const ownCase = testCase.operation.method === "POST" ? withOwnValues(run, testCase) : testCase;
  const prediction = suite.oracle.predict(ownCase.request, model);
  const send = async (now: Prediction) => {
    const requirement = caseRequirement(ownCase, now);
    const reason =
      run.inputs.lacking.get(ownCase.operation.id) ?? skipReason(run, ownCase.request, now);
    if (reason === null) return sendCase(run, ownCase, now, requirement);
    run.results.withheld(requirement, reason);
    return false;
  };
  // Whether a value is in use is known when those before it have been answered.
  if (!/^handle/.test(prediction.step) || ownCase.request.method !== "POST")
    return send(prediction);
  return run.inTurn(() => send(suite.oracle.predict(ownCase.request, model)));
}

export const OF_KEY = /^idempotency-key$/i;

/**
 * The same case with values of its own, so that a record that a wrong server creates names it. What
 * is not meant to create anything gets an unknown member: half of a longer address may be one, too.
 */
function withOwnValues(run: Run, testCase: Case): Case {
  const { suite, model, source, inputs } = run;
  const fresh = new Map([
    ...source.inputs,
    [testCase.operation.id, inputs.fresh(testCase.operation)],
  ]);
  const withRows = (rows: Case["mutations"]) =>
    createCase({ ...source, inputs: fresh }, testCase.operation, rows) ?? testCase;
  const ownCase = withRows(testCase.mutations);
  const isMeant =
    testCase.mutations.length === 0 ||
    testCase.mutations.includes(HARMLESS) ||
    (run.options.explore === undefined
      ? testCase.mutations.some(({ creates }) => creates)
      : mayCreate(run, ownCase));
  if (isMeant || !isCarriedOut(ownCase.request, suite.oracle.predict(ownCase.request, model)))
    return ownCase;
  return withRows([...testCase.mutations, HARMLESS]);
}

/**
 * Whether exploration may have a command carried out: what it creates names the run, and no later
 * run finds a key in use.
 */
function mayCreate(run: Run, { request, mutations }: Case): boolean {
  const values = valuesOf(run, request);
  const isOwn = values.length > 0 && values.every((value) => run.inputs.isOfRun(value));
  const isFree = mutations.every(({ dimension, creates }) => creates || !OF_KEY.test(dimension));
  return isOwn && isFree && run.created.size < run.mostCreated;
}

async function sendCase(
  run: Run,
  testCase: Case,
  prediction: Prediction,
  requirement: string,
): Promise<boolean> {
  const { results, baseline } = run;
  let isCompared = false;
  try {
    const { findings } = await sendAndCompare(run, testCase.request, prediction);
    results.sent(requirement);
    baseline.sent(testCase.id, requirement);
    results.compared += 1;
    isCompared = true;
    for (const finding of findings) {
      const about = finding.requirement === prediction.by ? requirement : finding.requirement;
      results.find({ ...finding, requirement: about, case: testCase });
    }
  } catch (error) {
    if (error instanceof RunAborted) throw error;
    if (error instanceof SkippedByPolicy) results.withheld(requirement, error.message);
    else results.faults.push(`${testCase.id}: ${error instanceof Error ? error.message : error}`);
  }
  run.endAfterFailures();
  return isCompared;
}

/**
 * Sends a request for what it returns, and shows it to the laws as any other. `of`: the case that
 * repeats it. Null where this run may not send it.
 */
export async function sendAside(
  run: Run,
  request: Request,
  testCase: Case | null,
): Promise<Exchange | null> {
  const prediction = run.suite.oracle.predict(request, run.model);
  if (skipReason(run, request, prediction) !== null) return null;
  const { exchange, findings } = await sendAndCompare(run, request, prediction);
  for (const finding of findings) run.results.find({ ...finding, case: testCase });
  return exchange;
}

/** The plain call of an operation, outside of any case; null if this run may not send it. */
export async function plainExchange(
  run: Run,
  operation: Operation,
  input: Input,
): Promise<Exchange | null> {
  const request = written(plain(operation, input, run.source.caller));
  return sendAside(run, request, createCase(run.source, operation, []));
}

export type Predicted = Exchange & { readonly prediction: Prediction };

/**
 * Sends a request, says what is wrong with its response, and learns from it. `on`: the connection
 * that it uses.
 */
export async function sendAndCompare(
  run: Run,
  request: Request,
  prediction: Prediction,
  on?: Connection,
) {
  const since = run.model.clock.now;
  const ended = underWay(run.model, request);
  const sent = await sendPredicted(run, request, prediction, on);
  const exchange = { ...sent, prediction: withLater(run, sent) };
  const findings = [...stateFindings(run, exchange, since), ...lawFindings(run, exchange)];
  learnFrom(run, exchange, since);
  ended();
  return { exchange, findings };
}

/** The prediction of a query, with what was right as well by the time of its response. */
function withLater({ suite, model }: Run, { request, prediction }: Predicted): Prediction {
  if (request.method === "POST" || !prediction.operation?.effect?.key) return prediction;
  const { code, or = [] } = suite.oracle.predict(request, model);
  const others = [code, ...or].filter((one) => one !== prediction.code);
  return others.length > 0
    ? { ...prediction, or: [...(prediction.or ?? []), ...others] }
    : prediction;
}

export function learnFrom(
  { model, immutableFields }: Run,
  exchange: Exchange,
  since: number,
): void {
  learn(model, exchange, since);
  immutableFields.learn(exchange);
}

/** Sends a request, and keeps which records it may have created. */
export async function sendPredicted(
  run: Run,
  request: Request,
  prediction: Prediction,
  on?: Connection,
): Promise<Timed & Predicted> {
  const { client, created, immutableFields } = run;
  const isMeant = isCarriedOut(request, prediction);
  if (isMeant) immutableFields.accept(request);
  const values = isMeant ? valuesOf(run, request) : [];
  const added = values.filter((value) => !created.has(value));
  // Before it is sent: a run that dies has reported it.
  for (const value of values) created.add(value);
  const isFile = prediction.code === null && prediction.operation === null;
  const mayTrail = mayEndAtParser(prediction);
  // What may end its connection has one of its own: the next request there could be lost (D13).
  const mayClose = mayTrail || prediction.code === "content-too-large";
  const exchange = await client.send(request, { isFile, mayTrail, on: mayClose ? undefined : on });
  const { status = 0 } = exchange.response ?? {};
  // Nothing was sent where there was no connection.
  if (status >= 300 || exchange.connection === 0) for (const value of added) created.delete(value);
  // Several may have been sent at once for one value, and another one been rejected before.
  else if (status > 0) for (const value of values) created.add(value);
  if (isMeant && status === 201) run.creating.push(request);
  if (prediction.operation && prediction.code === null && status > 0 && status < 500)
    run.results.answered(prediction.operation, status < 300);
  return { ...exchange, prediction };
}

/** The values of a command that must be unique: they name the record that it creates. */
function valuesOf({ suite: { oracle }, model }: Run, request: Request): readonly string[] {
  const { operation, data } = oracle.read(request, model);
  const unique = uniqueOf(oracle.operationExtensions, operation?.id ?? "", data);
  return unique.map(([, value]) => value);
}

/** The requirement that a request breaks which is rejected with a stated code, and must not be. */
function statedRequirement(
  model: Run["model"],
  { request }: Exchange,
  operation: Operation,
  code: string,
): string | undefined {
  const { contract } = model.oracle;
  const id = recordNamedBy(model.oracle.read(request, model));
  const records = recordsOf(model, operation);
  // The rejection of another command has removed it.
  const isLost = code === operation.effect?.absent && records?.eventOf(id ?? "") === "rejected";
  return isLost
    ? requirementOfRule(contract, operation, "rejected-unchanged", "effects/rejected-unchanged")
    : requirementOfCode(contract, operation, code);
}

type Part = StateDifference & Pick<Finding, "source" | "concerns">;
const finding = (exchange: Exchange, { cause, ...part }: Part): Finding => {
  const exchanges = cause ? [cause, exchange] : [exchange];
  return { ...part, exchanges, at: exchanges.length - 1, case: null };
};

/**
 * Where a response differs from its prediction, or from what the deployment held at that moment.
 */
export function stateFindings(
  { suite, model, immutableFields }: Run,
  exchange: Predicted,
  since: number,
): readonly Finding[] {
  const { contract } = suite.oracle;
  const { prediction, response, error } = exchange;
  const { by, status, operation, code } = prediction;
  if (!response) {
    const silence = {
      aspect: "connection",
      expected: `a response: ${status}`,
      actual: error ?? "none",
    };
    return [finding(exchange, { requirement: by, source: "prediction", ...silence })];
  }
  const difference = compare(exchange, contract, suite.parse);
  // A list does not take a cursor that it has issued.
  const isCursor = code === null && Object(response.json).code === "invalid-cursor";
  const rejection = code === null && operation ? stringOf(Object(response.json).code) : "";
  const stated = operation && statedRequirement(model, exchange, operation, rejection);
  const requirement = isCursor
    ? requirementOfRule(contract, operation, "next", by)
    : (stated ?? accusedBy(suite.oracle, model, exchange, prediction));
  const concerns = difference ? concernsOf(suite.laws, exchange) : [];
  const state = stateDifference(model, immutableFields, exchange, since);
  return [
    ...(difference
      ? [finding(exchange, { requirement, concerns, source: "prediction", ...difference })]
      : []),
    ...(state ? [finding(exchange, { source: "state", ...state })] : []),
  ];
}

/** The laws that a response breaks. Each exchange is shown to them once: they remember it. */
export function lawFindings(
  { suite, memory, results }: Run,
  exchange: Exchange,
): readonly Finding[] {
  return suite.laws.flatMap((law) => {
    if (!exchange.response || !law.applies(exchange)) return [];
    results.applied(law.id);
    const difference = law.check(exchange, memory);
    return difference
      ? [finding(exchange, { requirement: law.id, source: "law", ...difference })]
      : [];
  });
}

/** What finds a response that wants a pause: known failures name it as their `case`. */
export const BUSY = "a response that asks to wait";

/**
 * Shows the laws a response that wants a pause, each form of it once. Nothing is predicted: it says
 * nothing about what its request was sent for.
 */
export function judgeBusy(run: Run, exchange: Exchange): void {
  const form = `${BUSY}: ${formOf(exchange)}`;
  if (run.memory.has(form)) return;
  run.memory.set(form, "");
  for (const finding of lawFindings(run, exchange)) run.results.find({ ...finding, script: BUSY });
}

/**
 * The form of a response: what is the same each time that one place in a server, or in front, makes
 * it.
 */
function formOf({ request, response }: Exchange): string {
  const { status, fields = [], json } = response ?? {};
  const names = fields.map(([name]) => name.toLowerCase()).sort();
  const types = fieldsOf(fields, "Content-Type");
  const members = Object.keys(Object(json)).sort();
  return JSON.stringify([
    request.method === "HEAD",
    status,
    names,
    types,
    members,
    Object(json).code,
  ]);
}
