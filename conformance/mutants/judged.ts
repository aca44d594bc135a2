import type { ExchangesCheck } from "../checks/check.ts";
import { type Aspect, Expectation } from "../client/expectation.ts";
import { Reply } from "../client/reply.ts";
import { compare } from "../lists/compare.ts";
import { ours } from "../lists/ours.ts";
import { overlap } from "./mutant.ts";
import type { Perturbation } from "./perturbations.ts";
import type { ProxyAnswer } from "./proxy/message.ts";
import type { Recording, Sight } from "./recording.ts";
import { overAll } from "./trial.ts";

/** A finding about one response, without a server: by its prediction, or by a law. */

export interface Finding {
  /** The law; null for the prediction. */
  readonly law: string | null;
  /** The requirement that it names. */
  readonly by: string;
  readonly aspect: Aspect;
}

export class Judge {
  /** The memory of a law after a right response. */
  private readonly memories = new Map<string, ReadonlyMap<string, string>>();
  /** The laws that have rejected a perturbed response for what it breaks. */
  private readonly proven = new Set<string>();

  constructor(
    private readonly recording: Recording,
    private readonly laws: readonly ExchangesCheck[] = overAll,
  ) {}

  /** The findings about this response to the request of `sight`, by the prediction, and by these laws, which have seen `before`. */
  *findings(
    sight: Sight,
    answer: ProxyAnswer,
    before: Sight,
    wanted: (law: ExchangesCheck) => boolean = () => true,
  ): Generator<Finding> {
    const exchange = { ...sight.exchange, answer: { ...sight.exchange.answer, ...answer } };
    const { predicted } = sight;
    const found: Finding[] = [];
    if (predicted)
      attempt(
        () => compare(new Reply(exchange, exchange.answer), predicted.prediction, ours.contract),
        ({ aspect, saidBy }) => found.push({ law: null, by: saidBy ?? predicted.prediction.by, aspect }),
      );
    yield* found.splice(0);
    for (const law of this.laws) {
      if (!wanted(law)) continue;
      const memory = new Map(before === sight ? [] : this.memory(law, before));
      const twin = this.recording.twinOf(sight);
      if (twin) law.judge(twin.exchange, this.recording.secrets, { predicted: twin.predicted, memory });
      attempt(
        () => law.judge(exchange, this.recording.secrets, { predicted, memory }),
        ({ aspect, saidBy }) => found.push({ law: law.id, by: saidBy ?? law.requirement, aspect }),
      );
      yield* found.splice(0);
    }
  }

  /** The findings of the laws about the responses of a whole run, in sequence. */
  run(responses: readonly (readonly [Sight, ProxyAnswer])[]): readonly Finding[] {
    const found: Finding[] = [];
    for (const law of this.laws) {
      const memory = new Map<string, string>();
      for (const [{ exchange, predicted }, answer] of responses)
        attempt(
          () =>
            law.judge({ ...exchange, answer: { ...exchange.answer, ...answer } }, this.recording.secrets, {
              ...{ predicted, memory },
            }),
          ({ aspect, saidBy }) => found.push({ law: law.id, by: saidBy ?? law.requirement, aspect }),
        );
    }
    return found;
  }

  /**
   * The findings about what a perturbation breaks, in the first of its responses that shows it. After one, only laws that have
   * rejected nothing so far look at it.
   */
  caught({ trials, before, breaks }: Perturbation): readonly Finding[] {
    const about: Finding[] = [];
    const wanted = ({ id }: ExchangesCheck) => about.length === 0 || !this.proven.has(id);
    for (const [sight, perturbed] of trials) {
      for (const finding of this.findings(sight, perturbed, before, wanted)) {
        if (!breaks.some((one) => overlap(one, finding.aspect))) continue;
        about.push(finding);
        if (finding.law !== null) this.proven.add(finding.law);
      }
      if (about.length > 0) return about;
    }
    return [];
  }

  private memory(law: ExchangesCheck, before: Sight): ReadonlyMap<string, string> {
    const id = `${law.id} ${before.exchange.request.url} ${before.exchange.answer.headers.length}`;
    const known = this.memories.get(id);
    if (known) return known;
    const memory = new Map<string, string>();
    law.judge(before.exchange, this.recording.secrets, { predicted: before.predicted, memory });
    this.memories.set(id, memory);
    return memory;
  }
}

function attempt(judge: () => void, found: (expectation: Expectation) => void): void {
  try {
    judge();
  } catch (error) {
    if (!(error instanceof Expectation)) throw error;
    found(error);
  }
}
