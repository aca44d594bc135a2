import { HEADER, literal } from "./emit-operations.ts";
import type { ContractModel } from "./model.ts";

/** `order.ts`: the steps of the order of checks as data. */
export const emitOrder = ({ steps }: ContractModel): string =>
  [
    HEADER,
    "/** The order of checks: every step, its condition, and the codes that it rejects with. */",
    `export const order = ${literal(steps)} as const;\n`,
    'export type Step = (typeof order)[number]["step"];\n',
  ].join("\n");

const REQUIREMENTS = `import type { OperationId } from "./operations.ts";

/** A clause of the contract: what requirements follow from. */
export interface Clause {
  readonly id: string;
  readonly title: string;
  readonly decision: string;
  /** What of it has no requirement, and why; null when all of it has. */
  readonly untried: string | null;
}

/** One sentence of the contract that can be tried from outside. */
export interface Requirement {
  readonly id: string;
  readonly level: "MUST" | "SHOULD" | "MAY";
  /** \`given\`: stated by the document that the service implements. \`decided\`: chosen where that document is silent. */
  readonly origin: "given" | "decided";
  /** The clause that it follows from. */
  readonly clause: (typeof clauses)[number]["id"];
  readonly sentence: string;
  /** The operation it speaks of; null when it speaks of all. */
  readonly operation: OperationId | null;
}
`;

/** `requirements.ts`: every clause and every requirement of the spec as data. */
export const emitRequirements = ({ clauses, requirements }: ContractModel): string =>
  [
    HEADER,
    REQUIREMENTS,
    `export const clauses = ${literal(clauses)} as const satisfies readonly Clause[];\n`,
    `export const requirements = ${literal(requirements)} as const satisfies readonly Requirement[];`,
    '\nexport type RequirementId = (typeof requirements)[number]["id"];\n',
  ].join("\n");
