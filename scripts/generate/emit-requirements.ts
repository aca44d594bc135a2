import { HEADER } from "./emit-operations.ts";
import type { ContractModel } from "./model.ts";

const SHAPES = `import type { OperationId } from "./operations.ts";

/** A clause of the contract: what requirements follow from. */
export interface Clause {
  readonly id: string;
  readonly title: string;
  readonly decision: string;
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

/** `requirements.ts`: every requirement of the spec as data. */
export function emitRequirements({ clauses, requirements }: ContractModel): string {
  return [
    HEADER,
    SHAPES,
    `export const clauses = ${JSON.stringify(clauses, null, 2)} as const satisfies readonly Clause[];\n`,
    `export const requirements = ${JSON.stringify(requirements, null, 2)} as const satisfies readonly Requirement[];`,
    '\nexport type RequirementId = (typeof requirements)[number]["id"];\n',
  ].join("\n");
}
