import { randomBytes } from "node:crypto";
import { canaryOf, type Exchange } from "../exchange.ts";
import { Client } from "../http/client.ts";
import { Pace, Stopped } from "../http/pace.ts";
import { emptyWorld } from "../model/learn.ts";
import { Unchanged } from "../model/unchanged.ts";
import { undecidedIn } from "../oracle/read-contract.ts";
import type { Key } from "../oracle/world.ts";
import { kindsOf } from "../requests/credentials.ts";
import { inapplicableIn } from "./applicable.ts";
import { Baseline, type Stale } from "./baseline.ts";
import { exchange, judgeBusy, plainExchange } from "./exchange.ts";
import { Inputs } from "./inputs.ts";
import {
  type Credentials,
  DEADLINE_MS,
  DEFAULTS,
  type Exception,
  leftBy,
  type RunOptions,
} from "./options.ts";
import { compareWith, SAME } from "./pair.ts";
import { planOf, scriptsOf } from "./plan.ts";
import { preflight } from "./preflight.ts";
import { notApplicable, type Outcome, Results } from "./results.ts";
import { Ending, type Preflight, play, type Run, type Suite } from "./state.ts";
import { type Verdict, verdictOf } from "./verdict.ts";

export interface Report extends Pick<Preflight, "version" | "fault"> {
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

/** Records that a run creates at most, by default and if it sends every case or explores: no operation deletes them. */
const MOST_CREATED = { default: 120, long: 400 };
/** Five requests a second to a remote target: half of the 600 a minute that a key may be allowed. */
const REMOTE_INTERVAL_MS = 200;
/** What scripts send in addition. */
const REQUESTS_PER_CASE = 1.1;

/** The id of a run: what it creates has it in it. */
export const newRunId = (): string => randomBytes(8).toString("hex");

function keysOf(
  { full, special }: Credentials,
  scopes: readonly string[],
): ReadonlyMap<string, Key> {
  const scopesOf = (kind: string) =>
    kind === "noScopes" ? [] : scopes.includes(kind) ? [kind] : scopes;
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

/** A run that has not sent anything yet. */
export function begin(suite: Suite, given: RunOptions, ending = new Ending()): Run {
  const { contract } = suite.oracle;
  const options = { ...DEFAULTS, ...given };
  // Without a covering set nothing less is known to be enough.
  options.isExhaustive ||= suite.covering === null;
  const { target, credentials, gateway, timeoutMs, tell, selection, runId = newRunId() } = options;
  const { maxFailures = Number.POSITIVE_INFINITY } = options;
  const { signal, end } = ending;
  const pace = new Pace({
    intervalMs: target.loopback ? 0 : REMOTE_INTERVAL_MS,
    signal,
    deadline: ending,
    tell,
  });
  const inputs = new Inputs(suite.oracle, runId);
  const { full, special } = credentials;
  const caller = { host: target.host, ...full, others: special, canary: canaryOf(runId) };
  const keys = keysOf(credentials, contract.scopes);
  const laws = new Set(suite.laws.map(({ id }) => id));
  const baseline = new Baseline(options.knownFailures, new Date(), laws);
  const left = leftBy(selection, contract);
  const results = new Results(suite, left, (finding) => baseline.accepts(finding));
  for (const [id, reason] of inapplicableIn(contract)) results.withheld(id, notApplicable(reason));
  const onBusy = (exchange: Exchange) => judgeBusy(one, exchange);
  const one: Run = {
    ...{ suite, options, ending, runId, inputs, results, left, baseline },
    client: new Client({
      target,
      timeoutMs,
      signal,
      gateway,
      pace,
      limits: contract.limits,
      onBusy,
    }),
    world: emptyWorld(suite.oracle, {
      url: target.url,
      keys,
      platforms: [full.platform],
      files: suite.paths,
    }),
    memory: new Map(),
    unchanged: new Unchanged(runId),
    ends: new Map(),
    source: { caller, inputs: inputs.all },
    created: new Set(),
    creating: [],
    mostCreated:
      options.isExhaustive || options.explore !== undefined
        ? MOST_CREATED.long
        : MOST_CREATED.default,
    inTurn: createQueue(),
    endAfterFailures: () => {
      if (results.failed >= maxFailures)
        end(`the run ended after ${results.failed} failures (--max-failures)`);
    },
  };
  return one;
}

/** Checks one target. Never throws because of the target. */
export async function run(suite: Suite, options: RunOptions): Promise<Report> {
  const ending = new Ending();
  const interrupted = () => ending.end("the run was interrupted");
  ending.set(options.deadlineMs ?? DEADLINE_MS);
  options.signal?.addEventListener("abort", interrupted, { once: true });
  if (options.signal?.aborted) interrupted();
  const one = begin(suite, options, ending);
  try {
    return await carriedOut(one);
  } finally {
    ending.stop();
    options.signal?.removeEventListener("abort", interrupted);
    one.client.close();
  }
}

/** Compares with another deployment, which has a run of its own for that; returns the exceptions that were not needed. */
async function paired(one: Run): Promise<readonly Exception[]> {
  const { suite, options, results, ending } = one;
  if (!options.pair)
    results.withheld(
      SAME,
      notApplicable("it compares two deployments, and the report of a second --url has it"),
    );
  if (!options.pair || ending.signal.aborted) return [];
  const { exceptions, ...there } = options.pair;
  const other = begin(suite, { ...options, ...there }, ending);
  try {
    return await compareWith(other, one, exceptions);
  } finally {
    other.client.close();
  }
}

/** Gives the requests of a run the time that they take at the pace of a remote target, and a tenth more. */
function giveTime({ options: { target, tell }, ending }: Run, cases: number): void {
  if (target.loopback || cases === 0) return;
  const requests = cases * REQUESTS_PER_CASE;
  const ms = requests * REMOTE_INTERVAL_MS;
  tell(
    `some ${Math.ceil(requests).toLocaleString("en")} requests, about ${Math.ceil(ms / 60_000)} minutes`,
  );
  ending.set(ms * 1.1);
}

/** Sends what is planned. Throws `Stopped` if the run ends. */
async function sendAll(one: Run): Promise<void> {
  const { suite, options, results, inputs, ending, baseline } = one;
  const { concurrency, onProgress } = options;
  if (!suite.given)
    await inputs.find((operation, input) => plainExchange(one, operation, input), options.mayWrite);
  const { first, rest } = suite.given ? { first: [], rest: [] } : await planOf(one);
  results.planned = first.length + rest.length;
  if (options.deadlineMs === undefined && options.isExhaustive) giveTime(one, results.planned);
  for (const {
    requirement,
    case: { id },
  } of [...first, ...rest]) {
    results.plan(requirement);
    baseline.planned(id, [requirement]);
  }
  const send = async ({ case: next }: (typeof rest)[number]) => {
    if (await exchange(one, next)) baseline.ended(next.id);
  };
  const sending = (some: typeof rest) => some.map((next) => () => send(next));
  const scripts = scriptsOf(one);
  for (const { id, requirements } of scripts) {
    results.scheduled(requirements);
    baseline.planned(id, requirements);
  }
  const playing = (some: typeof scripts) => some.map((script) => () => play(one, script));
  const all = [
    { width: 1, tasks: sending(first) },
    { width: concurrency, tasks: sending(rest) },
    { width: concurrency, tasks: playing(scripts.filter(({ alone }) => !alone)) },
    { width: 1, tasks: playing(scripts.filter(({ alone }) => alone)) },
  ];
  const total = results.planned + scripts.length;
  let done = 0;
  for (const { width, tasks } of all)
    await pool(tasks, width, ending.signal, () =>
      onProgress?.({ done: ++done, total, failed: results.failed }),
    );
}

async function carriedOut(one: Run): Promise<Report> {
  const { suite, options, results, client, runId } = one;
  for (const line of undecidedIn(suite.oracle.contract)) options.tell(line);
  const { signal } = one.ending;
  let asked: Preflight = { version: null, verdict: null, fault: null };
  let unneeded: readonly Exception[] = [];
  try {
    asked = await (suite.given?.preflight ?? preflight)(one);
    if (asked.verdict === null) {
      await sendAll(one);
      unneeded = await paired(one);
    }
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    results.stopped = error.message;
    if (client.goneSince !== null) results.gone(client.goneSince);
  }
  results.stopped ??= signal.aborted ? String(signal.reason?.message) : null;
  const outcomes = results.outcomes();
  const isPart =
    options.isSmoke === true || options.explore !== undefined || options.selection.case !== null;
  // Without a kind of key, there are fewer cases about credentials.
  const isKeyed = kindsOf(suite.oracle.contract).every(
    (kind) => kind in options.credentials.special,
  );
  const isWhole = (requirement: string) =>
    !isPart &&
    (isKeyed || !requirement.startsWith("credentials/")) &&
    (options.isExhaustive || !suite.laws.some(({ id }) => id === requirement));
  const { version, fault } = asked;
  const stale = asked.verdict === null ? one.baseline.staleOf(outcomes, isWhole) : [];
  const ending = {
    outcomes,
    faults: results.faults,
    stale: stale.length + unneeded.length,
    preflight: asked.verdict,
  };
  return {
    ...{
      runId,
      version,
      fault,
      outcomes,
      stale,
      unneeded,
      results,
      requests: client.sent,
      created: [...one.created],
    },
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
  for (const one of workers) if (one.status === "rejected") throw one.reason;
}
