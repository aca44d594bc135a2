import type { Outcome } from "./report.ts";

/** The parts of a JSON report that are compared with another. */
export interface Told {
  readonly results: readonly { readonly check: string; readonly outcome: Outcome }[];
}

/** Checks by the change of their result from one run to another. */
export interface Diff {
  readonly "became red": readonly string[];
  readonly "became green": readonly string[];
  /** Evaluated now, and not before. */
  readonly new: readonly string[];
  /** Evaluated before; could not be completed now. */
  readonly "became incomplete": readonly string[];
  /** Evaluated before, and not now: it was not selected, or does not exist any more. */
  readonly gone: readonly string[];
}

const judged = ({ results }: Told) =>
  new Map(
    results.flatMap(({ check, outcome }) =>
      outcome === "passed" || outcome === "failed" || outcome === "known" ? [[check, outcome]] : [],
    ),
  );

export function diff(older: Told, newer: Told): Diff {
  const [before, after] = [judged(older), judged(newer)];
  const open = new Set(newer.results.flatMap(({ check, outcome }) => (outcome === "incomplete" ? [check] : [])));
  const left = [...before.keys()].filter((check) => !after.has(check));
  const both = [...after.keys()].filter((check) => before.has(check));
  const turned = (to: boolean) =>
    both.filter((check) => (before.get(check) === "passed") !== to && (after.get(check) === "passed") === to);
  return {
    "became red": turned(false),
    "became green": turned(true),
    new: [...after.keys()].filter((check) => !before.has(check)),
    "became incomplete": left.filter((check) => open.has(check)),
    gone: left.filter((check) => !open.has(check)),
  };
}

/** A heading and a line for each check; a new one with its result. */
export function renderDiff(found: Diff, { results }: Told): string {
  const outcomes = new Map(results.map(({ check, outcome }) => [check, outcome]));
  const parts = Object.entries(found).map(([name, checks]) => {
    const lines = checks.map((check: string) => `  ${check}${name === "new" ? `: ${outcomes.get(check)}` : ""}\n`);
    return `${checks.length} ${name}\n${lines.join("")}`;
  });
  return parts.join("");
}
