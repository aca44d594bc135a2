import { Withheld } from "../http/gateway.ts";
import { Stopped } from "../http/pace.ts";
import type { Run, Script } from "./state.ts";

const NO_WRITING = "needs --allow-write: it creates records";

/** What a script needs is not there: its requirements are not selected. */
export class Lacking extends Error {}

/** Why a run does not play a script; null if it does. */
function reasonAgainst({ options }: Run, { effect, slow, needs = [] }: Script): string | null {
  const { mayWrite, mayHarm, isSlow, credentials } = options;
  if (effect === "write" && !mayWrite) return NO_WRITING;
  if (effect === "hostile" && !mayHarm) return "needs --allow-hostile: it sends what no client should";
  if (slow && !isSlow) return "waits for a time-out: needs --slow";
  const missing = needs.find((kind) => !(kind in credentials.special));
  return missing === undefined ? null : `needs another key: ${missing}`;
}

/** Plays a script, unless this run may not. Throws `Stopped` if the run ends. */
export async function play(run: Run, script: Script): Promise<void> {
  const { results } = run;
  const { writing = [] } = script;
  const unwritten = run.options.mayWrite ? [] : writing;
  const requirements = script.requirements.filter((id) => !unwritten.includes(id));
  const withhold = (reason: string, some: readonly string[] = requirements) => {
    for (const id of some) results.withheld(id, reason);
  };
  withhold(NO_WRITING, unwritten);
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
