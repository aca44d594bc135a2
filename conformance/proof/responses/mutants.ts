import type { Mutant, ProxyAnswer } from "../proxy/message.ts";
import { type Aspect, echoes, type Operator } from "./operators.ts";
import { kindOf, type Recording, type Sight } from "./recording.ts";
import { operatorsOf, sizeOf } from "./ways.ts";

/**
 * Right responses, changed: of each kind in a run, in every way derived from its status, its header fields, its members and their
 * schema. Prediction and laws check one without a server, as they would a real response.
 */
export interface ResponseMutant {
  readonly id: string;
  readonly kind: string;
  readonly operator: Operator;
  /** The responses to change, each with its changed version; finding one is enough. */
  readonly trials: readonly (readonly [Sight, ProxyAnswer])[];
}

/** Responses of a kind that are searched for the one with the most to change. */
const LOOKED_AT = 200;
/** How many of a kind are tried where the request decides whether there is something to change. */
const TRIED = 400;

/** Every response mutant of a recorded run. */
export const responseMutantsOf = (recording: Recording): readonly ResponseMutant[] =>
  [...recording.kinds].flatMap(([kind, sights]) => {
    const changeable = (sight: Sight) =>
      sizeOf(sight.response) * 100 +
      sight.response.fields.length +
      (recording.hasTwin(sight) ? 0.5 : 0);
    const sized = sights.slice(0, LOOKED_AT).map((sight) => [sight, changeable(sight)] as const);
    const [[richest] = []] = sized.sort(([, one], [, other]) => other - one);
    if (!richest) return [];
    return operatorsOf(richest.response).flatMap((operator) => {
      const some = echoes.includes(operator) ? sights : [richest];
      const trials = some.flatMap((sight) => {
        const changed = operator.change(sight.response, sight.request);
        return changed === sight.response ? [] : [[sight, changed] as const];
      });
      return trials.length === 0
        ? []
        : [{ id: `${kind} ${operator.name}`, kind, operator, trials: trials.slice(0, TRIED) }];
    });
  });

const steps = (aspect: string) => aspect.split("/");

/** Whether two aspects overlap: equal, or a place in the body and a value within it. */
function overlap(one: Aspect, other: string): boolean {
  if (one === other) return true;
  if (one === "body") return other.startsWith("body:");
  if (other === "body") return one.startsWith("body:");
  if (!one.startsWith("body:") || !other.startsWith("body:")) return false;
  const [a, b] = [steps(one), steps(other)];
  return a
    .slice(0, b.length)
    .every((step, index) => step === b[index] || step === "*" || b[index] === "*");
}

/** What finds that which a mutant breaks: laws, `prediction` or `state`, each when it is asked for. */
export function* findersOf(
  recording: Recording,
  { kind, operator, trials }: ResponseMutant,
): Generator<string> {
  for (const [sight, changed] of trials)
    for (const { by, aspect } of recording.findings(sight, changed, kind))
      if (operator.breaks.some((one) => overlap(one, aspect))) yield by;
}

export const isFound = (recording: Recording, mutant: ResponseMutant): boolean =>
  findersOf(recording, mutant).next().done === false;

/** The same for any deployment: the ways are derived from a response of the kind when it comes. */
export function responseMutant(id: string): Mutant {
  const answer: NonNullable<Mutant["answer"]> = (right, request) => {
    const kind = kindOf(right, request);
    const operator =
      id.startsWith(kind) && operatorsOf(right).find(({ name }) => id === `${kind} ${name}`);
    return operator ? operator.change(right, request) : right;
  };
  return { id, answer };
}
