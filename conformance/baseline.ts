import { readFileSync } from "node:fs";
import type { Check } from "./check.ts";
import type { Report } from "./report/report.ts";

/** A failure that is known and accepted for a while. */
export interface KnownFailure {
  /** A check id. */
  readonly id: string;
  readonly reason: string;
  /** The last day on which it is accepted, UTC: `2026-12-31`. */
  readonly until: string;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

const isText = (value: unknown): value is string => typeof value === "string" && value.trim() !== "";

/** Reads a JSON file of the user; throws an Error with words for the user. */
export function readJson(flag: string, file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
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
    if (!DAY.test(until) || Number.isNaN(Date.parse(until)))
      throw new Error(`${flag} ${file}: ${id}: until must be a day, YYYY-MM-DD`);
    if (seen.has(id)) throw new Error(`${flag} ${file}: ${id} is there twice`);
    seen.add(id);
  }
  return entries;
}

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
  accepts(check: string): string | null {
    const entry = this.entries.find(({ id }) => id === check);
    return entry && entry.until >= this.today ? `${entry.reason} (until ${entry.until})` : null;
  }

  /** Entries that make the run red: of unknown checks, past their day, or of checks that passed. */
  problems(checks: readonly Check[], passed: ReadonlySet<string>): Report["baseline"] {
    return this.entries.flatMap(({ id, until }): Report["baseline"] => {
      if (!checks.some((check) => check.id === id)) return [{ id, problem: "unknown" }];
      if (until < this.today) return [{ id, problem: "expired" }];
      return passed.has(id) ? [{ id, problem: "stale" }] : [];
    });
  }
}
