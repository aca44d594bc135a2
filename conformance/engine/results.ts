import { contract } from "../../generated/operations.ts";
import type { Check } from "../checks/check.ts";
import { secretsOf } from "../client/credentials.ts";
import type { Expectation } from "../client/expectation.ts";
import { operationOf } from "../client/operation.ts";
import { createRedactor } from "../client/redact/redact.ts";
import { type CheckResult, coverage, type Failure, type Outcome, type Report, suite } from "../report/report.ts";
import { Baseline } from "./baseline.ts";
import { exceptionProblems } from "./exceptions.ts";
import { type Judgement, unsaid } from "./judge.ts";
import type { Preflight } from "./preflight.ts";
import { replayOf } from "./replay-script.ts";
import type { RunOptions } from "./run-options.ts";
import { requirementOf } from "./select.ts";
import { type Ending, verdictOf } from "./verdict.ts";

interface RunFacts {
  readonly preflight: Preflight;
  readonly requests: number;
  readonly created: readonly string[];
}

/** Collects what became of the checks, as the report says it: keys are redacted here, before any sink sees a byte. */
export class Results {
  private readonly results: CheckResult[] = [];
  private readonly open: Judgement[] = [];
  private readonly faults: string[] = [];
  private readonly excepted = new Set<string>();
  private readonly baseline: Baseline;
  private readonly secrets;
  private readonly redact;

  constructor(
    private readonly options: RunOptions,
    private readonly startedAt: Date,
    private readonly runId: string,
  ) {
    this.baseline = new Baseline(options.knownFailures ?? [], startedAt);
    this.secrets = [options, options.other].flatMap((one) => (one ? secretsOf(one.credentials) : []));
    this.redact = createRedactor(this.secrets, { parts: true });
  }

  /** A check that ran, or should have; `accepted` is why its failure is known although the baseline does not name it. */
  add(judgement: Judgement, accepted: string | null = null): CheckResult {
    const { check, expectation, fault, durationMs } = judgement;
    for (const pointer of judgement.excepted) this.excepted.add(pointer);
    if (fault !== null) this.faults.push(this.redact.text(fault));
    const known = judgement.outcome === "failed" ? (this.baseline.accepts(check) ?? accepted) : null;
    const outcome: Outcome = known === null ? judgement.outcome : "known";
    const reason = known ?? judgement.reason;
    const found = judgement.outcome === "failed" ? expectation : null;
    const failure = found && this.failure(judgement, found);
    const proof = judgement.outcome === "passed" ? judgement.decisive : null;
    const evidence = proof && this.redact.exchange(proof);
    return this.push(check, { outcome, reason: reason && this.redact.text(reason), failure, evidence, durationMs });
  }

  /** The same, where another check may say what it has found: known at the end. */
  keepOpen(judgement: Judgement): void {
    if (judgement.isSaidBy) this.open.push(judgement);
    else this.add(judgement);
  }

  private close(): void {
    const failed = this.results.filter(({ failure }) => failure !== null);
    for (const judgement of this.open.splice(0)) {
      const saying = failed.filter((one) => judgement.isSaidBy?.(one));
      // What is known of the one is known of the other.
      const isKnown = this.baseline.accepts(judgement.check) || saying.every(({ outcome }) => outcome === "known");
      if (isKnown) this.add(unsaid(judgement), saying[0]?.reason);
      else this.add(judgement);
    }
  }

  /** A check that does not run. */
  leave(check: Check, reason: string): void {
    this.push(check, { outcome: "not selected", reason, failure: null, evidence: null, durationMs: 0 });
  }

  /** What an earlier run has judged. */
  keep(result: CheckResult): void {
    this.results.push(result);
  }

  report(facts: RunFacts): Report {
    this.close();
    const { options, results, startedAt } = this;
    const { target, checks, exclusions, seed, command = "" } = options;
    const passed = new Set(results.flatMap(({ check, outcome }) => (outcome === "passed" ? [check] : [])));
    const baseline = [
      ...this.baseline.problems(checks, results),
      ...exceptionProblems(options.exceptions ?? [], checks, passed, this.excepted),
    ];
    const ending: Ending = { results, faults: this.faults, baseline, preflight: facts.preflight.verdict, checks };
    const { version, fault, remarks } = facts.preflight;
    return {
      suite,
      contract: { version: contract.version, hash: contract.hash },
      target: {
        url: this.redact.text(target.url),
        version: version && this.redact.text(version),
      },
      run: {
        id: this.runId,
        seed,
        startedAt: startedAt.toISOString(),
        durationMs: Date.now() - startedAt.getTime(),
        requests: facts.requests,
        command: this.redact.text(command),
      },
      ...verdictOf(ending, options),
      ...count(results),
      results: [...results].sort((one, two) => (one.check < two.check ? -1 : 1)),
      excluded: exclusions,
      clauses: coverage(results),
      baseline,
      created: facts.created,
      remarks: remarks.map((remark) => this.redact.text(remark)),
      faults: fault === null ? this.faults : [...this.faults, this.redact.text(fault)],
    };
  }

  private push(
    check: Check,
    rest: Pick<CheckResult, "outcome" | "reason" | "failure" | "evidence" | "durationMs">,
  ): CheckResult {
    const { id, level, origin, clause, sentence } = requirementOf(check);
    const result: CheckResult = {
      check: check.id,
      requirement: { id, level, origin, clause, sentence },
      effect: check.effect,
      ...rest,
    };
    this.results.push(result);
    if (rest.outcome !== "not selected") this.options.onResult?.(result);
    return result;
  }

  private failure(judgement: Judgement, { aspect, expected, actual }: Expectation): Failure {
    const exchanges = judgement.exchanges.map((exchange) => this.redact.exchange(exchange));
    const { decisive } = judgement;
    const guilty = decisive ? judgement.exchanges.indexOf(decisive) : -1;
    const names = this.secrets.map(({ name }) => name);
    const { rerun = () => "" } = this.options;
    return {
      aspect: this.redact.text(aspect),
      operation: decisive && (operationOf(decisive)?.id ?? null),
      expected: this.redact.text(expected),
      actual: this.redact.text(actual),
      exchanges,
      guilty,
      ...replayOf(exchanges.slice(0, guilty + 1), this.runId, names),
      rerun: this.redact.text(rerun([judgement.check.id, ...judgement.with])),
    };
  }
}

function count(results: readonly CheckResult[]): Pick<Report, "counts" | "levels"> {
  const counts = { passed: 0, failed: 0, known: 0, incomplete: 0, "not selected": 0 };
  const levels = { MUST: { passed: 0, failed: 0 }, SHOULD: { passed: 0, failed: 0 }, MAY: { passed: 0, failed: 0 } };
  for (const { outcome, requirement } of results) {
    counts[outcome] += 1;
    if (outcome === "passed" || outcome === "failed") levels[requirement.level][outcome] += 1;
  }
  return { counts, levels };
}
