import type { Check } from "../checks/check.ts";
import { secretsOf } from "../client/credentials.ts";
import type { Expectation } from "../client/expectation.ts";
import { noGateway, secretsOfGateway } from "../client/gateway.ts";
import { operationOf } from "../client/operation.ts";
import { createRedactor } from "../client/redact/redact.ts";
import { curlLine } from "../client/wire/curl.ts";
import type { Exchange } from "../client/wire/exchange.ts";
import { contract } from "../contract.ts";
import { type CheckResult, coverage, type Failure, type Outcome, type Report, suite } from "../report/report.ts";
import { Baseline } from "./baseline.ts";
import { exceptionProblems } from "./exceptions.ts";
import { type Judgement, unsaid } from "./judge.ts";
import type { Preflight } from "./preflight.ts";
import type { RunOptions } from "./run-options.ts";
import { requirementOf } from "./select.ts";
import { type Ending, verdictOf } from "./verdict.ts";

interface RunFacts {
  readonly preflight: Preflight;
  readonly requests: number;
  readonly explored: number | null;
  readonly created: readonly string[];
}

/** Collects the results of checks as reported: keys are redacted here, before any report gets a byte. */
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
    this.baseline = new Baseline(options.knownFailures ?? [], startedAt, options.selection.smoke ?? false);
    const credentials = [options, options.other].flatMap((one) => (one ? secretsOf(one.credentials) : []));
    this.secrets = [...credentials, ...secretsOfGateway(options.gateway ?? noGateway)];
    this.redact = createRedactor(this.secrets, { parts: true });
  }

  /**
   * Adds a check that ran, or should have; `accepted` is why its failure is known although the baseline does not name it,
   * `reportedBy` the failed check that reports its finding.
   */
  add(judgement: Judgement, accepted: string | null = null, reportedBy: string | null = null): CheckResult {
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
    const told = { outcome, reason: reason && this.redact.text(reason), reportedBy };
    return this.push(check, { ...told, failure, evidence, durationMs });
  }

  /** The same, if another check may report its finding: known at the end. */
  keepOpen(judgement: Judgement): void {
    if (judgement.isSaidBy) this.open.push(judgement);
    else this.add(judgement);
  }

  private close(): void {
    const failed = this.results.filter(({ failure }) => failure !== null);
    for (const judgement of this.open.splice(0)) {
      const saying = failed.filter((one) => judgement.isSaidBy?.(one));
      // If the one is known, so is the other.
      const isKnown = this.baseline.accepts(judgement.check) || saying.every(({ outcome }) => outcome === "known");
      const [narrowest] = saying.toSorted((one, other) => depthOf(other) - depthOf(one));
      if (isKnown) this.add(unsaid(judgement), narrowest?.reason);
      else this.add(judgement, null, narrowest?.check);
    }
  }

  /** Adds a check that does not run. */
  leave(check: Check, reason: string): void {
    const nothing = { reportedBy: null, failure: null, evidence: null, durationMs: 0 };
    this.push(check, { outcome: "not selected", reason, ...nothing });
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
        ...(facts.explored !== null && { explored: facts.explored }),
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
    rest: Pick<CheckResult, "outcome" | "reason" | "reportedBy" | "failure" | "evidence" | "durationMs">,
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
    const { decisive, script = decisive ? [[decisive]] : [] } = judgement;
    const guilty = decisive ? judgement.exchanges.indexOf(decisive) : -1;
    const shown = new Map(judgement.exchanges.map((one, index) => [one, exchanges[index]]));
    const inScript = script.map((some) => some.flatMap((one) => shown.get(one) ?? []));
    const { rerun = () => "" } = this.options;
    return {
      aspect: this.redact.text(aspect),
      operation: decisive && (operationOf(decisive)?.id ?? null),
      expected: this.redact.text(expected),
      actual: this.redact.text(actual),
      exchanges,
      guilty,
      curl: this.curl(inScript),
      rerun: this.redact.text(rerun([judgement.check.id, ...judgement.with])),
    };
  }

  /** A shell script that sends exchanges again, a line each, with a new id instead of the run's, so that users get new addresses. */
  private curl(script: readonly (readonly Exchange[])[]): string {
    const { exchange: renewed } = createRedactor([{ name: "RUN", value: this.runId }], { parts: script.length > 1 });
    const files = this.options.gateway?.certificate?.files ?? null;
    const secrets = [...this.secrets.map(({ name }) => name), "RUN"];
    const lines = script.map((some) => {
      const words = some.map((one) => curlLine(renewed(one).request, secrets, files));
      return words.length > 1 ? `${words.map((word) => `{ ${word}; echo; } & `).join("")}wait` : words.join();
    });
    const text = lines.join("; echo\n");
    return text.includes('"$RUN"') ? `${FRESH}; ${text}` : text;
  }
}

/** Has the length of a run's id: byte counts in a request stay right. */
const FRESH = "RUN=$(od -An -N8 -tx1 /dev/urandom | tr -d ' \\n')";

/** How precisely a failure is located. */
const depthOf = ({ failure }: CheckResult) => failure?.aspect.split("/").length ?? 0;

function count(results: readonly CheckResult[]): Pick<Report, "counts" | "levels"> {
  const counts = { passed: 0, failed: 0, known: 0, incomplete: 0, "not selected": 0 };
  const levels = { MUST: { passed: 0, failed: 0 }, SHOULD: { passed: 0, failed: 0 }, MAY: { passed: 0, failed: 0 } };
  for (const { outcome, requirement } of results) {
    counts[outcome] += 1;
    if (outcome === "passed" || outcome === "failed") levels[requirement.level][outcome] += 1;
  }
  return { counts, levels };
}
