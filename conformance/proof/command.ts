// `npm run mutants -- points | perturbations | accepted | alone | effects`: broken servers, which
// the suite must find.
import { parseArgs } from "node:util";
import { readCredentials } from "../cli/credentials.ts";
import { packaged } from "../packaged.ts";
import { foundAlone } from "./alone.ts";
import { accepting } from "./broken/accepted.ts";
import { judgedEffects } from "./effects/effects.ts";
import {
  ALLOWED,
  EQUIVALENT,
  needless,
  OPEN,
  type Reason,
  UNSEEN,
  withoutReason,
} from "./equivalent.ts";
import { triedPoints } from "./points.ts";
import { startProxy } from "./proxy/server.ts";
import { isFound, responseMutant, responseMutantsOf } from "./responses/mutants.ts";
import { record } from "./responses/recording.ts";
import { runAt, seededService } from "./service.ts";

const USAGE = `usage: npm run -s mutants -- points | perturbations | accepted [--seed N] |
  alone --target URL --credentials FILE | effects [--quick] [--seeds N] [PATTERN]
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: "string", default: "1" },
    quick: { type: "boolean", default: false },
    seeds: { type: "string", default: "3" },
    target: { type: "string", default: "" },
    credentials: { type: "string", default: "" },
  },
});

const print = (text: string) => void process.stdout.write(text);
const lines = (list: readonly string[]) => list.map((line) => `  ${line}\n`).join("");

/** Prints survivors without a reason, and reasons that nothing needs. False if there are any. */
function reported(
  what: string,
  tried: number,
  survivors: readonly string[],
  reasons: readonly Reason[],
): boolean {
  const [open, stale] = [withoutReason(survivors, reasons), needless(survivors, reasons)];
  const excused = survivors.length - open.length;
  print(`${tried} ${what}, ${tried - survivors.length} caught, ${excused} left for a reason\n`);
  if (open.length > 0) print(`No request shows (${open.length}):\n${lines(open)}`);
  if (stale.length > 0) print(`Nothing needs the reason (${stale.length}):\n${lines(stale)}`);
  return open.length + stale.length === 0;
}

const COMMANDS: Readonly<Record<string, () => Promise<boolean>>> = {
  /** Decides every point of the oracle wrongly, for every scope. */
  async points() {
    const { tried, left } = triedPoints();
    return reported("points decided wrongly", tried, left, [...EQUIVALENT, ...OPEN]);
  },

  /** Changes every kind of right response of a run by every operator. */
  async perturbations() {
    const service = await seededService();
    try {
      // Each row alone, by HEAD and with credentials in the query: pairs have no other kinds of
      // responses.
      const recording = await record(service, { randomCaseCount: Number.POSITIVE_INFINITY });
      const all = responseMutantsOf(recording);
      const left = all.filter((one) => !isFound(recording, one)).map(({ id }) => id);
      const reasons = [...ALLOWED, ...UNSEEN];
      // Golden exchanges and scripts see more than one response.
      const detectedIds = new Set<string>();
      for (const id of withoutReason(left, reasons)) {
        const proxy = await startProxy(responseMutant(id), service);
        const options = { randomCaseCount: 0, maxFailures: 1 };
        const { results } = await runAt(proxy.url, service.credentials, options);
        await proxy.close();
        if (results.findings.length > 0) detectedIds.add(id);
      }
      const survivors = left.filter((id) => !detectedIds.has(id));
      return reported("right responses changed", all.length, survivors, reasons);
    } finally {
      await service.stop();
    }
  },

  /** Default runs against deployments that reject, alter or confuse something right. */
  async accepted() {
    const service = await seededService();
    const seed = Number(values.seed);
    let [foundCount, namedCount] = [0, 0];
    for (const mutant of accepting) {
      const proxy = await startProxy(mutant, service);
      const options = { seed, maxFailures: 1 };
      const { results } = await runAt(proxy.url, service.credentials, options);
      await proxy.close();
      const [first] = results.findings;
      if (first) foundCount += 1;
      if (first && mutant.of.test(first.requirement)) namedCount += 1;
      print(`${mutant.id}: ${first ? `${first.requirement} ${first.aspect}` : "not found"}\n`);
    }
    await service.stop();
    print(`${accepting.length} that must accept more, ${foundCount} found with the seed ${seed}, `);
    print(`${namedCount} by their own rule first\n`);
    return foundCount === accepting.length;
  },

  /** Sends each case of the covering set alone to a right deployment. */
  async alone() {
    const { target, credentials: file } = values;
    const credentials = readCredentials(file, process.env, packaged.oracle.contract);
    if (!credentials) throw new Error(`${file} has no key that may call everything`);
    const findings = await foundAlone(target, credentials);
    const count = packaged.coveringCases?.length;
    print(`${count} cases, each sent alone: ${findings.length} findings\n${lines(findings)}`);
    return findings.length === 0;
  },

  /** Servers of small contracts that state what their operations do; those of a pattern. */
  effects() {
    const pattern = new RegExp(positionals[1] ?? "");
    const seeds = Number(values.seeds);
    return judgedEffects({ isQuick: values.quick, seeds, pattern, print });
  },
};

const command = COMMANDS[positionals[0] ?? ""];
if (command) process.exitCode = (await command()) ? 0 : 1;
else {
  process.stderr.write(USAGE);
  process.exitCode = 2;
}
