import type { Exchange, ExchangeLaw, Finding } from "../exchange.ts";
import { BYTES_BEFORE, withShortenedResponse } from "../http/response.ts";
import type { Operation, Requirement } from "../oracle/contract.ts";
import type { Oracle } from "../oracle/predict.ts";
import { OUTSIDE_ONLY, OUTSIDE_PROFILE } from "./options.ts";

/** The result of one requirement. */
export interface Outcome {
  readonly requirement: Requirement;
  readonly outcome: "passed" | "failed" | "incomplete" | "not selected";
  /** Why it is incomplete or was not selected, or why all its findings are accepted. */
  readonly reason: string | null;
  /** Cases that were planned for it, and what exercised it; of a law, exchanges of its kind. */
  readonly planned: number;
  readonly sent: number;
  readonly findings: number;
  /** The findings that no known failure accepts. */
  readonly unexpected: number;
}

/** Findings of one requirement that are kept with their exchanges: the rest is counted. */
const MOST_KEPT = 20;
/** Bytes of the response that a finding is about. */
const MOST_BYTES = 16 * 1024;

const NOT_APPLICABLE = "not applicable: ";
/**
 * Why a requirement has no place in this contract, or at this deployment: no run could check it.
 */
export const notApplicable = (reason: string): string => NOT_APPLICABLE + reason;

export const unissuedReason = (kinds: readonly string[]): string =>
  notApplicable(`the service cannot issue keys of the kind ${kinds.join(", ")}`);

/** Whether a run did not check a requirement of its profile that another could. */
export const isLeft = ({ outcome, reason }: Pick<Outcome, "outcome" | "reason">): boolean =>
  outcome === "not selected" && !reason?.startsWith(NOT_APPLICABLE) && reason !== OUTSIDE_PROFILE;

const UNNAMED = {
  level: "MUST",
  origin: "decided",
  clause: "",
  sentence: "",
  operation: null,
} as const;

class Counts {
  planned = 0;
  sent = 0;
  applied = 0;
  findings = 0;
  accepted = 0;
  /** Why a finding was accepted. */
  known: string | null = null;
  /** Scripts that may exercise it, and those of them that have not ended. */
  scripts = 0;
  open = 0;
  withheld: string | null = null;
}

/** What a run has found so far, by requirement. */
export class Results {
  readonly findings: Finding[] = [];
  /** Faults of the suite itself. */
  readonly faults: string[] = [];
  /** Cases that were planned, and that were sent and compared. */
  planned = 0;
  compared = 0;
  /** Why the run ended early; null if it did not. */
  stopped: string | null = null;
  /** Why operations could not be called that could have shown something. */
  unproven: readonly string[] = [];
  private readonly counts = new Map<string, Counts>();
  /** By operation that may be carried out or rejected, whether it has been carried out. */
  private readonly carriedOut = new Map<string, boolean>();
  private readonly laws;

  /**
   * `left`: by requirement, why it is not selected; `accepts`: why a finding is accepted, null if
   * it is not.
   */
  constructor(
    private readonly suite: { readonly oracle: Oracle; readonly laws: readonly ExchangeLaw[] },
    private readonly unselected: ReadonlyMap<string, string> = new Map(),
    private readonly accepts: (finding: Finding) => string | null = () => null,
  ) {
    this.laws = new Set(suite.laws.map(({ id }) => id));
  }

  private of(requirement: string): Counts {
    const counts = this.counts.get(requirement) ?? new Counts();
    this.counts.set(requirement, counts);
    return counts;
  }

  /** A case for this requirement was planned. */
  plan(requirement: string): void {
    this.of(requirement).planned += 1;
  }

  /** A script that may exercise these requirements will be played. */
  scheduled(requirements: readonly string[]): void {
    for (const counts of requirements.map((id) => this.of(id))) {
      counts.scripts += 1;
      counts.open += 1;
    }
  }

  /** Such a script has ended, or is not played. */
  ended(requirements: readonly string[]): void {
    for (const id of requirements) this.of(id).open -= 1;
  }

  /**
   * A case for this requirement, or a step of a script that exercises it, was sent and compared.
   */
  sent(requirement: string): void {
    this.of(requirement).sent += 1;
  }

  /** What no rule rejects was answered: its handler may reject it for reasons of its own. */
  answered(operation: Operation, isSuccess: boolean): void {
    if (this.suite.oracle.undecidedCodes(operation).length === 0) return;
    this.carriedOut.set(operation.id, isSuccess || this.carriedOut.get(operation.id) === true);
  }

  withheld(requirement: string, reason: string): void {
    this.of(requirement).withheld ??= reason;
  }

  applied(law: string): void {
    this.of(law).applied += 1;
  }

  /** What is wrong elsewhere counts, also where one requirement was selected. */
  private selectedOf(finding: Finding): readonly string[] {
    return idsOf(finding).filter((id) =>
      [undefined, OUTSIDE_ONLY].includes(this.unselected.get(id)),
    );
  }

  /** Whether a finding is about a requirement of this run. */
  takes(finding: Finding): boolean {
    return this.selectedOf(finding).length > 0;
  }

  find(finding: Finding): void {
    const ids = this.selectedOf(finding);
    const [requirement, ...concerns] = ids;
    if (requirement === undefined) return;
    if (finding.expected === finding.actual) {
      this.faults.push(
        `${finding.requirement}: the finding shows no difference: ${finding.expected}`,
      );
      return;
    }
    const isKept = this.keeps(finding);
    const reasons = ids.map((id) => {
      const counts = this.of(id);
      const reason = this.accepts({ ...finding, requirement: id });
      counts.findings += 1;
      if (reason !== null) counts.accepted += 1;
      counts.known = reason ?? counts.known;
      return reason;
    });
    const known = reasons.includes(null) ? null : reasons[0];
    if (isKept)
      this.findings.push({
        ...finding,
        requirement,
        concerns,
        exchanges: shortenedExchangesOf(finding),
        ...(known && { known }),
      });
  }

  /** Whether a finding is kept: the first of a requirement, and some of its own requirement. */
  keeps({ requirement, concerns = [] }: Finding): boolean {
    return (
      this.of(requirement).findings < MOST_KEPT || concerns.some((id) => this.countOf(id) === 0)
    );
  }

  /** A finding as a smaller request shows it, or not at all where another finding is the same. */
  replace(finding: Finding, smaller: Finding | null): void {
    const index = this.findings.indexOf(finding);
    if (index < 0) return;
    this.findings.splice(index, 1);
    this.forget(finding);
    if (smaller) this.find(smaller);
  }

  private forget(finding: Finding): void {
    for (const requirement of idsOf(finding)) {
      const counts = this.of(requirement);
      counts.findings -= 1;
      if (this.accepts({ ...finding, requirement }) !== null) counts.accepted -= 1;
    }
  }

  /**
   * The target has stopped responding: what followed from that is one finding, behind all others.
   */
  gone(since: number): void {
    const isSilent = ({ aspect, exchanges, at }: Finding) =>
      aspect === "connection" && (exchanges[at]?.sentAt ?? 0) >= since;
    const silent = this.findings.filter(isSilent);
    this.findings.splice(
      0,
      Number.POSITIVE_INFINITY,
      ...this.findings.filter((one) => !isSilent(one)),
    );
    for (const finding of silent) this.forget(finding);
    // A known failure says less: the target has gone at an exchange that no entry is about.
    const first = silent.find(({ known }) => known === undefined) ?? silent[0];
    const actual = `the target stopped responding at ${new Date(since).toISOString()}`;
    if (first) this.find({ ...first, actual });
  }

  /** How many requirements have failed. */
  get failed(): number {
    return [...this.counts.values()].filter(({ findings, accepted }) => findings > accepted).length;
  }

  /** How many findings a requirement has, with those that were not kept. */
  countOf(requirement: string): number {
    return this.counts.get(requirement)?.findings ?? 0;
  }

  outcomes(): readonly Outcome[] {
    const { requirements } = this.suite.oracle.contract;
    const known = new Set(requirements.map(({ id }) => id));
    // The rules of the oracle are those of any contract: one may break a rule that its own does not
    // name.
    const unnamed = [...this.counts].filter(([id, { findings }]) => findings > 0 && !known.has(id));
    return [...requirements, ...unnamed.map(([id]) => ({ ...UNNAMED, id }))].map((requirement) => {
      const counts = this.counts.get(requirement.id) ?? new Counts();
      const isLaw = this.laws.has(requirement.id);
      const { planned, findings } = counts;
      const sent = counts.sent + counts.applied;
      const unexpected = findings - counts.accepted;
      const left = this.unselected.get(requirement.id);
      const decided = this.outcomeOf(counts, isLaw, left);
      const { operation } = requirement;
      const isProven = operation === null || this.carriedOut.get(operation) !== false;
      const result =
        decided.outcome === "passed" && !isProven
          ? ({ outcome: "incomplete", reason: `no call of ${operation} succeeded` } as const)
          : decided;
      return {
        requirement,
        ...result,
        planned: Math.max(planned, sent),
        sent,
        findings,
        unexpected,
      };
    });
  }

  private outcomeOf(
    counts: Counts,
    isLaw: boolean,
    left: string | undefined,
  ): Pick<Outcome, "outcome" | "reason"> {
    const { planned, sent, applied, findings, accepted, known, withheld, scripts, open } = counts;
    if (findings > 0) return { outcome: "failed", reason: findings === accepted ? known : null };
    if (left !== undefined) return { outcome: "not selected", reason: left };
    const isPlanned = planned + sent + scripts > 0 || withheld !== null || isLaw;
    if (!isPlanned) return { outcome: "not selected", reason: "no case of this run is for it" };
    const isOpen = sent < planned || open > 0;
    if (this.stopped !== null && (isOpen || isLaw))
      return { outcome: "incomplete", reason: this.stopped };
    if (sent + applied > 0) return { outcome: "passed", reason: null };
    const [unproven] = this.unproven;
    if (withheld !== null && !this.unproven.includes(withheld))
      return { outcome: "not selected", reason: withheld };
    if (unproven !== undefined && !isLaw)
      return { outcome: "incomplete", reason: withheld ?? unproven };
    // What was planned and not sent ended with a fault.
    return {
      outcome: isOpen ? "incomplete" : "not selected",
      reason: "nothing was sent that it says something about",
    };
  }
}

const idsOf = ({ requirement, concerns = [] }: Finding): readonly string[] => [
  ...new Set([requirement, ...concerns]),
];

const shortenedExchangesOf = ({ exchanges, at }: Finding): readonly Exchange[] =>
  exchanges.map((exchange, index) =>
    withShortenedResponse(exchange, index === at ? MOST_BYTES : BYTES_BEFORE),
  );
