import type { Check, Exclusion } from "../checks/check.ts";
import { contract } from "../contract.ts";
import { requirementOf, type Selected } from "../engine/select.ts";
import { sourceOf } from "../report/summary.ts";

/** One line for each check: id, level, origin, effect. */
export function listChecks(checks: readonly Check[]): string {
  const lines = checks.map((check) => {
    const { level, origin } = requirementOf(check);
    return [check.id, level, origin, check.effect, ...(check.slow ? ["slow"] : [])].join("  ");
  });
  return `${lines.sort().join("\n")}\n`;
}

/** A clause, and the requirements that keep it. */
function explainClause(id: string): string | null {
  const clause = contract.clauses.find((one) => one.id === id);
  if (!clause) return null;
  const kept = contract.requirements.filter((one) => one.clause === id);
  const lines = kept.map((one) => `${one.id}: ${one.sentence}`);
  return `${[`${id} (${clause.title})`, `  ${indented(clause.decision)}`, ...lines].join("\n")}\n`;
}

const indented = (text = "") => text.replaceAll("\n", "\n  ");

/** The meaning of a check, requirement or clause id; null if the id is unknown. */
export function explain(id: string, checks: readonly Check[], exclusions: readonly Exclusion[]): string | null {
  const requirement = contract.requirements.find((one) => one.id === id.split("#", 1)[0]);
  const own = checks.filter((check) => check.id === id || check.requirement === id);
  const exclusion = exclusions.find((one) => one.requirement === id);
  if (!requirement) return explainClause(id);
  if (id.includes("#") && own.length === 0) return null;
  const { level, origin, clause, sentence, operation } = requirement;
  const lines = [
    `${requirement.id}: ${sentence}`,
    `${level}, ${origin}${operation ? `, operation ${operation}` : ""}`,
    sourceOf(requirement),
    `  ${indented(contract.clauses.find(({ id }) => id === clause)?.decision)}`,
    ...own.map(({ id: check, kind, effect, needs, slow }) => {
      const about = {
        target: "asks the target",
        exchanges: "checks every exchange of the run",
        pair: "compares two deployments",
      };
      const traits = [
        about[kind],
        effect,
        ...(needs.length > 0 ? [`needs ${needs.join(", ")}`] : []),
        ...(slow ? ["slow"] : []),
      ];
      return `check ${check}: ${traits.join("; ")}`;
    }),
    ...(exclusion ? [`not checked: ${exclusion.reason}`] : []),
  ];
  return `${lines.join("\n")}\n`;
}

/** Lists what would run, and what would not run and why. */
export function dryRun(url: string, { selected, left }: Selected): string {
  const lines = [
    `${url}: ${selected.length} checks would run, ${left.length} would not`,
    ...selected.map(({ id, effect }) => `run   ${id} (${effect})`),
    ...left.map(({ check, reason }) => `leave ${check.id}: ${reason}`),
  ];
  return `${lines.join("\n")}\n`;
}
