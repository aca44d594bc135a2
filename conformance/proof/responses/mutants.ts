import type { Mutant, Reply } from "../proxy/message.ts";
import { type Aspect, echoes, type Mutation, mutationsOf, placesOf } from "./operators.ts";
import { kindOf, type Recording, type Sight } from "./recording.ts";

/**
 * Right responses, changed: of each kind in a run, by every mutation operator. Prediction and laws
 * check one without a server, as they would a real response.
 */
export interface ResponseMutant {
  readonly id: string;
  readonly kind: string;
  readonly mutation: Mutation;
  /** The responses to change, each with its changed version; finding one is enough. */
  readonly trials: readonly (readonly [Sight, Reply])[];
}

/** Responses of a kind that are searched for the one with the most to change. */
const LOOKED_AT = 200;
/** How many of a kind are tried where the request decides whether there is something to change. */
const TRIED = 400;

/** Every response mutant of a recorded run. */
export const responseMutantsOf = (recording: Recording): readonly ResponseMutant[] =>
  [...recording.kinds].flatMap(([kind, sights]) => {
    const changeable = (sight: Sight) =>
      placesOf(sight.response).length * 100 +
      sight.response.fields.length +
      (recording.hasTwin(sight) ? 0.5 : 0);
    const sized = sights.slice(0, LOOKED_AT).map((sight) => [sight, changeable(sight)] as const);
    const [[richest] = []] = sized.sort(([, one], [, other]) => other - one);
    if (!richest) return [];
    return mutationsOf(richest.response).flatMap((mutation) => {
      const some = echoes.includes(mutation) ? sights : [richest];
      const trials = some.flatMap((sight) => {
        const changed = mutation.change(sight.response, sight.request);
        return changed === sight.response ? [] : [[sight, changed] as const];
      });
      return trials.length === 0
        ? []
        : [{ id: `${kind} ${mutation.name}`, kind, mutation, trials: trials.slice(0, TRIED) }];
    });
  });

const steps = (aspect: string) => aspect.split("/");

/** Whether two aspects overlap: equal, or a place in the body and a value within it. */
function overlap(aspect: Aspect, otherText: string): boolean {
  if (aspect === otherText) return true;
  if (aspect === "body") return otherText.startsWith("body:");
  if (otherText === "body") return aspect.startsWith("body:");
  if (!aspect.startsWith("body:") || !otherText.startsWith("body:")) return false;
  const [a, b] = [steps(aspect), steps(otherText)];
  return a
    .slice(0, b.length)
    .every((step, index) => step === b[index] || step === "*" || b[index] === "*");
}

/** What finds a mutant: laws, `prediction` or `state`, each when it is asked for. */
export function* findersOf(
  recording: Recording,
  { kind, mutation, trials }: ResponseMutant,
): Generator<string> {
  for (const [sight, changed] of trials)
    for (const { by, aspect } of recording.findings(sight, changed, kind))
      if (mutation.breaks.some((one) => overlap(one, aspect))) yield by;
}

export const isFound = (recording: Recording, mutant: ResponseMutant): boolean =>
  findersOf(recording, mutant).next().done === false;

/** The same mutant as a deployment: its mutation is derived from a response when it comes. */
export function responseMutant(id: string): Mutant {
  const answer: NonNullable<Mutant["answer"]> = (right, request) => {
    const kind = kindOf(right, request);
    const mutation =
      id.startsWith(kind) && mutationsOf(right).find(({ name }) => id === `${kind} ${name}`);
    return mutation ? mutation.change(right, request) : right;
  };
  return { id, answer };
}
