import { randomBytes } from "node:crypto";
import { setMaxListeners } from "node:events";
import type { Key } from "../../oracle/world.ts";
import { Client } from "../http/client.ts";
import { Pace, Stopped } from "../http/pace.ts";
import { emptyWorld } from "../model/learn.ts";
import { tablesOf } from "../requests/generate.ts";
import { exchange, plainExchange } from "./exchange.ts";
import { Inputs } from "./inputs.ts";
import type { Credentials, RunOptions } from "./options.ts";
import { type Plan, planOf } from "./plan.ts";
import { type Preflight, preflight } from "./preflight.ts";
import { type Outcome, Results } from "./results.ts";
import { play } from "./script.ts";
import type { Run, Suite } from "./state.ts";
import { type Verdict, verdictOf } from "./verdict.ts";

export interface Report {
  readonly runId: string;
  readonly version: string | null;
  readonly fault: string | null;
  readonly verdict: Verdict;
  readonly exitCode: number;
  readonly requests: { readonly supertest: number; readonly socket: number };
  readonly planned: number;
  readonly outcomes: readonly Outcome[];
  readonly results: Results;
  readonly created: readonly string[];
  /** How many of the planned cases were sent and compared. */
  readonly compared: number;
}

/** Records that a run creates at most: no operation deletes them. */
const MOST_CREATED = { default: 120, exhaustive: 400 };
/** Five requests a second to a remote target: half of the 600 a minute that a key may be allowed. */
const REMOTE_INTERVAL_MS = 200;

const LETTERS = "qxzjkvw";
/** A word that no deployment knows as a key, a platform or a name. */
const canaryOf = (runId: string): string =>
  `zq${[...runId.slice(0, 10)].map((each) => LETTERS[each.charCodeAt(0) % LETTERS.length]).join("")}`;

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

function begin(suite: Suite, options: RunOptions, end: Run["end"], signal: AbortSignal): Run {
  const { oracle, further } = suite;
  const { contract } = oracle;
  const { target, credentials, gateway, timeoutMs, deadlineMs, tell, isExhaustive } = options;
  const { runId = newRunId() } = options;
  const endsAt = Date.now() + deadlineMs;
  const pace = new Pace({ intervalMs: target.loopback ? 0 : REMOTE_INTERVAL_MS, signal, endsAt, tell });
  const inputs = new Inputs(oracle, runId);
  const { full, special } = credentials;
  const caller = { host: target.host, ...full, others: special, canary: canaryOf(runId) };
  const keys = keysOf(credentials, contract.scopes);
  const results = new Results(suite);
  const { maxFailures = Number.POSITIVE_INFINITY } = options;
  const endAfterFailures = () => {
    if (results.failed >= maxFailures) end(`the run ended after ${results.failed} failures (--max-failures)`);
  };
  return {
    ...{ suite, options, runId, inputs, results, end, endAfterFailures },
    client: new Client({ target, timeoutMs, signal, gateway, pace, limits: contract.limits }),
    world: emptyWorld(oracle, { url: target.url, keys, platforms: [full.platform], files: further.paths }),
    memory: new Map(),
    tables: tablesOf(contract, further),
    source: { caller, inputs: inputs.all },
    created: new Set(),
    mostCreated: isExhaustive ? MOST_CREATED.exhaustive : MOST_CREATED.default,
    inTurn: createQueue(),
  };
}

/** Checks one target. Never throws because of the target. */
export async function run(suite: Suite, options: RunOptions): Promise<Report> {
  const controller = new AbortController();
  // Every request in flight listens to it; Node would report more than ten as a leak.
  setMaxListeners(0, controller.signal);
  const end = (reason: string) => controller.abort(new Error(reason));
  const interrupted = () => end("the run was interrupted");
  const timer = setTimeout(() => end(`the deadline of ${options.deadlineMs / 1000} s has passed`), options.deadlineMs);
  options.signal?.addEventListener("abort", interrupted, { once: true });
  if (options.signal?.aborted) interrupted();
  const one = begin(suite, options, end, controller.signal);
  try {
    return await carriedOut(one, controller.signal);
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener("abort", interrupted);
    one.client.close();
  }
}

async function carriedOut(one: Run, signal: AbortSignal): Promise<Report> {
  const { options, results, inputs, client } = one;
  let asked: Preflight = { version: null, verdict: null, fault: null };
  let plan: Plan = { first: [], rest: [] };
  try {
    asked = await preflight(one);
    if (asked.verdict === null) {
      await inputs.find((operation, input) => plainExchange(one, operation, input), options.mayWrite);
      plan = await planOf(one, signal);
      for (const { requirement } of [...plan.first, ...plan.rest]) results.plan(requirement);
      const { scripts } = one.suite;
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
    }
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    results.stopped = error.message;
    if (client.goneSince !== null) results.gone(client.goneSince);
  }
  results.stopped ??= signal.aborted ? String(signal.reason?.message) : null;
  const outcomes = results.outcomes();
  const { verdict, exitCode } = verdictOf({ outcomes, faults: results.faults, preflight: asked.verdict }, options);
  return {
    ...{ runId: one.runId, version: asked.version, fault: asked.fault, verdict, exitCode, outcomes, results },
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
