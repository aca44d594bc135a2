import type { Finding } from "../exchange.ts";
import { type KnownFailure, matches } from "./options.ts";
import type { Outcome } from "./results.ts";

/** What is wrong with an entry: it makes a run red. */
export interface Stale {
  readonly entry: KnownFailure;
  readonly problem: "expired" | "stale";
}

/** The known failures of a run. */
export class Baseline {
  private readonly today: string;
  private readonly used = new Set<KnownFailure>();

  constructor(
    readonly entries: readonly KnownFailure[],
    now: Date,
  ) {
    this.today = now.toISOString().slice(0, 10);
  }

  /** Whether cases and scripts with this id may fail for this requirement. */
  covers(requirement: string, source: string): boolean {
    return this.entries.some((entry) => isAbout(entry, requirement, source));
  }

  /** Why a finding is accepted; null if it is not. */
  accepts({ requirement, case: of, script = "" }: Finding): string | null {
    const about = this.entries.filter((entry) => isAbout(entry, requirement, of?.id ?? script));
    for (const entry of about) this.used.add(entry);
    const entry = about.find(({ until }) => until >= this.today);
    return entry ? `${entry.reason} (until ${entry.until})` : null;
  }

  /**
   * Entries that are out of date: expired, or of what has passed. Of a law, whose exchanges a run draws, only a run that sends all
   * shows that.
   */
  staleOf(outcomes: readonly Outcome[], isWhole: (requirement: string) => boolean): readonly Stale[] {
    const done = outcomes.filter(({ outcome }) => outcome === "passed" || outcome === "failed");
    const ids = new Set(done.map(({ requirement }) => requirement.id));
    return this.entries.flatMap((entry): Stale[] => {
      if (entry.until < this.today) return [{ entry, problem: "expired" }];
      return ids.has(entry.id) && !this.used.has(entry) && isWhole(entry.id) ? [{ entry, problem: "stale" }] : [];
    });
  }
}

const isAbout = ({ id, case: pattern = "*" }: KnownFailure, requirement: string, source: string): boolean =>
  id === requirement && matches(pattern, source);
