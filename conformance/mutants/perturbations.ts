import type { Contract } from "../oracle/contract.ts";
import { kindOf, ofKind, placesIn } from "./kinds.ts";
import { changesAnswer, type Mutant, type Operator, type Selector } from "./mutant.ts";
import type { ProxyAnswer } from "./proxy/message.ts";
import type { Recording, Sight } from "./recording.ts";
import { echoes } from "./said.ts";
import { operatorsOf } from "./ways.ts";

/**
 * Right responses, perturbed: of each kind in a run, in every way derived from its status, its header fields, its members and
 * their schema. Prediction and laws evaluate one without a server, as they would a real response.
 */
export interface Perturbation extends Mutant {
  readonly kind: string;
  readonly selector: Selector;
  readonly operator: Operator;
  /** The responses to perturb, each with its changed version; catching one is enough. */
  readonly trials: readonly (readonly [Sight, ProxyAnswer])[];
  /** Another one of the kind, which comparing laws saw before. */
  readonly before: Sight;
}

/** Responses of a kind that are searched for the one with the most to perturb. */
const LOOKED_AT = 200;

/** The one with the most to perturb, and then one of each check. */
function chosen(sights: readonly Sight[], recording: Recording): readonly Sight[] {
  const size = (sight: Sight) => {
    const { answer } = sight.exchange;
    return placesIn(answer, 9).length * 100 + answer.headers.length + (recording.twinOf(sight) ? 0.5 : 0);
  };
  const sized = sights.slice(0, LOOKED_AT).map((sight) => [sight, size(sight)] as const);
  const [[richest] = []] = sized.sort(([, one], [, other]) => other - one);
  return richest ? [richest, ...new Map(sights.map((sight) => [sight.check, sight])).values()] : [];
}

/** Every perturbation of a recorded run. */
export function perturbationsOf(contract: Contract, recording: Recording): readonly Perturbation[] {
  return [...recording.kinds].flatMap(([kind, sights]) => {
    const [richest, ...others] = chosen(
      sights.filter(({ predicted, request }) => predicted && request),
      recording,
    );
    if (!richest) return [];
    const before = sights.find((one) => one !== richest && one.predicted) ?? richest;
    const selector = ofKind(
      kind,
      sights.some(({ request }) => request === null),
    );
    return operatorsOf(contract, richest.exchange.answer).flatMap((operator) => {
      const trials = (echoes.includes(operator) ? [richest, ...others] : [richest]).flatMap((sight) => {
        const { answer } = sight.exchange;
        const perturbed = operator.change(answer, sight.request);
        return perturbed === answer ? [] : [[sight, perturbed] as const];
      });
      return trials.length === 0
        ? []
        : [{ ...changesAnswer(selector, operator), kind, selector, operator, trials, before }];
    });
  });
}

/** The same for any deployment: the ways are derived from a response of the kind when it comes. */
export function perturbing(contract: Contract, id: string): Mutant {
  const answer: NonNullable<Mutant["hooks"]["answer"]> = (right, request) => {
    const kind = kindOf(right, request);
    const operator = id.startsWith(kind) && operatorsOf(contract, right).find(({ name }) => id === `${kind} ${name}`);
    return operator ? operator.change(right, request) : right;
  };
  return { id, breaks: [], hooks: { answer } };
}
