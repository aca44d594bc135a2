import type { Check } from "../checks/check.ts";
import { parseJsonFile } from "../client/json-file.ts";
import type { CheckResult, Report } from "../report/report.ts";

/** A failure that is known and accepted for a while. */
export interface KnownFailure {
  /** Of a check, or of a requirement, for all its checks. */
  readonly id: string;
  readonly reason: string;
  /** The last day on which it is accepted, UTC: `2026-12-31`. */
  readonly until: string;
}

/** A day of the calendar: `Date` turns 30 February into 2 March. */
function isDay(text: string): boolean {
  const date = new Date(/^\d{4}-\d{2}-\d{2}$/.test(text) ? text : Number.NaN);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

const isText = (value: unknown): value is string => typeof value === "string" && value.trim() !== "";

/** Reads a JSON file of the user; throws an Error with words for the user. */
function readJson(flag: string, file: string): unknown {
  try {
    return parseJsonFile(file);
  } catch (error) {
    // node:fs and JSON.parse throw Errors only.
    throw new Error(`${flag} ${file}: ${(error as Error).message}`);
  }
}

/** Reads a JSON array of objects whose members are all texts; throws an Error with words for the user. */
export function readEntries<Member extends string>(
  flag: string,
  file: string,
  members: readonly Member[],
): Readonly<Record<Member, string>>[] {
  const json = readJson(flag, file);
  if (!Array.isArray(json)) throw new Error(`${flag} ${file}: must be a JSON array`);
  return json.map((entry: unknown, index) => {
    const object =
      typeof entry === "object" && entry !== null ? new Map(Object.entries(entry)) : new Map<string, unknown>();
    const texts = members.map((member): [Member, string] => {
      const value = object.get(member);
      if (!isText(value)) throw new Error(`${flag} ${file}: entry ${index} needs ${members.join(", ")}`);
      return [member, value];
    });
    // Every member was read above.
    return Object.fromEntries(texts) as Record<Member, string>;
  });
}

/** Reads `--known-failures`; throws an Error with words for the user. */
export function readKnownFailures(file: string): KnownFailure[] {
  const flag = "--known-failures";
  const entries = readEntries(flag, file, ["id", "reason", "until"]);
  const seen = new Set<string>();
  for (const { id, until } of entries) {
    if (!isDay(until)) throw new Error(`${flag} ${file}: ${id}: until must be a day, YYYY-MM-DD`);
    if (seen.has(id)) throw new Error(`${flag} ${file}: ${id} is there twice`);
    seen.add(id);
  }
  return entries;
}

const isAbout = (id: string, check: Check) => id === check.id || id === check.requirement;

/** The known failures of a run, and what is wrong with the list itself. */
export class Baseline {
  private readonly today: string;

  constructor(
    private readonly entries: readonly KnownFailure[],
    now: Date,
  ) {
    this.today = now.toISOString().slice(0, 10);
  }

  /** Why a failure of this check is accepted; null when it is not. */
  accepts(check: Check): string | null {
    const entry = this.entries.find(({ id, until }) => isAbout(id, check) && until >= this.today);
    return entry ? `${entry.reason} (until ${entry.until})` : null;
  }

  /** Entries that make the run red: of unknown checks, past their day, or of checks that all passed. */
  problems(checks: readonly Check[], results: readonly CheckResult[]): Report["baseline"] {
    const ran = new Map(
      results.flatMap(({ check, outcome }) => (outcome === "not selected" ? [] : [[check, outcome]])),
    );
    return this.entries.flatMap(({ id, until }): Report["baseline"] => {
      const about = checks.filter((check) => isAbout(id, check));
      if (about.length === 0) return [{ id, problem: "unknown" }];
      if (until < this.today) return [{ id, problem: "expired" }];
      const outcomes = about.flatMap((check) => ran.get(check.id) ?? []);
      return outcomes.length > 0 && outcomes.every((outcome) => outcome === "passed") ? [{ id, problem: "stale" }] : [];
    });
  }
}
