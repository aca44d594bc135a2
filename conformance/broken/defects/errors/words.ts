import type { Defect } from "../../defect.ts";
import { isObject, type JsonObject, problemCode } from "../../look.ts";
import { withJson } from "../../shape.ts";

/** Words for defects in problem documents. */

/** A defect that strikes wherever a problem comes from, the refusals before the application too. */
export function everywhere(
  change: NonNullable<Defect["unreadableAnswer"]>,
): Pick<Defect, "answer" | "unreadableAnswer"> {
  return {
    answer: (answer, request, context) =>
      problemCode(answer) === null ? answer : change(answer, request.rawBytes, context),
    unreadableAnswer: (answer, bytes, context) =>
      problemCode(answer) === null ? answer : change(answer, bytes, context),
  };
}

/** Changes every problem document. */
export const inProblems = (change: (problem: JsonObject) => unknown) =>
  everywhere((answer) => withJson(answer, change));

/** Changes the faults of every `invalid-input`. */
export const inFaults =
  (change: (faults: readonly JsonObject[]) => unknown): NonNullable<Defect["answer"]> =>
  (answer) =>
    problemCode(answer) === "invalid-input"
      ? withJson(answer, (json) => ({
          ...json,
          errors: change(Array.isArray(json.errors) ? json.errors.filter(isObject) : []),
        }))
      : answer;

export const inEachFault = (change: (fault: JsonObject) => unknown) => inFaults((faults) => faults.map(change));
