import { setMaxListeners } from "node:events";
import type { Finding, Law, Memory } from "../exchange.ts";
import type { Client } from "../http/client.ts";
import { Withheld } from "../http/gateway.ts";
import { LONGEST_TIMER_MS, Stopped } from "../http/pace.ts";
import type { Views } from "../laws/view.ts";
import type { Known } from "../model/learn.ts";
import type { Unchanged } from "../model/unchanged.ts";
import type { Oracle } from "../oracle/predict.ts";
import type { Request } from "../oracle/world.ts";
import type { Source, Tables } from "../requests/generate.ts";
import type { Baseline } from "./baseline.ts";
import type { Inputs } from "./inputs.ts";
import type { Settled } from "./options.ts";
import type { Results } from "./results.ts";

/** The end of a run: its signal aborts at its deadline, or before. */
export class Ending {
  /** Milliseconds since the epoch. */
  endsAt = Number.POSITIVE_INFINITY;
  private timer: NodeJS.Timeout | undefined;
  private readonly controller = new AbortController();
  readonly signal = this.controller.signal;

  constructor() {
    // Every request in flight listens to it; Node would report more than ten as a leak.
    setMaxListeners(0, this.signal);
  }

  /** Ends the run now. */
  readonly end = (reason: string): void => this.controller.abort(new Error(reason));

  /** So long from now. */
  set(ms: number): void {
    clearTimeout(this.timer);
    this.endsAt = Date.now() + ms;
    const reason = `the deadline of ${Math.round(ms / 1000)} s has passed`;
    this.timer = setTimeout(() => this.end(reason), Math.min(ms, LONGEST_TIMER_MS));
  }

  stop(): void {
    clearTimeout(this.timer);
  }
}

/** Says that a requirement was exercised: what it is about was sent, and the response compared. */
export type Exercised = (requirement: string) => void;

/** A check that is more than a case and its response: a scenario, a socket, a golden exchange. */
export interface Script {
  /** The same for every deployment and every seed: `golden user.list 3`, `socket half a head`. */
  readonly id: string;
  /** The requirements that it may exercise. */
  readonly requirements: readonly string[];
  /** Those of them for which the run must be allowed to create records, where the others need less. */
  readonly writing?: readonly string[];
  /** What the run must be allowed. */
  readonly effect: "read" | "write" | "hostile";
  /** Waits for a time-out. */
  readonly slow?: true;
  /** Part of a first look. */
  readonly isSmoke?: true;
  /** Nothing else is sent meanwhile. */
  readonly alone?: true;
  /** The kinds of other keys that it takes. */
  readonly needs?: readonly string[];
  /**
   * Says which requirement it has exercised, at the step that does so: one of which it says nothing does
   * not pass by it. Throws `Lacking` where this deployment has nothing to try it on.
   */
  readonly run: (run: Run, exercised: Exercised) => AsyncIterable<Finding>;
}

/** The conditions for any case: if one is not met, nothing else is sent. */
export interface Preflight {
  readonly version: string | null;
  readonly verdict: "unreachable" | "preflight failed" | null;
  /** The condition that is not met. */
  readonly fault: string | null;
}

/** What a run compares with: the contract as a program, and what follows from it. */
export interface Suite {
  readonly oracle: Oracle;
  readonly laws: readonly Law[];
  /** What laws and comparers read of an exchange: each reads it once. */
  readonly views: Views;
  readonly tables: Tables;
  /** Paths that are served next to the endpoint. */
  readonly paths: readonly string[];
  /** The ids of the cases that decide everything, of which a default run consists; null: they are not known, and all are sent. */
  readonly covering: readonly string[] | null;
  readonly scripts: readonly Script[];
  /** It judges by what is given alone: its scripts are all that is sent, behind a preflight of its own. */
  readonly given?: { readonly preflight: (run: Run) => Promise<Preflight> };
}

/** Everything that belongs to one run: no module has any of it. */
export interface Run {
  readonly suite: Suite;
  readonly options: Settled;
  readonly ending: Ending;
  readonly runId: string;
  readonly client: Client;
  /** What is known of the deployment. */
  readonly world: Known;
  readonly unchanged: Unchanged;
  /** By list, a cursor near its end as this run first read it; undefined: it begins there. */
  readonly ends: Map<string, Promise<string | undefined>>;
  /** What laws remember. */
  readonly memory: Memory;
  readonly inputs: Inputs;
  readonly source: Source;
  readonly results: Results;
  /** The requirements that are not selected, each with the reason. */
  readonly left: ReadonlyMap<string, string>;
  readonly baseline: Baseline;
  /** The requests that have created a record, in order. */
  readonly creating: Request[];
  /** Values of the records that this run has created, or may have. */
  readonly created: Set<string>;
  readonly mostCreated: number;
  /** Sends one after another what changes, or depends on, what the run has created. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
  /** Ends the run if as many requirements have failed as it may find. */
  readonly endAfterFailures: () => void;
}

const NO_WRITING = "needs --allow-write: it creates records";

/** What a script needs is not there: its requirements are not selected. */
export class Lacking extends Error {}

/** Why a run does not play a script; null if it does. */
function reasonAgainst({ options }: Run, { effect, slow, needs = [] }: Script): string | null {
  const { mayWrite, mayHarm, isSlow, credentials } = options;
  if (effect === "write" && !mayWrite) return NO_WRITING;
  if (effect === "hostile" && !mayHarm)
    return "needs --allow-hostile: it sends what no client should";
  if (slow && !isSlow) return "waits for a time-out: needs --slow";
  const missing = needs.find((kind) => !(kind in credentials.special));
  return missing === undefined ? null : `needs another key: ${missing}`;
}

/** Plays a script, unless this run may not. Throws `Stopped` if the run ends. */
export async function play(run: Run, script: Script): Promise<void> {
  const { results, baseline, options } = run;
  const { id, requirements, writing = [] } = script;
  for (const one of options.mayWrite ? [] : writing) results.withheld(one, NO_WRITING);
  const exercised = (requirement: string) => {
    results.sent(requirement);
    baseline.sent(id, requirement);
  };
  try {
    const reason = reasonAgainst(run, script);
    if (reason !== null) throw new Lacking(reason);
    for await (const finding of script.run(run, exercised))
      results.find({ ...finding, script: id });
    baseline.ended(id);
    results.ended(requirements);
  } catch (error) {
    if (error instanceof Stopped) throw error;
    if (error instanceof Withheld || error instanceof Lacking) {
      for (const one of requirements) results.withheld(one, error.message);
      results.ended(requirements);
    } else results.faults.push(`${id}: ${error instanceof Error ? error.message : error}`);
  }
  run.endAfterFailures();
}
