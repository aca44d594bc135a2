import { absentCodeOf, type Contract, handlerCodesOf, type Operation } from "./contract.ts";
import { statedCodesOf } from "./effect-rules.ts";
import type { Rule } from "./rules.ts";

/**
 * By operation, the codes below 500 that its handler may answer instead of a success, and no rule
 * predicts.
 */
export function undecidedCodesIn(
  contract: Contract,
  rules: readonly Rule[],
): ReadonlyMap<string, readonly string[]> {
  const operations = Object.values(contract.operations);
  const absentCodes = new Set(operations.map((operation) => absentCodeOf(contract, operation)));
  const ofHandler = handlerCodesOf(contract);
  const isDecided = (operation: Operation, code: string) =>
    statedCodesOf(contract, operation).includes(code) ||
    (absentCodes.has(code)
      ? absentCodeOf(contract, operation) === code
      : rules.some((rule) => rule.code === code));
  const isUndecided = (operation: Operation, code: string) =>
    ofHandler.includes(code) &&
    (contract.problems[code]?.status ?? 0) < 500 &&
    !isDecided(operation, code);
  return new Map(
    operations.map((operation) => [
      operation.id,
      operation.problems.filter((code) => isUndecided(operation, code)),
    ]),
  );
}
