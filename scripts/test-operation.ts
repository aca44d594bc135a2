// `npm run test:operation -- user.get`: the generator, the tests of the handler, and what the suite
// has for one operation (its requirements, scenarios and mutants) on a separate service. Prints for
// each fault whether spec, service or suite is at fault.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Finding } from "../conformance/exchange.ts";
import { atpoint } from "../conformance/extensions/atpoint/index.ts";
import { goldensOf } from "../conformance/golden/scripts.ts";
import { compare } from "../conformance/laws/compare.ts";
import { packaged } from "../conformance/packaged.ts";
import { runOf } from "../conformance/proof/operation-proof.ts";
import { seededService } from "../conformance/proof/service.ts";
import type { Outcome } from "../conformance/run/results.ts";
import { generate } from "../spec/protocol/emitter/emit.ts";
import { plural } from "./operation-stub.ts";

const root = resolve(import.meta.dirname, "..");
const { contract } = packaged.oracle;
const EXTENSION = "conformance/extensions/atpoint";
const goldenFile = (id: string) => `${EXTENSION}/golden/${plural(id.split(".", 1)[0] ?? id)}.ts`;
const RULES = `${EXTENSION}/rules.ts`;

/** Requirements of any operation, which follow from the spec. */
const GENERATED = /\/(?:credentials|placements|public|json)$/;

/**
 * The part that is at fault for a finding, as text. `tested`: the handler has tests, which pass.
 */
export function blame(id: string, tested: boolean, finding: Finding): string {
  const { requirement, source, expected, actual, exchanges, at, case: of, script } = finding;
  const { sentence = "" } = contract.requirements.find((one) => one.id === requirement) ?? {};
  const summary =
    `${requirement} (${of?.id ?? script ?? source})\n  ${sentence}\n  expected ${expected}; ` +
    `got ${actual}`;
  const exchange = exchanges[at];
  if (exchange?.response?.status === 500) return `service, which answers 500: ${summary}`;
  if (source === "golden") {
    const isAlike = exchange !== undefined && compare(exchange, contract) === null;
    return `${isAlike ? "spec, or the golden exchange" : "service"}: ${summary}`;
  }
  if (!requirement.startsWith(`${id}/`) || GENERATED.test(requirement))
    return `service (the requirement follows from the spec, as for every operation): ${summary}`;
  const suite = `suite (${RULES}: a rule that the spec cannot say)`;
  return tested
    ? `${suite}, or a handler whose tests say too little: ${summary}`
    : `service or ${suite}: ${summary}`;
}

/** What the suite lacks for a requirement; null if nothing. */
function lacking(id: string, { requirement, outcome, reason }: Outcome): string | null {
  const { id: of, operation, sentence } = requirement;
  if (operation !== id || outcome === "passed" || outcome === "failed") return null;
  if (outcome === "not selected" && !/^no case/.test(reason ?? "")) return null;
  const write = `write an exchange in ${goldenFile(id)}, or a rule in ${RULES}`;
  return `suite: ${of} is not checked (${reason}): ${write}\n  ${sentence}`;
}

/** Whether an exchange that is written by hand shows a success of an operation. */
const hasGolden = (id: string): boolean =>
  goldensOf(contract, atpoint.golden ?? []).some(({ exchanges }) =>
    exchanges.some(([, { operation, code }]) => operation === id && code === null),
  );

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
  if (!hasGolden(id))
    faults.push(`suite: no golden exchange has a success of ${id}: write one in ${goldenFile(id)}`);
  const service = await seededService();
  try {
    const { report, tried, left } = await runOf([id], service);
    const { outcomes, results, fault } = report;
    if (fault !== null) faults.push(`service: ${fault}`);
    faults.push(
      ...results.faults.map((one) => `suite, which itself failed: ${one}`),
      ...results.findings.map((one) => blame(id, tested, one)),
      ...outcomes.flatMap((one) => lacking(id, one) ?? []),
      ...left.map(
        (mutant) =>
          `suite: nothing finds ${mutant}: write an exchange in ${goldenFile(id)}, or a rule ` +
          `in ${RULES}`,
      ),
    );
    for (const fault of faults) print(`at fault: ${fault}`);
    const ownOutcomes = outcomes.filter(
      ({ requirement, outcome }) => requirement.operation === id && outcome !== "not selected",
    );
    const verdict =
      faults.length === 0
        ? "everything holds"
        : `${faults.length} fault${faults.length === 1 ? "" : "s"}`;
    print(`${id}: ${ownOutcomes.length} requirements, ${tried} mutants, ${verdict}`);
    return faults.length === 0 ? 0 : 1;
  } finally {
    await service.stop();
  }
}

if (import.meta.filename === process.argv[1])
  process.exitCode = await testOperation(process.argv[2] ?? "", console.error);
