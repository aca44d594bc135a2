import { coveringOf } from "../../requests/cover.ts";
import type { RunOptions } from "../../run/options.ts";
import { runAt } from "../service.ts";
import { type Broken, brokenRules } from "./broken.ts";
import { contracts } from "./contracts.ts";
import { otherwise } from "./otherwise.ts";
import { serve } from "./serve.ts";
import { rightRules } from "./server.ts";

/** How right servers are run. */
const MODES: Readonly<Record<string, Partial<RunOptions>>> = {
  default: {},
  exhaustive: { isExhaustive: true },
  explored: { explore: 5000 },
};

/** One call of each operation, and these scripts, until enough is found. */
const QUICK: Partial<RunOptions> = { randomCaseCount: 0, maxFailures: 6 };
const QUICK_SCRIPTS = /^scenario (?:history|rounds)/;

interface Wanted {
  readonly isQuick: boolean;
  /** How many seeds, from 1. */
  readonly seeds: number;
  /** Of the names of servers: `register right otherwise`, `queue deletes nothing`. */
  readonly pattern: RegExp;
  print(text: string): void;
}

/**
 * Runs the suite against the servers of three contracts: without a finding against right ones, with
 * one for the right requirement against broken ones. False if it is not so.
 */
export async function judgedEffects({ isQuick, seeds, pattern, print }: Wanted): Promise<boolean> {
  let [wrongCount, brokenCount, foundCount] = [0, 0, 0];
  for (const { shape, broken } of contracts) {
    const named = (name: string) => pattern.test(`${shape.name} ${name}`);
    const right = rightRules(shape);
    const rights = { right, "right otherwise": otherwise(right, shape) };
    const wantedRights = Object.entries(rights).filter(([name]) => named(name));
    const wantedBroken = broken.filter(({ name }) => named(name));
    if (wantedRights.length + wantedBroken.length === 0) continue;
    const served = await serve(shape);
    const ids = Object.keys(served.suite.oracle.contract.operations);
    const coveringCases = isQuick ? ids.map((id) => `${id} plain`) : coveringOf(served.suite).cases;
    const scripts = served.suite.scripts.filter(({ id }) => !isQuick || QUICK_SCRIPTS.test(id));
    const suite = { ...served.suite, coveringCases, scripts };
    print(`${shape.name}: ${coveringCases.length} covering cases\n`);
    const run = (options: Partial<RunOptions>) =>
      runAt(served.url, served.credentials, { ...(isQuick && QUICK), ...options }, suite);
    const modes = Object.entries(MODES).slice(0, isQuick ? 1 : undefined);
    for (const [name, rules] of wantedRights)
      for (const [mode, options] of modes) {
        served.begin(rules);
        const { verdict, results } = await run(options);
        print(`${shape.name} ${name}, ${mode}: ${verdict}\n`);
        wrongCount += results.findings.length;
        for (const { requirement, aspect, expected, actual, ...rest } of results.findings) {
          const from = rest.script ?? JSON.stringify(rest.case);
          print(`  ${requirement} ${aspect} of ${from}: ${expected}, got ${actual}\n`);
        }
      }
    for (const one of wantedBroken) {
      const findings: string[][] = [];
      for (let seed = 1; seed <= seeds; seed += 1) {
        served.begin(brokenRules(right, shape, one));
        const { results } = await run({ seed });
        findings.push(
          results.findings.flatMap(({ requirement, concerns = [] }) => [requirement, ...concerns]),
        );
      }
      const isFound = findings.every((ids) => ids.some((id) => isOf(one, id)));
      brokenCount += 1;
      if (isFound) foundCount += 1;
      const by = findings.map((ids) => ids.find((id) => isOf(one, id)) ?? `not (${ids})`);
      print(`${isFound ? "found" : "NOT FOUND"}: ${shape.name} ${one.name}: ${by.join(", ")}\n`);
    }
    await served.close();
  }
  print(`right servers: ${wrongCount} findings\n`);
  print(`${brokenCount} broken servers, ${foundCount} found with each of ${seeds} seeds\n`);
  return wrongCount === 0 && foundCount === brokenCount;
}

/** Whether a finding is of a requirement that a broken server breaks. */
const isOf = ({ of }: Broken, id: string) =>
  of.some((one) => id === one || id.startsWith(`${one}-`));
