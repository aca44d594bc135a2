import type { Contract } from "../oracle/contract.ts";
import { counted } from "../report/text.ts";
import { DEFAULTS, leftBy, type Selection } from "../run/options.ts";
import type { Suite } from "../run/state.ts";

/** One line for each requirement: id, level, origin, clause. */
export const listRequirements = ({ requirements }: Contract): string =>
  requirements
    .map(({ id, level, origin, clause }) => `${[id, level, origin, clause].join("  ")}\n`)
    .sort()
    .join("");

const indented = (text = "") => text.replaceAll("\n", "\n  ");

/** A clause, and the requirements that keep it. */
function explainClause({ clauses, requirements }: Contract, id: string): string | null {
  const clause = clauses.find((one) => one.id === id);
  if (!clause) return null;
  const clauseRequirements = requirements.filter((one) => one.clause === id);
  const untried = clause.untried === null ? [] : [`not tried: ${clause.untried}`];
  const lines = clauseRequirements.map((one) => `${one.id}: ${one.sentence}`);
  const head = [`${id} (${clause.title})`, `  ${indented(clause.decision)}`];
  return `${[...head, ...lines, ...untried].join("\n")}\n`;
}

/** The meaning of the id of a requirement or clause; null if it is unknown. */
export function explain({ oracle, laws, scripts }: Suite, id: string): string | null {
  const { contract } = oracle;
  const requirement = contract.requirements.find((one) => one.id === id);
  if (!requirement) return explainClause(contract, id);
  const { level, origin, clause: of, sentence, operation } = requirement;
  const clause = contract.clauses.find((one) => one.id === of);
  const ownScripts = scripts.filter(({ requirements }) => requirements.includes(id));
  const lines = [
    `${id}: ${sentence}`,
    `${level}, ${origin}${operation ? `, operation ${operation}` : ""}`,
    `${of}${clause ? ` (${clause.title})` : ""}`,
    ...(clause ? [`  ${indented(clause.decision)}`] : []),
    laws.some((law) => law.id === id)
      ? "checked of every response that it is about"
      : "checked by the cases that it decides",
    ...ownScripts.map(
      ({ id: script, effect, slow }) => `checked by: ${script} (${effect}${slow ? ", slow" : ""})`,
    ),
  ];
  return `${lines.join("\n")}\n`;
}

/** How much would be sent, and what would be left out and why. */
export function dryRun(
  url: string,
  { oracle, coveringCases, scripts }: Suite,
  selection: Selection,
): string {
  const unselected = leftBy(selection, oracle.contract);
  const played = scripts.filter(({ requirements }) =>
    requirements.some((id) => !unselected.has(id)),
  );
  const selected = oracle.contract.requirements.filter(({ id }) => !unselected.has(id));
  const cases = coveringCases
    ? `${counted(coveringCases.length, "covering case")} and ${DEFAULTS.randomCaseCount} drawn`
    : "every case";
  const lines = [
    `${url}: ${counted(selected.length, "requirement")} would be checked, by ${cases} and ` +
      `${counted(played.length, "script")}`,
    ...selected.map(({ id }) => `check ${id}`),
    ...[...unselected].map(([id, reason]) => `leave ${id}: ${reason}`),
  ];
  return `${lines.join("\n")}\n`;
}
