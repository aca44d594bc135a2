/// <reference types="node" preserve="true" />
import { randomInt } from "node:crypto";
import { commandLine, program } from "./cli/command-line.ts";
import type { Extension } from "./extension.ts";
import { noGateway } from "./http/gateway.ts";
import { parseTarget } from "./http/target.ts";
import type { Contract, Requirement } from "./oracle/contract.ts";
import { packaged as packagedSuite } from "./packaged.ts";
import type { ReportData, ReportedFinding, ReportedRequirement } from "./report/json.ts";
import { isAbout } from "./report/lines.ts";
import { createReport } from "./report/report.ts";
import type { Covering } from "./requests/generate.ts";
import { DEFAULTS } from "./run/options.ts";
import { SAME } from "./run/pair.ts";
import { run } from "./run/run.ts";
import type { Suite as RunSuite, ScriptDescription } from "./run/state.ts";
import { type Credentials, NO_CREDENTIALS } from "./secrets/credentials.ts";
import { createSuite as createRunSuite } from "./suite.ts";

export { readContract } from "./complete-contract.ts";
/**
 * The suite as a library: a suite of any contract and its extensions, and a test for each
 * requirement, in any test runner.
 */
export * from "./extension.ts";

/** A contract and its extensions, put together. */
export interface Suite {
  readonly oracle: { readonly contract: Contract };
  readonly laws: readonly { readonly id: string }[];
  /** The ids of the cases of a default run; null: all. */
  readonly coveringCases: readonly string[] | null;
  readonly scripts: readonly ScriptDescription[];
}

/**
 * `covering`: the content of `covering.json`, of this contract and these extensions. Throws an
 * `Error` for what is no extension, or names a step or a code that the contract does not have.
 */
export const createSuite: (
  contract: Contract,
  extensions?: readonly Extension[],
  covering?: Covering,
) => Suite = createRunSuite;

/** The suite of this service. */
export const packaged: Suite = packagedSuite;

/**
 * A requirement of the contract, and how it is checked: by all responses that it is about, by
 * cases, or by two deployments.
 */
export interface Check extends Requirement {
  readonly kind: "law" | "cases" | "pair";
}

/** The requirements of a suite, in the order of its contract. */
export const checksOf = ({ oracle, laws }: Suite): readonly Check[] =>
  oracle.contract.requirements.map((requirement) => {
    const isLaw = laws.some(({ id }) => id === requirement.id);
    const kind = requirement.id === SAME ? "pair" : isLaw ? "law" : "cases";
    return { ...requirement, kind };
  });

/** The requirements of this service. */
export const checks: readonly Check[] = checksOf(packaged);

/** One deployment, and the permissions of the run. */
export interface Opening {
  /** Its base URL, without `/api/`. */
  readonly url: string;
  /**
   * `full` is a key and its platform; what it lacks a scope for is checked for its rejections, as
   * everything that needs a key is without any. `special` are other keys, by their kind, as in
   * `credentials.json`. `unissued` are the kinds that the service cannot issue.
   */
  readonly credentials?: Pick<Credentials, "full" | "unissued"> & Partial<Credentials>;
  /** Default: the suite of this service. */
  readonly suite?: Suite;
  /** A remote deployment is only read, unless these allow more. */
  readonly allowWrite?: boolean;
  readonly allowHostile?: boolean;
  /** Includes what waits for a time-out. */
  readonly slow?: boolean;
  /** Sends every case. */
  readonly exhaustive?: boolean;
  readonly seed?: number;
  /** Per request, in milliseconds. */
  readonly timeoutMs?: number;
}

/** The result of a requirement: `reason` is why it was not selected. */
export type Judged = Pick<ReportedRequirement, "outcome" | "reason">;

/**
 * A requirement is not kept, or could not be checked. `result` and `finding` are the entries of the
 * JSON report.
 */
export class NotKept extends Error {
  override readonly name = "NotKept";
  constructor(
    readonly result: ReportedRequirement,
    readonly finding: ReportedFinding | null,
  ) {
    const actual = finding
      ? `expected ${finding.expected}\ngot ${finding.actual}\nagain ${finding.again}`
      : `${result.reason}`;
    super(`${result.sentence}\n${actual}`);
  }
}

async function reported(opening: Opening): Promise<ReportData> {
  const { url, credentials, slow = false, exhaustive = false } = opening;
  const suite = (opening.suite ?? packaged) as RunSuite; // As `createSuite` has made it.
  const target = parseTarget(url);
  const { allowWrite = target.loopback, allowHostile = target.loopback } = opening;
  const { seed = randomInt(2 ** 32 - 1), timeoutMs = DEFAULTS.timeoutMs } = opening;
  const remarks: string[] = [];
  const options = {
    target,
    credentials: credentials ? { special: {}, ...credentials } : NO_CREDENTIALS,
    gateway: noGateway,
    seed,
    timeoutMs,
    allowWrite,
    allowHostile,
    isSlow: slow,
    isExhaustive: exhaustive,
    tell: (line: string) => remarks.push(line),
  };
  const startedAt = new Date();
  const ran = await run(suite, options);
  const command = (words: readonly string[]) => commandLine(["--url", url, ...words]);
  return createReport(ran, {
    suite,
    options,
    program,
    contractFile: "contract.json",
    startedAt,
    remarks,
    removal: null,
    durationMs: Date.now() - startedAt.getTime(),
    command: command([]),
    alone: command,
  });
}

/**
 * Opens a deployment: one run starts with the first requirement. The promise of a requirement
 * resolves if it is kept or was not selected, and rejects with `NotKept` otherwise.
 */
export function judge(opening: Opening): (check: Pick<Requirement, "id">) => Promise<Judged> {
  let report: Promise<ReportData> | undefined;
  return async ({ id }) => {
    report ??= reported(opening);
    const { requirements, findings, faults, verdict } = await report;
    const result = requirements.find((one) => one.id === id);
    if (!result) throw new Error(`the contract has no requirement ${id}`);
    // Nothing was checked: no requirement is to blame.
    if (verdict === "unreachable" || verdict === "preflight failed")
      throw new Error(`${verdict}: ${faults.join("; ")}`);
    const { outcome, reason } = result;
    if (outcome === "failed" || outcome === "incomplete")
      throw new NotKept(result, findings.find((finding) => isAbout(finding, id)) ?? null);
    return { outcome, reason };
  };
}
