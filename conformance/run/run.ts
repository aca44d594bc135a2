import { randomBytes } from "node:crypto";
import { setMaxListeners } from "node:events";
import { canaryOf } from "../canary.ts";
import { Client } from "../http/client.ts";
import { Pace, Stopped } from "../http/pace.ts";
import { emptyWorld } from "../model/learn.ts";
import { Unchanged } from "../model/unchanged.ts";
import type { Key } from "../oracle/world.ts";
import { Baseline, type Stale } from "./baseline.ts";
import { Deadline } from "./deadline.ts";
import { exchange, plainExchange } from "./exchange.ts";
import { Inputs } from "./inputs.ts";
import type { Credentials, Exception, Pair, RunOptions } from "./options.ts";
import { compareWith, SAME } from "./pair.ts";
import { type Plan, planOf, scriptsOf } from "./plan.ts";
import { preflight } from "./preflight.ts";
import { type Outcome, Results } from "./results.ts";
import { play } from "./script.ts";
import { everything, leftBy } from "./select.ts";
import type { Preflight, Run, Suite } from "./state.ts";
import { type Verdict, verdictOf } from "./verdict.ts";

export interface Report {
  readonly runId: string;
  readonly version: string | null;
  readonly fault: string | null;
  readonly verdict: Verdict;
  readonly exitCode: number;
  readonly requests: Client["sent"];
  readonly planned: number;
  readonly outcomes: readonly Outcome[];
  readonly stale: readonly Stale[];
  /** Exceptions from the comparison with another deployment that were not needed. */
  readonly unneeded: readonly Exception[];
  readonly results: Results;
  readonly created: readonly string[];
  /** How many of the planned cases were sent and compared. */
  readonly compared: number;
}

/** Records that a run creates at most, by default and if it sends every case or explores: no operation deletes them. */
const MOST_CREATED = { default: 120, long: 400 };
/** Five requests a second to a remote target: half of the 600 a minute that a key may be allowed. */
const REMOTE_INTERVAL_MS = 200;
/** What scripts send in addition. */
const REQUESTS_PER_CASE = 1.1;

/** The id of a run: what it creates has it in it. */
export const newRunId = (): string => randomBytes(8).toString("hex");

function keysOf({ full, special }: Credentials, scopes: readonly string[]): ReadonlyMap<string, Key> {
  const scopesOf = (kind: string) => (kind === "noScopes" ? [] : scopes.includes(kind) ? [kind] : scopes);
  return new Map(
    Object.entries({ full, ...special }).map(([kind, { key, platform }]) => [
      key,
      {
        scopes: scopesOf(kind),
        // The key for another platform is not valid on any platform that this run knows.
        platforms: kind === "otherPlatform" ? [] : [platform],
        valid: kind !== "expired" && kind !== "revoked",
      },
    ]),
  );
}

/** One piece of work after another. */
function createQueue(): Run["inTurn"] {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  };
}

export function begin(
  suite: Suite,
  options: RunOptions,
  end: Run["end"],
  signal: AbortSignal,
  deadline: Pick<Deadline, "endsAt"> = { endsAt: Number.POSITIVE_INFINITY },
): Run {
  const { oracle, paths } = suite;
  const { contract } = oracle;
  const { target, credentials, gateway, timeoutMs, tell, isExhaustive, explore } = options;
  const { runId = newRunId() } = options;
  const pace = new Pace({ intervalMs: target.loopback ? 0 : REMOTE_INTERVAL_MS, signal, deadline, tell });
  const inputs = new Inputs(oracle, runId);
  const { full, special } = credentials;
  const caller = { host: target.host, ...full, others: special, canary: canaryOf(runId) };
  const keys = keysOf(credentials, contract.scopes);
  const { selection = everything, knownFailures = [] } = options;
  const baseline = new Baseline(knownFailures, new Date());
  const left = leftBy(selection, contract);
  const results = new Results(suite, { left, accepts: (finding) => baseline.accepts(finding) });
  const { maxFailures = Number.POSITIVE_INFINITY } = options;
  const endAfterFailures = () => {
    if (results.failed >= maxFailures) end(`the run ended after ${results.failed} failures (--max-failures)`);
  };
  return {
    ...{ suite, options, runId, inputs, results, selection, left, baseline, end, endAfterFailures },
    client: new Client({ target, timeoutMs, signal, gateway, pace, limits: contract.limits }),
    world: emptyWorld(oracle, { url: target.url, keys, platforms: [full.platform], files: paths }),
    memory: new Map(),
    unchanged: new Unchanged(runId),
    ends: new Map(),
    source: { caller, inputs: inputs.all },
    created: new Set(),
    creating: [],
    mostCreated: isExhaustive || explore !== undefined ? MOST_CREATED.long : MOST_CREATED.default,
    inTurn: createQueue(),
  };
}

/** Checks one target. Never throws because of the target. */
export async function run(suite: Suite, given: RunOptions): Promise<Report> {
  // Without a covering set nothing less is known to be enough.
  const options = { ...given, isExhaustive: given.isExhaustive || suite.covering === null };
  const controller = new AbortController();
  // Every request in flight listens to it; Node would report more than ten as a leak.
  setMaxListeners(0, controller.signal);
  const end = (reason: string) => controller.abort(new Error(reason));
  const interrupted = () => end("the run was interrupted");
  const deadline = new Deadline(options.deadlineMs, end);
  options.signal?.addEventListener("abort", interrupted, { once: true });
  if (options.signal?.aborted) interrupted();
  const one = begin(suite, options, end, controller.signal, deadline);
  try {
    return await carriedOut(one, controller.signal, deadline);
  } finally {
    deadline.stop();
    options.signal?.removeEventListener("abort", interrupted);
    one.client.close();
  }
}

/** Compares with another deployment, which has a run of its own for that. */
async function paired(one: Run, { exceptions, ...there }: Pair, signal: AbortSignal, deadline: Deadline) {
  const other = begin(one.suite, { ...one.options, ...there }, one.end, signal, deadline);
  try {
    return await compareWith(other, one, exceptions, signal);
  } finally {
    other.client.close();
  }
}

/** Gives the requests of a run the time that they take at the pace of a remote target, and a tenth more. */
function giveTime({ options: { target, tell } }: Run, cases: number, deadline: Deadline): void {
  if (target.loopback) return;
  const ms = cases * REQUESTS_PER_CASE * REMOTE_INTERVAL_MS;
  tell(
    `some ${Math.ceil(cases * REQUESTS_PER_CASE).toLocaleString("en")} requests, about ${Math.ceil(ms / 60_000)} minutes`,
  );
  deadline.set(ms * 1.1);
}

async function carriedOut(one: Run, signal: AbortSignal, deadline: Deadline): Promise<Report> {
  const { suite, options, results, inputs, client } = one;
  let asked: Preflight = { version: null, verdict: null, fault: null };
  let plan: Plan = { first: [], rest: [] };
  let unneeded: readonly Exception[] = [];
  try {
    asked = await (suite.given?.preflight ?? preflight)(one);
    if (asked.verdict === null) {
      if (!suite.given) {
        await inputs.find((operation, input) => plainExchange(one, operation, input), options.mayWrite);
        plan = await planOf(one, signal);
      }
      if (options.isDeadlineOpen && options.isExhaustive) giveTime(one, plan.first.length + plan.rest.length, deadline);
      for (const { requirement } of [...plan.first, ...plan.rest]) results.plan(requirement);
      const scripts = scriptsOf(one);
      const total = plan.first.length + plan.rest.length + scripts.length;
      let done = 0;
      const counted = async (work: Promise<void>) => {
        await work;
        done += 1;
        options.onProgress?.({ done, total, failed: results.failed });
      };
      for (const next of plan.first) await counted(exchange(one, next.case));
      await pool(plan.rest, options.concurrency, (next) => counted(exchange(one, next.case)), signal);
      const beside = scripts.filter(({ alone }) => !alone);
      await pool(beside, options.concurrency, (script) => counted(play(one, script)), signal);
      await pool(
        scripts.filter(({ alone }) => alone),
        1,
        (script) => counted(play(one, script)),
        signal,
      );
      if (!options.pair) results.withheld(SAME, "compares two deployments: needs a second --url, whose report has it");
      else if (!signal.aborted) unneeded = await paired(one, options.pair, signal, deadline);
    }
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    results.stopped = error.message;
    if (client.goneSince !== null) results.gone(client.goneSince);
  }
  results.stopped ??= signal.aborted ? String(signal.reason?.message) : null;
  const outcomes = results.outcomes();
  const isPart = options.isSmoke === true || options.explore !== undefined || one.selection.case !== null;
  const isWhole = (requirement: string) =>
    !isPart && (options.isExhaustive || !suite.laws.some(({ id }) => id === requirement));
  const stale = asked.verdict === null ? one.baseline.staleOf(outcomes, isWhole) : [];
  const ending = { outcomes, faults: results.faults, stale: stale.length + unneeded.length, preflight: asked.verdict };
  const { verdict, exitCode } = verdictOf(ending, { ...options, isGiven: suite.given !== undefined });
  return {
    ...{
      runId: one.runId,
      version: asked.version,
      fault: asked.fault,
      verdict,
      exitCode,
      outcomes,
      stale,
      unneeded,
      results,
    },
    ...{
      requests: client.sent,
      planned: plan.first.length + plan.rest.length,
      compared: results.compared,
      created: [...one.created],
    },
  };
}

/** Does the work for every item, `width` at a time, in their order, until the run ends. */
async function pool<T>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const queue = items.values();
  const worker = async () => {
    for (const item of queue) {
      if (signal.aborted) return;
      await work(item);
    }
  };
  const workers = await Promise.allSettled(Array.from({ length: width }, worker));
  for (const one of workers) if (one.status === "rejected") throw one.reason;
}
