import type { Check } from "../checks/check.ts";
import type { CheckResult, Report } from "../report/report.ts";

/** A failure that is known and accepted for a limited time. */
export interface KnownFailure {
  /** The id of a check, or of a requirement for all its checks. */
  readonly id: string;
  readonly reason: string;
  /** The last day on which it is accepted, UTC: `2026-12-31`. */
  readonly until: string;
}

const isAbout = (id: string, check: Check) => id === check.id || id === check.requirement;

/** The known failures of a run, and the errors of the list itself. */
export class Baseline {
  private readonly today: string;

  constructor(
    private readonly entries: readonly KnownFailure[],
    now: Date,
    /** Whether checks send only some of their requests: then one that passes does not show that its failure is gone. */
    private readonly brief: boolean,
  ) {
    this.today = now.toISOString().slice(0, 10);
  }

  /** Why a failure of this check is accepted; null if it is not. */
  accepts(check: Check): string | null {
    const entry = this.entries.find(({ id, until }) => isAbout(id, check) && until >= this.today);
    return entry ? `${entry.reason} (until ${entry.until})` : null;
  }

  /** Entries that make the run red: of unknown checks, expired, or of checks that all passed. */
  problems(checks: readonly Check[], results: readonly CheckResult[]): Report["baseline"] {
    const ran = new Map(
      results.flatMap(({ check, outcome }) => (outcome === "not selected" ? [] : [[check, outcome]])),
    );
    return this.entries.flatMap(({ id, until }): Report["baseline"] => {
      const about = checks.filter((check) => isAbout(id, check));
      if (about.length === 0) {
        const ofRequirement = checks.filter(({ requirement }) => requirement === id.split("#", 1)[0]);
        return [{ id, problem: "unknown", today: ofRequirement.map((check) => check.id) }];
      }
      if (until < this.today) return [{ id, problem: "expired" }];
      const outcomes = about.flatMap((check) => ran.get(check.id) ?? []);
      return !this.brief && outcomes.length > 0 && outcomes.every((outcome) => outcome === "passed")
        ? [{ id, problem: "stale" }]
        : [];
    });
  }
}
