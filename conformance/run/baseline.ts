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
  /** Entries of which a case or a script was compared. */
  private readonly compared = new Set<KnownFailure>();
  /** By entry, the cases and scripts that are planned and have not ended. */
  private readonly open = new Map<KnownFailure, Set<string>>();

  /** `laws`: requirements that any case may break. */
  constructor(
    readonly entries: readonly KnownFailure[],
    now: Date,
    private readonly laws: ReadonlySet<string> = new Set(),
  ) {
    this.today = now.toISOString().slice(0, 10);
  }

  /** Whether cases and scripts with this id may fail for this requirement. */
  covers(requirement: string, source: string): boolean {
    return this.entries.some((entry) => isAbout(entry, requirement, source));
  }

  /** A case or a script with this id is planned for these requirements. */
  planned(source: string, requirements: readonly string[]): void {
    for (const entry of this.entriesOf(source, requirements))
      this.open.set(entry, (this.open.get(entry) ?? new Set()).add(source));
  }

  /** What it was planned for, or has exercised, was compared. */
  sent(source: string, requirement: string): void {
    for (const entry of this.entriesOf(source, [requirement])) this.compared.add(entry);
  }

  /** It was neither withheld nor cut off. */
  ended(source: string): void {
    for (const sources of this.open.values()) sources.delete(source);
  }

  private entriesOf(source: string, requirements: readonly string[]): readonly KnownFailure[] {
    const ids = [...requirements, ...this.laws];
    return this.entries.filter((entry) => ids.some((id) => isAbout(entry, id, source)));
  }

  /** Why a finding is accepted; null if it is not. */
  accepts({ requirement, case: of, script = "" }: Finding): string | null {
    const about = this.entries.filter((entry) => isAbout(entry, requirement, of?.id ?? script));
    for (const entry of about) this.used.add(entry);
    const entry = about.find(({ until }) => until >= this.today);
    return entry ? `${entry.reason} (until ${entry.until})` : null;
  }

  /**
   * Entries that are out of date: expired, or all that they are about was compared, and nothing
   * failed. Of a law, whose exchanges a run draws, only a run that sends all shows that.
   */
  staleOf(
    outcomes: readonly Outcome[],
    isWhole: (requirement: string) => boolean,
  ): readonly Stale[] {
    const done = outcomes.filter(({ outcome }) => outcome === "passed" || outcome === "failed");
    const ids = new Set(done.map(({ requirement }) => requirement.id));
    return this.entries.flatMap((entry): Stale[] => {
      if (entry.until < this.today) return [{ entry, problem: "expired" }];
      const isRun = this.compared.has(entry) && (this.open.get(entry)?.size ?? 0) === 0;
      const isStale = ids.has(entry.id) && isRun && !this.used.has(entry) && isWhole(entry.id);
      return isStale ? [{ entry, problem: "stale" }] : [];
    });
  }
}

const isAbout = (
  { id, case: pattern = "*" }: KnownFailure,
  requirement: string,
  source: string,
): boolean => id === requirement && matches(pattern, source);
