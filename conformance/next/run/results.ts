import type { Requirement } from "../../oracle/contract.ts";
import type { Oracle, Prediction } from "../../oracle/predict.ts";
import type { Exchange, Finding, Law } from "../exchange.ts";
import { shortened } from "../http/response.ts";
import type { Case } from "../requests/generate.ts";

/** The result of one requirement. */
export interface Outcome {
  readonly requirement: Requirement;
  readonly outcome: "passed" | "failed" | "incomplete" | "not selected";
  /** Why it is incomplete, or was not selected; null otherwise. */
  readonly reason: string | null;
  /** Cases that were planned for it, and sent and compared; for a law, the exchanges to which it applies. */
  readonly planned: number;
  readonly sent: number;
  readonly findings: number;
}

/** Findings of one requirement that are kept with their exchanges: the rest is counted. */
const MOST_KEPT = 20;
/** Bytes of a response that a finding keeps. */
const MOST_BYTES = 16 * 1024;

const UNNAMED = {
  ...({ level: "MUST", origin: "decided", clause: "", sentence: "", operation: null } as const),
};

class Counts {
  planned = 0;
  sent = 0;
  applied = 0;
  findings = 0;
  withheld: string | null = null;
}

/** Which requirement a case is sent for: the one that decides its response, or the one of its row where no rule rejects it. */
export const requirementOf = ({ of }: Case, { by, code }: Prediction): string =>
  code === null && of !== null ? of : by;

/** What a run has found so far, by requirement. */
export class Results {
  readonly findings: Finding[] = [];
  /** Faults of the suite itself. */
  readonly faults: string[] = [];
  /** Cases that were sent and compared. */
  compared = 0;
  /** Why the run ended early; null if it did not. */
  stopped: string | null = null;
  private readonly counts = new Map<string, Counts>();
  private readonly laws;

  constructor(private readonly suite: { readonly oracle: Oracle; readonly laws: readonly Law[] }) {
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

  /** A case for this requirement was sent and compared. */
  sent(requirement: string): void {
    this.of(requirement).sent += 1;
  }

  withheld(requirement: string, reason: string): void {
    this.of(requirement).withheld ??= reason;
  }

  applied(law: string): void {
    this.of(law).applied += 1;
  }

  find(finding: Finding): void {
    const counts = this.of(finding.requirement);
    counts.findings += 1;
    if (counts.findings <= MOST_KEPT) this.findings.push({ ...finding, exchanges: finding.exchanges.map(kept) });
  }

  /** The target has stopped responding: what followed from that is one finding, behind all others. */
  gone(since: number): void {
    const isSilent = ({ aspect, exchanges, at }: Finding) =>
      aspect === "connection" && (exchanges[at]?.sentAt ?? 0) >= since;
    const silent = this.findings.filter(isSilent);
    const others = this.findings.filter((one) => !isSilent(one));
    this.findings.splice(0, this.findings.length, ...others);
    for (const { requirement } of silent) this.of(requirement).findings -= 1;
    const [first] = silent;
    const actual = `the target stopped responding at ${new Date(since).toISOString()}`;
    if (first) this.find({ ...first, actual });
  }

  /** How many requirements have failed. */
  get failed(): number {
    return [...this.counts.values()].filter(({ findings }) => findings > 0).length;
  }

  /** How many findings a requirement has, with those that were not kept. */
  countOf(requirement: string): number {
    return this.counts.get(requirement)?.findings ?? 0;
  }

  outcomes(): readonly Outcome[] {
    const { requirements } = this.suite.oracle.contract;
    const known = new Set(requirements.map(({ id }) => id));
    // The rules of the oracle are those of any contract: one may break a rule that its own does not name.
    const unnamed = [...this.counts].filter(([id, { findings }]) => findings > 0 && !known.has(id));
    return [...requirements, ...unnamed.map(([id]) => ({ ...UNNAMED, id }))].map((requirement) => {
      const counts = this.counts.get(requirement.id) ?? new Counts();
      const isLaw = this.laws.has(requirement.id);
      const { planned, findings } = counts;
      const sent = counts.sent + counts.applied;
      return { requirement, ...this.outcomeOf(counts, isLaw), planned: Math.max(planned, sent), sent, findings };
    });
  }

  private outcomeOf(counts: Counts, isLaw: boolean): Pick<Outcome, "outcome" | "reason"> {
    const { planned, sent, applied, findings, withheld } = counts;
    if (findings > 0) return { outcome: "failed", reason: null };
    const isPlanned = planned > 0 || sent > 0 || withheld !== null || isLaw;
    if (!isPlanned) return { outcome: "not selected", reason: "no case of this run is for it" };
    if (this.stopped !== null && (sent < planned || isLaw)) return { outcome: "incomplete", reason: this.stopped };
    if (sent + applied > 0) return { outcome: "passed", reason: null };
    if (withheld !== null) return { outcome: "not selected", reason: withheld };
    return { outcome: isLaw ? "not selected" : "incomplete", reason: "nothing was sent that it says something about" };
  }
}

const kept = (exchange: Exchange): Exchange => ({
  ...exchange,
  response: exchange.response && shortened(exchange.response, MOST_BYTES),
});
