import { randomBytes } from "node:crypto";
import { canaryOf, type Exchange } from "../exchange.ts";
import { Client } from "../http/client.ts";
import { RateLimiter } from "../http/rate-limiter.ts";
import { ImmutableFieldTracker } from "../model/immutable-fields.ts";
import { emptyState } from "../model/known-state.ts";
import type { Key } from "../oracle/model-state.ts";
import { onlyShownBy } from "../requests/credentials.ts";
import type { Credentials } from "../secrets/credentials.ts";
import { inapplicableIn } from "./applicable.ts";
import { Baseline } from "./baseline.ts";
import { judgeBusy } from "./exchange.ts";
import { Inputs } from "./inputs.ts";
import { DEFAULTS, leftBy, type RunOptions } from "./options.ts";
import { notApplicable, Results, unissuedReason } from "./results.ts";
import { Ending, type Run, type Suite } from "./state.ts";

/**
 * Records that a run creates at most, by default and if it sends every case or explores: no
 * operation deletes them.
 */
const MOST_CREATED = { default: 120, long: 400 };
/**
 * Five requests a second to a remote target: half of the 600 a minute that a key may be allowed.
 */
export const REMOTE_INTERVAL_MS = 200;

/** The id of a run: what it creates has it in it. */
export const newRunId = (): string => randomBytes(8).toString("hex");

function keysOf({ full, special }: Credentials, scopes: readonly string[]): Map<string, Key> {
  const scopesOf = (kind: string) =>
    kind === "noScopes" ? [] : scopes.includes(kind) ? [kind] : scopes;
  const known = full.key === "" ? special : { full, ...special };
  return new Map(
    Object.entries(known).map(([kind, { key, platform }]) => [
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
  options.isExhaustive ||= suite.coveringCases === null;
  const { target, credentials, gateway, timeoutMs, tell, selection, runId = newRunId() } = options;
  const { maxFailures = Number.POSITIVE_INFINITY } = options;
  const { signal, end } = ending;
  const rateLimiter = new RateLimiter({
    intervalMs: target.loopback ? 0 : REMOTE_INTERVAL_MS,
    signal,
    deadline: ending,
    tell,
    onLimit: options.onLimit,
  });
  const inputs = new Inputs(suite.oracle, runId);
  const { full, special } = credentials;
  const caller = { host: target.host, ...full, others: special, canary: canaryOf(runId) };
  const keys = keysOf(credentials, contract.scopes);
  const laws = new Set(suite.laws.map(({ id }) => id));
  const baseline = new Baseline(options.knownFailures, new Date(), laws);
  const unselected = leftBy(selection, contract);
  const results = new Results(suite, unselected, (finding) => baseline.accepts(finding));
  for (const [id, reason] of inapplicableIn(contract)) results.withheld(id, notApplicable(reason));
  const { unissued = [] } = credentials;
  for (const id of onlyShownBy(unissued, contract)) results.withheld(id, unissuedReason(unissued));
  const onBusy = (exchange: Exchange) => judgeBusy(run, exchange);
  const run: Run = {
    suite,
    options,
    ending,
    runId,
    inputs,
    results,
    left: unselected,
    baseline,
    client: new Client({
      target,
      timeoutMs,
      signal,
      gateway,
      rateLimiter,
      limits: contract.limits,
      onBusy,
    }),
    keys,
    model: emptyState(suite.oracle, {
      url: target.url,
      keys,
      platforms: [full.platform],
      files: suite.paths,
      runId,
    }),
    memory: new Map(),
    immutableFields: new ImmutableFieldTracker(runId),
    ends: new Map(),
    lookups: new Map(),
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
  return run;
}
