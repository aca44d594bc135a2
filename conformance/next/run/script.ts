import type { Finding } from "../exchange.ts";
import { Withheld } from "../http/gateway.ts";
import { Stopped } from "../http/pace.ts";
import type { Run } from "./state.ts";

/** A check that is more than a case and its response: a scenario, a socket, a golden exchange. */
export interface Script {
  /** The same for every deployment and every seed: `golden user.list 3`, `socket half a head`. */
  readonly id: string;
  /** The requirements that it says something about. */
  readonly requirements: readonly string[];
  /** What the run must be allowed. */
  readonly effect: "read" | "write" | "hostile";
  /** Waits for a time-out. */
  readonly slow?: true;
  /** Nothing else is sent meanwhile. */
  readonly alone?: true;
  /** The kinds of other keys that it takes. */
  readonly needs?: readonly string[];
  /** Throws `Lacking` where this deployment has nothing to try it on. */
  readonly run: (run: Run) => AsyncIterable<Finding>;
}

/** What a script needs is not there: its requirements are not selected. */
export class Lacking extends Error {}

/** Why a run does not play a script; null if it does. */
function reasonAgainst({ options }: Run, { effect, slow, needs = [] }: Script): string | null {
  const { mayWrite, mayHarm, isSlow, credentials } = options;
  if (effect === "write" && !mayWrite) return "needs --allow-write: it creates records";
  if (effect === "hostile" && !mayHarm) return "needs --allow-hostile: it sends what no client should";
  if (slow && !isSlow) return "waits for a time-out: needs --slow";
  const missing = needs.find((kind) => !(kind in credentials.special));
  return missing === undefined ? null : `needs another key: ${missing}`;
}

/** Plays a script, unless this run may not. Throws `Stopped` if the run ends. */
export async function play(run: Run, script: Script): Promise<void> {
  const { results } = run;
  const { requirements } = script;
  const withhold = (reason: string) => {
    for (const id of requirements) results.withheld(id, reason);
  };
  const reason = reasonAgainst(run, script);
  if (reason !== null) return withhold(reason);
  for (const id of requirements) results.plan(id);
  try {
    for await (const finding of script.run(run)) results.find({ ...finding, script: script.id });
    for (const id of requirements) results.sent(id);
  } catch (error) {
    if (error instanceof Stopped) throw error;
    if (error instanceof Withheld || error instanceof Lacking) withhold(error.message);
    else results.faults.push(`${script.id}: ${error instanceof Error ? error.message : error}`);
  }
  run.endAfterFailures();
}
