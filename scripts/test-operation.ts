// `npm run test:operation -- user.get`: the generator, the tests of the handler, and the suite's checks and mutants of one
// operation on a separate service. Reports for each failure whether spec, service, check or mutant is at fault.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { counted } from "../conformance/client/counted.ts";
import { every } from "../conformance/client/operation.ts";
import { requirementOf } from "../conformance/engine/select.ts";
import { lists } from "../conformance/lists/index.ts";
import { seededService } from "../conformance/mutants/laboratory.ts";
import { mutantsOf } from "../conformance/mutants/of-operation.ts";
import { recordable } from "../conformance/mutants/recording.ts";
import type { CheckResult } from "../conformance/report/report.ts";
import { checks } from "../conformance/suite.ts";
import { judgeAt } from "../conformance/test/service.test-kit.ts";
import data from "../generated/contract.json" with { type: "json" };
import { contract } from "../generated/contract.ts";
import { generate } from "../spec/protocol/emitter/emit.ts";

const root = resolve(import.meta.dirname, "..");

/** The part at fault for a result, as text; null if there is none. `tested`: the handler has tests, which pass. */
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

/** Requests to every operation: checks of lists name a requirement, and an operation only if it belongs to one. */
const listed = new Set<string>(lists.flatMap((check) => (requirementOf(check).operation === null ? [check.id] : [])));

/** The checks that name an operation, those that the spec generates for it, and the lists that include it. */
const checksOf = (id: string) =>
  checks.filter(
    ({ id: check }) => check.startsWith(`${id}/`) || check.split("#")[1]?.includes(id) || listed.has(check),
  );

/** The checks for its mutants: of this operation, or of all. */
const recordableOf = (id: string) =>
  recordable.filter((check) => check.id.includes(id) || !every.some((one) => check.id.includes(one.id)));

/** Returns the exit code: 0 if everything holds, 2 for an unknown operation. */
export async function testOperation(id: string, print: (line: string) => void): Promise<number> {
  const faults: string[] = [];
  const known = Object.keys(contract.operations);
  if (!known.includes(id)) {
    print(`no such operation; there are ${known.join(", ")}`);
    return 2;
  }
  for (const [file, text] of await generate(join(root, "spec/main.tsp")))
    if (readFileSync(join(root, "generated", file), "utf8") !== text)
      faults.push(`spec: npm run generate changes ${file}`);
  const file = `src/operations/${id.replaceAll(".", "-")}.test.ts`;
  const tested = existsSync(join(root, file));
  const vitest = () => spawnSync("npx", ["vitest", "run", file], { cwd: root, stdio: "inherit" });
  if (tested && vitest().status !== 0) faults.push(`service: ${file} fails`);
  for (const { id: requirement, operation, sentence } of data.requirements)
    if (operation === id && !checks.some((check) => check.requirement === requirement))
      faults.push(`no check covers ${requirement}: ${sentence}`);
  const service = await seededService();
  try {
    const all = (await judgeAt(service.url, service.credentials, checksOf(id))).results;
    const results = all.filter(({ outcome }) => outcome !== "not selected");
    faults.push(...results.flatMap((result) => blame(id, tested, result) ?? []));
    // A check that fails on the right service proves nothing about broken ones.
    if (results.every(({ outcome }) => outcome === "passed"))
      for (const one of (await mutantsOf([id], recordableOf(id), service)).left)
        faults.push(`check or mutant: nothing catches: ${one}`);
    for (const fault of faults) print(`at fault: ${fault}`);
    const verdict = faults.length === 0 ? "everything holds" : counted(faults.length, "fault");
    print(`${id}: ${results.length} checks, ${verdict}`);
    return faults.length === 0 ? 0 : 1;
  } finally {
    await service.stop();
  }
}

if (import.meta.filename === process.argv[1])
  process.exitCode = await testOperation(process.argv[2] ?? "", console.error);
