import type { Check } from "../checks/check.ts";
import type { Report } from "../report/report.ts";

/**
 * An intended difference, by its location: `status`, `header/server`, `#/runtime`; a check id and a blank before it limit it to
 * that check.
 */
export interface Exception {
  readonly pointer: string;
  readonly reason: string;
}

/** Whether an exception is about this difference. */
export function names({ pointer }: Exception, check: string, location: string): boolean {
  return pointer === location || pointer === `${check} ${location}`;
}

/**
 * The check id that a pointer begins with; null if it applies to every check. Locations that hold a blank begin with one of
 * these.
 */
function checkOf(pointer: string): string | null {
  if (pointer.startsWith("#") || pointer.startsWith("shape #") || pointer.startsWith("header/")) return null;
  const blank = pointer.indexOf(" ");
  return blank < 0 ? null : pointer.slice(0, blank);
}

/**
 * Exceptions that make the run red: for unknown checks, or unused although every check they apply to passed. `used`: pointers
 * that matched a difference.
 */
export function exceptionProblems(
  exceptions: readonly Exception[],
  checks: readonly Check[],
  passed: ReadonlySet<string>,
  used: ReadonlySet<string>,
): Report["baseline"] {
  const pairs = checks.flatMap(({ id, kind }) => (kind === "pair" ? [id] : []));
  return exceptions.flatMap(({ pointer }): Report["baseline"] => {
    const of = checkOf(pointer);
    if (of !== null && !pairs.includes(of)) return [{ id: pointer, problem: "unknown" }];
    const about = of === null ? pairs : [of];
    return about.every((id) => passed.has(id)) && !used.has(pointer) ? [{ id: pointer, problem: "unused" }] : [];
  });
}
