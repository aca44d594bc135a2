import { HEADER } from "./emit-operations.ts";
import type { ContractModel } from "./model.ts";

const SHAPES = `import type { OperationId } from "./operations.ts";

/** One sentence of the contract that can be tried from outside. */
export interface Requirement {
  readonly id: string;
  readonly level: "MUST" | "SHOULD" | "MAY";
  /** \`given\`: stated by the document that the service implements. \`decided\`: chosen where that document is silent. */
  readonly origin: "given" | "decided";
  /** Where it comes from: a number of the contract, \`order\` for the order of judgement, \`Errors\` for the table of errors. */
  readonly clause: string;
  readonly sentence: string;
  /** The operation it speaks of; null when it speaks of all. */
  readonly operation: OperationId | null;
}
`;

/** `requirements.ts`: every requirement of the spec as data. */
export function emitRequirements({ requirements }: ContractModel): string {
  return [
    HEADER,
    SHAPES,
    `export const requirements = ${JSON.stringify(requirements, null, 2)} as const satisfies readonly Requirement[];`,
    '\nexport type RequirementId = (typeof requirements)[number]["id"];\n',
  ].join("\n");
}
