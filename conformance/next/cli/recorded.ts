import { closeSync, createReadStream, openSync, readSync } from "node:fs";
import { createInterface } from "node:readline";
import { readHar } from "../recorded/har.ts";
import type { Entry } from "../recorded/json-lines.ts";
import { readJsonLines } from "../recorded/json-lines.ts";
import { replay } from "../recorded/replay.ts";
import type { Counts, ReplayOptions } from "../recorded/replayed.ts";
import { counted, oneLine, shortened } from "../report/text.ts";
import type { Suite } from "../run/state.ts";

/** Characters of each side of a finding. */
const SHOWN = 300;

/** The entries of a file: a HAR by its name, or since it begins with its log. Throws if it cannot be read. */
function entriesOf(file: string): AsyncIterable<Entry> {
  const descriptor = openSync(file, "r");
  const start = Buffer.alloc(200);
  const isHar =
    /\.har$/i.test(file) || /^\ufeff?\s*\{\s*"log"/.test(start.toString("utf8", 0, readSync(descriptor, start)));
  closeSync(descriptor);
  const stream = createReadStream(file);
  return isHar
    ? readHar(stream)
    : readJsonLines(createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }));
}

function countsText({ compared, byLawsOnly, undecided, left, withoutBody }: Counts): string {
  const sum = (counts: ReadonlyMap<string, number>) => [...counts.values()].reduce((all, one) => all + one, 0);
  const reasons = (counts: ReadonlyMap<string, number>) =>
    counts.size === 0 ? "" : ` (${[...counts].map(([reason, count]) => `${reason}: ${count}`).join(", ")})`;
  return [
    `${compared} compared`,
    `${byLawsOnly} by laws only`,
    `${sum(undecided)} undecided${reasons(undecided)}`,
    `${sum(left)} left out${reasons(left)}`,
    ...(withoutBody > 0 ? [`${withoutBody} without a body`] : []),
  ].join("; ");
}

/** Compares recorded traffic, and writes what is found. Resolves with the exit code; rejects if the file is broken. */
export async function judgeRecorded(
  suite: Suite,
  file: string,
  options: ReplayOptions,
  stdout: { write(text: string): unknown },
): Promise<number> {
  const { verdict, exitCode, counts, results, outcomes } = await replay(suite, options, entriesOf(file));
  stdout.write(`${verdict}: ${countsText(counts)}\n`);
  for (const { requirement, outcome, findings } of outcomes) {
    if (outcome !== "failed") continue;
    stdout.write(`\nFAIL ${requirement.id}: ${oneLine(requirement.sentence)} (${counted(findings, "finding")})\n`);
    for (const { aspect, expected, actual, entry } of results.findings.filter(
      (one) => one.requirement === requirement.id,
    )) {
      const [wanted, got] = [expected, actual].map((text) => shortened(oneLine(text), SHOWN));
      stdout.write(`  entry ${entry}, ${oneLine(aspect)}: expected ${wanted}; got ${got}\n`);
    }
  }
  return exitCode;
}
