// `npm run test:operation -- user.get`: the generator, the tests of the handler, and the suite's checks and mutants of one
// operation on a service of its own. Says of each failure which of spec, service, check and mutant is at fault.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { checks } from "../conformance/checks/index.ts";
import { special } from "../conformance/client/credentials.ts";
import { every } from "../conformance/client/operation.ts";
import { parseTarget } from "../conformance/client/wire/target.ts";
import { run } from "../conformance/engine/run.ts";
import { survivors } from "../conformance/mutants/good-run.ts";
import { mutants } from "../conformance/mutants/index.ts";
import { onService, seededService } from "../conformance/mutants/laboratory.ts";
import { readMatrix } from "../conformance/mutants/matrix.ts";
import type { Mutant } from "../conformance/mutants/mutant.ts";
import { plan, replay } from "../conformance/mutants/replay.ts";
import { senders } from "../conformance/mutants/trial.ts";
import type { CheckResult } from "../conformance/report/report.ts";
import type { RunningService } from "../conformance/test/service.test-kit.ts";
import { operations } from "../generated/operations.ts";
import { requirements } from "../generated/requirements.ts";
import { generate, main } from "./generate.ts";

const root = resolve(import.meta.dirname, "..");

/** Whose fault a result is, in words; null for nobody's. `tested`: the handler has tests, which pass. */
export function blame(id: string, tested: boolean, result: CheckResult): string | null {
  const { check, requirement, outcome, reason, failure } = result;
  if (outcome === "incomplete")
    return reason?.includes("itself failed") ? `check: ${reason}` : `open: ${check}: ${reason}`;
  if (outcome !== "failed") return null;
  const found = `${check}\n  ${requirement.sentence}\n  expected ${failure?.expected}; got ${failure?.actual}`;
  if (failure?.exchanges.some(({ answer }) => answer?.status === 500)) return `service, which answers 500: ${found}`;
  const own = requirement.id.startsWith(`${id}/`) && !/\/(credentials|placements|public)$/.test(requirement.id);
  if (!own) return `service (the check follows from the spec, as for every operation): ${found}`;
  return `${tested ? "check (or a handler whose tests say too little)" : "check or service (no test of the handler)"}: ${found}`;
}

/** The suite's checks of an operation, those that the spec gives it too. */
async function judge(id: string, { credentials, url }: RunningService): Promise<readonly CheckResult[]> {
  const [effects, only] = [["read", "write", "hostile"] as const, [`${id}/*`, `*#*${id}*`]];
  const selection = {
    origin: "all",
    level: "MAY",
    only,
    skip: [],
    effects,
    slow: false,
    credentials: special,
  } as const;
  const limits = { seed: 1, concurrency: 8, timeoutMs: 12_000, deadlineMs: 60_000, preflight: false, exclusions: [] };
  const asked = { target: parseTarget(url), credentials, checks, selection: { ...selection, pair: false } };
  return (await run({ ...asked, ...limits })).results.filter(({ outcome }) => outcome !== "not selected");
}

/**
 * Its mutants: by what they were seen to be caught by; those that nothing is recorded of by the checks of the operation, and
 * then by those of all operations that take no time.
 */
async function catchMutants(id: string, service: RunningService): Promise<string[]> {
  const [own, matrix, bench] = [mutants.filter((one) => one.id.startsWith(`${id} `)), readMatrix(), onService(service)];
  const lost = await replay(plan(matrix, own, senders), bench);
  const fresh = own.filter((one) => !(one.id in matrix));
  const ofIt = senders.filter((check) => check.id.includes(id) && !check.slow);
  const ofAll = senders.filter(
    (check) => check.effect === "read" && !check.slow && !every.some((one) => check.id.includes(one.id)),
  );
  let left: readonly Mutant[] = fresh;
  for (const some of [ofIt, ofAll]) if (left.length > 0) left = await survivors(left, some, bench);
  return [...lost.map((line) => `check: ${line}`), ...left.map((one) => `check or mutant: nothing catches: ${one.id}`)];
}

/** Returns the exit code: 0 when everything holds, 2 for an operation that there is not. */
export async function testOperation(id: string, print: (line: string) => void): Promise<number> {
  const faults: string[] = [];
  if (!Object.keys(operations).includes(id)) {
    print(`no such operation; there are ${Object.keys(operations).join(", ")}`);
    return 2;
  }
  for (const [file, text] of await generate(main.entry))
    if (readFileSync(join(main.folder, file), "utf8") !== text) faults.push(`spec: npm run generate changes ${file}`);
  const file = `src/operations/${id.replaceAll(".", "-")}.test.ts`;
  const tested = existsSync(join(root, file));
  const vitest = () =>
    spawnSync(join(root, "node_modules/.bin/vitest"), ["run", file], { cwd: root, stdio: "inherit" });
  if (tested && vitest().status !== 0) faults.push(`service: ${file} fails`);
  for (const { id: requirement, sentence } of requirements.filter(({ operation }) => operation === id))
    if (!checks.some((check) => check.requirement === requirement))
      faults.push(`nobody checks ${requirement}: ${sentence}`);
  const service = await seededService();
  try {
    const results = await judge(id, service);
    faults.push(...results.flatMap((result) => blame(id, tested, result) ?? []));
    // A check that is wrong about the right service tells nothing of broken ones.
    if (results.every(({ outcome }) => outcome === "passed")) faults.push(...(await catchMutants(id, service)));
    for (const fault of faults) print(`at fault: ${fault}`);
    print(`${id}: ${results.length} checks, ${faults.length === 0 ? "everything holds" : `${faults.length} faults`}`);
    return faults.length === 0 ? 0 : 1;
  } finally {
    await service.stop();
  }
}

/* v8 ignore next 3 -- @preserve: the shell's way in; tests call the above. */
if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  process.exitCode = await testOperation(process.argv[2] ?? "", console.error);
}
