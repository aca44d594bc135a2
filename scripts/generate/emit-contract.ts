import { HEADER } from "./emit-docs.ts";
import type { RequirementFacts, StepFacts } from "./facts.ts";
import type { ContractModel } from "./model.ts";

/** `docs/contract.md`: every clause with its decision and the requirements that follow from it, each under its id. */
export function emitContract({ document, clauses, requirements, steps }: ContractModel): string {
  const of = (id: string) => requirements.filter(({ clause }) => clause === id);
  return [
    HEADER,
    `# ${document.info.title} ${document.info.version}: contract\n`,
    "Clauses whose number begins with G are given by the document that this service implements; all others were decided where that document is silent. Every sentence below them can be tried from outside, and the conformance suite does: `--explain ID` says how.\n",
    "| Clause | | Requirements |",
    "| --- | --- | --- |",
    ...clauses.map(({ id, title }) => `| [${id}](#${id.toLowerCase()}) | ${title} | ${of(id).length} |`),
    "",
    ...clauses.flatMap(({ id, title, decision }) => [
      `## ${id}\n`,
      `**${title}.** ${decision.replaceAll(/\s*\n\s*/g, " ")}\n`,
      ...(id === "Order" ? orderTable(steps) : []),
      ...of(id).map(section),
    ]),
  ].join("\n");
}

const section = ({ id, level, origin, sentence, operation }: RequirementFacts): string =>
  `### ${id}\n\n${level}, ${origin}${operation ? `, of \`${operation}\`` : ""}. ${sentence}\n`;

/** Steps and codes, where the clause speaks of them. */
const orderTable = (steps: readonly StepFacts[]): string[] => [
  "| | Step | What has to hold | Refused with |",
  "| --- | --- | --- | --- |",
  ...steps.map(({ step, does, refuses }, index) => {
    const codes = refuses.map((code) => `\`${code}\``).join(", ");
    return `| ${index + 1} | \`${step}\` | ${does.replaceAll(/\s*\n\s*/g, " ")} | ${codes} |`;
  }),
  "",
];
