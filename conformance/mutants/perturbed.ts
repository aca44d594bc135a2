import type { Judge } from "./judged.ts";
import type { Perturbation } from "./perturbations.ts";
import type { Recording } from "./recording.ts";
import { aboutIt } from "./trial.ts";

/**
 * Perturbations, evaluated without a server: by prediction and laws, and if those miss one, by the checks that received such a
 * response.
 */

export interface Trial {
  /** The caught ones, and what caught each: a law, or null for a prediction. */
  readonly caught: ReadonlyMap<Perturbation, readonly (string | null)[]>;
  readonly left: readonly Perturbation[];
}

/** By prediction and laws. */
export function tryByLaws(perturbations: readonly Perturbation[], judge: Judge): Trial {
  const found = perturbations.map((one) => [one, judge.caught(one)] as const);
  return {
    caught: new Map(found.flatMap(([one, some]) => (some.length > 0 ? [[one, some.map(({ law }) => law)]] : []))),
    left: found.flatMap(([one, { length }]) => (length === 0 ? [one] : [])),
  };
}

/** Those that no check catches which received such a response. */
export async function leftByChecks(
  perturbations: readonly Perturbation[],
  recording: Recording,
): Promise<readonly Perturbation[]> {
  const left: Perturbation[] = [];
  for (const one of perturbations) if (!(await isCaught(one, recording))) left.push(one);
  return left;
}

async function isCaught({ kind, breaks, selector, operator }: Perturbation, recording: Recording): Promise<boolean> {
  for (const check of recording.checksOf(kind)) {
    const kills = await recording.again(check, (answer, request) =>
      selector.takes(answer, request) ? operator.change(answer, request) : answer,
    );
    if (aboutIt(kills, breaks).length > 0) return true;
  }
  return false;
}
