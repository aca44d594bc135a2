import type { Client } from "../http/client.ts";
import { RunAborted } from "../http/rate-limiter.ts";
import { kindsOf } from "../requests/credentials.ts";
import type { Stale } from "./baseline.ts";
import { begin, REMOTE_INTERVAL_MS } from "./begin.ts";
import { plainExchange, runCase } from "./exchange.ts";
import { lookUpAll, lookUpFor } from "./lookups.ts";
import { DEADLINE_MS, type Exception, type RunOptions } from "./options.ts";
import { compareWith, SAME } from "./pair.ts";
import { planOf, scriptsOf } from "./plan.ts";
import { preflight } from "./preflight.ts";
import { notApplicable, type Outcome, type Results } from "./results.ts";
import { Ending, type Preflight, play, type Run, type Suite } from "./state.ts";
import { type Verdict, verdictOf } from "./verdict.ts";

export interface Report extends Pick<Preflight, "version" | "fault" | "lacking"> {
  readonly runId: string;
  readonly verdict: Verdict;
  readonly exitCode: number;
  readonly requests: Client["sent"];
  readonly outcomes: readonly Outcome[];
  readonly stale: readonly Stale[];
  /** Exceptions from the comparison with another deployment that were not needed. */
  readonly unneeded: readonly Exception[];
  readonly results: Results;
  readonly created: readonly string[];
}

/** What scripts send in addition. */
const REQUESTS_PER_CASE = 1.1;
/** A script takes as long as so many cases. */
const CASES_PER_SCRIPT = 15;

/** Checks one target. Never throws because of the target. */
export async function run(suite: Suite, options: RunOptions): Promise<Report> {
  const ending = new Ending();
  const interrupted = () => ending.end("the run was interrupted");
  ending.set(options.deadlineMs ?? DEADLINE_MS);
  options.signal?.addEventListener("abort", interrupted, { once: true });
  if (options.signal?.aborted) interrupted();
  const begun = begin(suite, options, ending);
  try {
    return await carriedOut(begun);
  } finally {
    ending.stop();
    options.signal?.removeEventListener("abort", interrupted);
    begun.client.close();
  }
}

/**
 * Compares with another deployment, which has a run of its own for that; returns the exceptions
 * that were not needed.
 */
async function paired(run: Run): Promise<readonly Exception[]> {
  const { suite, options, results, ending } = run;
  if (!options.pair)
    results.withheld(
      SAME,
      notApplicable("it compares two deployments, and the report of a second --url has it"),
    );
  if (!options.pair || ending.signal.aborted) return [];
  const { exceptions, ...there } = options.pair;
  const otherRun = begin(suite, { ...options, ...there }, ending);
  try {
    return await compareWith(otherRun, run, exceptions);
  } finally {
    otherRun.client.close();
  }
}

/**
 * Gives the requests of a run the time that they take at the pace of a remote target, and a tenth
 * more.
 */
function giveTime({ options: { target, tell }, ending }: Run, cases: number): void {
  if (target.loopback || cases === 0) return;
  const requests = cases * REQUESTS_PER_CASE;
  const ms = requests * REMOTE_INTERVAL_MS;
  tell(
    `some ${Math.ceil(requests).toLocaleString("en")} requests, about ` +
      `${Math.ceil(ms / 60_000)} minutes`,
  );
  ending.set(ms * 1.1);
}

/** Sends what is planned. Throws `RunAborted` if the run ends. */
async function sendAll(run: Run): Promise<void> {
  const { suite, options, results, inputs, ending, baseline } = run;
  const { concurrency, onProgress } = options;
  if (!suite.given)
    await inputs.find(
      (operation, input) => plainExchange(run, operation, input),
      options.allowWrite,
    );
  results.unproven = [...inputs.unproven];
  const planned = suite.given ? [] : await planOf(run);
  results.planned = planned.length;
  if (options.deadlineMs === undefined && options.isExhaustive) giveTime(run, results.planned);
  for (const {
    requirement,
    case: { id },
  } of planned) {
    results.plan(requirement);
    baseline.planned(id, [requirement]);
  }
  const sending = planned.map(({ case: next }) => async () => {
    await lookUpFor(run, next.request);
    if (await runCase(run, next)) baseline.ended(next.id);
  });
  const scripts = scriptsOf(run);
  for (const { id, requirements } of scripts) {
    results.scheduled(requirements);
    baseline.planned(id, requirements);
  }
  const playing = (some: typeof scripts) => some.map((script) => () => play(run, script));
  const total = results.planned + scripts.length;
  const work = results.planned + CASES_PER_SCRIPT * scripts.length;
  let [done, worked] = [0, 0];
  const onDone = (cases: number) => () => {
    [done, worked] = [done + 1, worked + cases];
    onProgress?.({ done, total, failed: results.failed, share: worked / work });
  };
  await pool(sending, concurrency, ending.signal, onDone(1));
  if (scripts.length > 0 && !suite.given && options.selection.case === null) await lookUpAll(run);
  const parallel = scripts.filter(({ alone }) => !alone);
  await pool(playing(parallel), concurrency, ending.signal, onDone(CASES_PER_SCRIPT));
  const alone = scripts.filter((script) => script.alone);
  await pool(playing(alone), 1, ending.signal, onDone(CASES_PER_SCRIPT));
}

/** What the key of the run lacks is predicted, and said first. */
function restrictKey({ suite, options, keys }: Run, lacking: readonly string[]): void {
  const { key } = options.credentials.full;
  const operations = Object.values(suite.oracle.contract.operations);
  const without = operations.filter(({ auth, scope }) =>
    key === "" ? auth : scope !== null && lacking.includes(scope),
  );
  if (without.length === 0) return;
  const names = without.map(({ id }) => id).join(", ");
  const what =
    key === ""
      ? "there is no key (API_KEY, or --credentials FILE)"
      : `the key lacks ${lacking.join(", ")}`;
  options.tell(`${what}: of ${names} only rejections are checked`);
  const known = keys.get(key);
  if (known)
    keys.set(key, { ...known, scopes: known.scopes.filter((scope) => !lacking.includes(scope)) });
}

async function carriedOut(run: Run): Promise<Report> {
  const { suite, options, results, client, runId } = run;
  const { special, unissued = [] } = options.credentials;
  for (const line of suite.remarks) options.tell(line);
  if (unissued.length > 0)
    options.tell(`left out: the service cannot issue keys of the kind ${unissued.join(", ")}`);
  const { signal } = run.ending;
  let asked: Preflight = { version: null, verdict: null, fault: null };
  let unneeded: readonly Exception[] = [];
  try {
    asked = await (suite.given?.preflight ?? preflight)(run);
    if (asked.verdict === null) {
      restrictKey(run, asked.lacking ?? []);
      options.onStart?.();
      await sendAll(run);
      unneeded = await paired(run);
    }
  } catch (error) {
    if (!(error instanceof RunAborted)) throw error;
    results.stopped = error.message;
    if (client.gone) results.gone(client.gone.sentAt);
  }
  results.stopped ??= signal.aborted ? String(signal.reason?.message) : null;
  const outcomes = results.outcomes();
  // Not part of the reason of each requirement that is left open.
  if (results.stopped !== null && client.gone) {
    const { answered, request } = client.gone;
    results.stopped += `; the last one with a response: ${answered}; the first without: ${request}`;
  }
  const isPart =
    options.isSmoke === true || options.explore !== undefined || options.selection.case !== null;
  // Without a kind of key, there are fewer cases about credentials.
  const isKeyed = kindsOf(suite.oracle.contract).every(
    (kind) => kind in special || unissued.includes(kind),
  );
  const isWhole = (requirement: string) =>
    !isPart &&
    (isKeyed || !requirement.startsWith("credentials/")) &&
    (options.isExhaustive || !suite.laws.some(({ id }) => id === requirement));
  const { version, fault, lacking = [] } = asked;
  const stale = asked.verdict === null ? run.baseline.staleOf(outcomes, isWhole) : [];
  const ending = {
    outcomes,
    faults: results.faults,
    stale: stale.length + unneeded.length,
    preflight: asked.verdict,
  };
  return {
    runId,
    version,
    fault,
    lacking,
    outcomes,
    stale,
    unneeded,
    results,
    requests: client.sent,
    created: [...run.created],
    ...verdictOf(ending, { ...options, isGiven: suite.given !== undefined }),
  };
}

/** Does the tasks, `width` at a time, in their order, until the run ends. */
async function pool(
  tasks: readonly (() => Promise<void>)[],
  width: number,
  signal: AbortSignal,
  onDone: () => void,
): Promise<void> {
  const queue = tasks.values();
  const worker = async () => {
    for (const task of queue) {
      if (signal.aborted) return;
      await task();
      onDone();
    }
  };
  const workers = await Promise.allSettled(Array.from({ length: width }, worker));
  for (const settled of workers) if (settled.status === "rejected") throw settled.reason;
}
