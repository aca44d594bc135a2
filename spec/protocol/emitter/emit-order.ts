import { HEADER, literal } from "./emit-operations.ts";
import type { ContractModel } from "./model.ts";
import { publicTypes } from "./public-types.ts";

/** `order.ts`: the steps of the order of checks as data. */
export const emitOrder = ({ steps }: ContractModel): string =>
  [
    HEADER,
    "/** The order of checks: every step, its condition, and the codes that it rejects with. */",
    `export const order = ${literal(steps)} as const;\n`,
    'export type Step = (typeof order)[number]["step"];\n',
  ].join("\n");

/** `requirements.ts`: every clause and every requirement of the spec as data. */
export const emitRequirements = ({ clauses, requirements }: ContractModel): string =>
  [
    HEADER,
    'import type { OperationId } from "./operations.ts";\n',
    publicTypes("requirements"),
    `export const clauses = ${literal(clauses)} as const satisfies readonly Clause[];\n`,
    `export const requirements = ${literal(requirements)} as const satisfies readonly Requirement[];`,
    '\nexport type RequirementId = (typeof requirements)[number]["id"];\n',
  ].join("\n");
