import type { Mutant } from "../../../conformance/mutants/mutant.ts";
import type { Outcome } from "./tool.ts";

/** The results of one tool's runs, by the id of the mutant. */
export interface Tally {
  readonly name: string;
  /** The reference for the time. */
  readonly ours: boolean;
  readonly outcomes: Map<string, Outcome>;
  /** How often it was red on the right service after the mutants that it had checked there. */
  doubtful: number;
}

interface Facts {
  /** The number of broken servers. */
  readonly all: number;
  readonly seed: number;
  readonly timeoutS: number;
}

/** A run that timed out is not green: its user notices. */
const isFound = (outcome: Outcome | undefined): boolean =>
  outcome?.verdict === "red" || outcome?.verdict === "timed out";

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((one, two) => one - two);
  const [low = Number.NaN, high = low] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return (low + high) / 2;
}

const secondsOf = ({ outcomes }: Tally) => median([...outcomes.values()].map(({ seconds }) => seconds));

const rows = (cells: readonly (readonly (string | number)[])[]) => cells.map((row) => `| ${row.join(" | ")} |`);

/** The result as Markdown: the tools, then the areas, then what only a peer has found. */
export function table(
  tallies: readonly Tally[],
  run: readonly Pick<Mutant, "id" | "breaks">[],
  { all, seed, timeoutS }: Facts,
): string {
  const yardstick = tallies.find(({ ours }) => ours);
  const peers = tallies.filter(({ ours }) => !ours);
  const count = (tally: Tally, among = run) => among.filter(({ id }) => isFound(tally.outcomes.get(id))).length;
  const share = (found: number) => `${((100 * found) / run.length).toFixed(1)} %`;
  const ratio = (tally: Tally) => (yardstick ? (secondsOf(tally) / secondsOf(yardstick)).toFixed(2) : "–");
  const together = run.filter(({ id }) => peers.some(({ outcomes }) => isFound(outcomes.get(id))));
  const onlyPeers = together.filter(({ id }) => yardstick && !isFound(yardstick.outcomes.get(id)));
  const areaOf = ({ breaks }: Pick<Mutant, "breaks">) => (breaks[0] ?? "").replace(/:.*/, "");
  const areas = [...new Set(run.map(areaOf))];
  const faults = tallies.flatMap(({ name, outcomes }) =>
    [...outcomes].flatMap(([id, { verdict, output }]) => {
      if (verdict === "fault") return [`- ${id}: a fault of ${name}`];
      return verdict === "threw" ? [`- ${id}: the mutant threw under ${name}: ${output.split("\n", 1)}`] : [];
    }),
  );
  const doubts = tallies.flatMap(({ name, doubtful }) =>
    doubtful > 0 ? ["", `${name} was red on the good service after ${doubtful} of the groups of ten: in doubt.`] : [],
  );
  return [
    `${run.length} of ${all} broken servers, seed ${seed}, ${timeoutS} s at most for a run.`,
    "",
    `| Tool | Found of ${run.length} | Share | Median time of a run, ours = 1 |`,
    "| --- | ---: | ---: | ---: |",
    ...rows(tallies.map((tally) => [tally.name, count(tally), share(count(tally)), ratio(tally)])),
    ...rows([["the peers together", together.length, share(together.length), ""]]),
    "",
    `| What is broken | Run | ${tallies.map(({ name }) => name).join(" | ")} |`,
    `| --- | ---: | ${tallies.map(() => "---:").join(" | ")} |`,
    ...rows(
      areas.map((area) => {
        const among = run.filter((mutant) => areaOf(mutant) === area);
        return [area, among.length, ...tallies.map((tally) => count(tally, among))];
      }),
    ),
    "",
    yardstick
      ? `Found by a peer and not by us: ${onlyPeers.map(({ id }) => id).join(", ") || "none"}.`
      : "Our own suite was not run, or did not pass the good service: nothing to compare with.",
    ...doubts,
    ...(faults.length > 0 ? ["", "Faults, which count as not found:", ...faults] : []),
  ].join("\n");
}
