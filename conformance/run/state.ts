import { setMaxListeners } from "node:events";
import type { ExchangeLaw, Finding, Memory } from "../exchange.ts";
import type { Client } from "../http/client.ts";
import { SkippedByPolicy } from "../http/gateway.ts";
import { LONGEST_TIMER_MS, RunAborted } from "../http/rate-limiter.ts";
import type { ExchangeParser } from "../laws/parsed-exchange.ts";
import type { ImmutableFieldTracker } from "../model/immutable-fields.ts";
import type { KnownState } from "../model/known-state.ts";
import type { Key, Request } from "../oracle/model-state.ts";
import type { Oracle } from "../oracle/predict.ts";
import type { Source, Tables } from "../requests/generate.ts";
import type { Baseline } from "./baseline.ts";
import type { Inputs } from "./inputs.ts";
import type { Settled } from "./options.ts";
import { type Results, unissuedReason } from "./results.ts";

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

  /** Ends the run when this many milliseconds have passed. */
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

/** What a script is about, and what a run must be allowed for it. */
export interface ScriptDescription {
  /** Does not depend on deployment or seed: `golden user.list 3`, `socket half a head`. */
  readonly id: string;
  /** The requirements that it may exercise. */
  readonly requirements: readonly string[];
  /**
   * Those of them for which the run must be allowed to create records, where the others need less.
   */
  readonly writing?: readonly string[];
  /** What the run must be allowed. */
  readonly effect: "read" | "write" | "hostile";
  /** Waits for a time-out. */
  readonly slow?: true;
  /** Part of a first look. */
  readonly isSmoke?: true;
  /** Nothing else is sent meanwhile. */
  readonly alone?: true;
  /** Part of an exploration: alone, or of other runs too. */
  readonly explores?: "alone" | "too";
  /** The kinds of other keys that it takes. */
  readonly needs?: readonly string[];
}

/** A check that is more than a case and its response: a scenario, a socket, a golden exchange. */
export interface Script extends ScriptDescription {
  /**
   * Says which requirement it has exercised, at the step that does so: one of which it says nothing
   * does not pass by it. Throws `MissingPrecondition` where this deployment has nothing to try it
   * on.
   */
  readonly run: (run: Run, exercised: Exercised) => AsyncIterable<Finding>;
}

/** The conditions for any case: if one is not met, nothing else is sent. */
export interface Preflight {
  readonly version: string | null;
  readonly verdict: "unreachable" | "preflight failed" | null;
  /** The condition that is not met. */
  readonly fault: string | null;
  /** The scopes that the key of the run lacks. */
  readonly lacking?: readonly string[];
}

/** What a run compares with: the contract as a program, and what follows from it. */
export interface Suite {
  readonly oracle: Oracle;
  readonly laws: readonly ExchangeLaw[];
  /** What laws and comparers read of an exchange: each reads it once. */
  readonly parse: ExchangeParser;
  readonly tables: Tables;
  /** What its contract and its extensions leave out, as lines that a run tells first. */
  readonly remarks: readonly string[];
  /** Paths that are served next to the endpoint. */
  readonly paths: readonly string[];
  /**
   * The ids of the cases that decide everything, of which a default run consists; null: they are
   * not known, and all are sent.
   */
  readonly coveringCases: readonly string[] | null;
  readonly scripts: readonly Script[];
  /**
   * It judges by what is given alone: its scripts are all that is sent, behind a preflight of its
   * own.
   */
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
  readonly model: KnownState;
  /** Those of the model: what the key of the run may do is known behind the preflight. */
  readonly keys: Map<string, Key>;
  readonly immutableFields: ImmutableFieldTracker;
  /** By list, a cursor near its end as this run first read it; undefined: it begins there. */
  readonly ends: Map<string, Promise<string | undefined>>;
  /** What has been looked up, or is being looked up, by its subject. */
  readonly lookups: Map<string, Promise<void>>;
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

/**
 * What a script needs is not there: its requirements are not selected, and the message says why.
 */
export class MissingPrecondition extends Error {}

/** Why a run does not play a script; null if it does. */
function unplayableReason({ options }: Run, { effect, slow, needs = [] }: Script): string | null {
  const { allowWrite, allowHostile, isSlow, credentials } = options;
  if (effect === "write" && !allowWrite) return NO_WRITING;
  if (effect === "hostile" && !allowHostile)
    return "needs --allow-hostile: it sends what no client should";
  if (slow && !isSlow) return "waits for a time-out: needs --slow";
  const missing = needs.find((kind) => !(kind in credentials.special));
  if (missing === undefined) return null;
  return credentials.unissued?.includes(missing)
    ? unissuedReason([missing])
    : `needs another key: ${missing}`;
}

/** Plays a script, unless this run may not. Throws `RunAborted` if the run ends. */
export async function play(run: Run, script: Script): Promise<void> {
  const { results, baseline, options } = run;
  const { id, requirements, writing = [] } = script;
  for (const text of options.allowWrite ? [] : writing) results.withheld(text, NO_WRITING);
  const exercised = (requirement: string) => {
    results.sent(requirement);
    baseline.sent(id, requirement);
  };
  try {
    const reason = unplayableReason(run, script);
    if (reason !== null) throw new MissingPrecondition(reason);
    for await (const finding of script.run(run, exercised))
      results.find({ ...finding, script: id });
    baseline.ended(id);
    results.ended(requirements);
  } catch (error) {
    if (error instanceof RunAborted) throw error;
    if (error instanceof SkippedByPolicy || error instanceof MissingPrecondition) {
      for (const requirement of requirements) results.withheld(requirement, error.message);
      results.ended(requirements);
    } else results.faults.push(`${id}: ${error instanceof Error ? error.message : error}`);
  }
  run.endAfterFailures();
}
