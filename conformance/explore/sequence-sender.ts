import type { ExchangesCheck } from "../checks/check.ts";
import { passEnd } from "../checks/state.ts";
import { Api } from "../client/api.ts";
import { secretsOf } from "../client/credentials.ts";
import { Stopped, Withheld } from "../client/expectation.ts";
import type { Session } from "../client/transport.ts";
import type { Exchange } from "../client/wire/exchange.ts";
import type { Asking } from "../lists/list.ts";
import { Model } from "../models/model.ts";
import { fieldsOf } from "../oracle/world.ts";
import { takingAtOnce } from "../sequences/run.ts";
import { type Space, spaceOf } from "../sequences/space.ts";
import type { Sequence } from "../sequences/step.ts";
import { type Finding, unlawful } from "./sender.ts";
import { stepsOf } from "./sequences.ts";

const hasCreated = ({ request, answer }: Exchange) =>
  request.method === "POST" && answer?.status === 201 && fieldsOf(answer.headers, "Idempotent-Replayed").length === 0;

/** Sends sequences and checks each response: against the state of a model, and laws. */
export class SequenceSender {
  private readonly lasts = new WeakMap<Sequence, number>();
  private readonly space: Space;
  private readonly secrets;
  /** How many requests were sent, and records created. */
  sent = 0;
  created = 0;
  /** Why no more sequences can be sent, such as a list too long to read; null if they can. */
  ended: Stopped | null = null;

  constructor(
    private readonly session: Session,
    private readonly asking: Asking,
    private readonly laws: readonly ExchangesCheck[],
  ) {
    this.space = spaceOf(asking.api, asking.operations);
    this.secrets = secretsOf(session.credentials);
  }

  /** The values for building sequences; without commands if they may not create users. */
  spaceFor(mayCreate: boolean): Space {
    return mayCreate ? this.space : { ...this.space, commands: [] };
  }

  /** The part of a sequence that has shown the finding. */
  readonly shownBy = (sequence: Sequence): Sequence => sequence.slice(0, this.lasts.get(sequence));

  /**
   * Sends a sequence until such a finding; undefined if it would create more than this many records. Values and keys are new, and the
   * model knows only what this sequence has shown: the finding needs no earlier request, and the sequence can be shrunk although
   * the deployment keeps its records.
   */
  async find(
    sequence: Sequence,
    isIt: (finding: Finding) => boolean,
    most: number,
  ): Promise<Finding | null | undefined> {
    const { users, stop } = this.session;
    const records = sequence
      .flatMap(stepsOf)
      .flatMap(({ operation, record }) => (record === undefined ? [] : `${operation} ${record}`));
    if (new Set(records).size > Math.min(most, users.left)) return undefined;
    try {
      return await this.attempt(sequence, isIt);
    } catch (error) {
      if (stop.aborted || !(error instanceof Stopped || error instanceof Withheld)) throw error;
      if (error instanceof Stopped) this.ended = error;
      return null;
    }
  }

  private async attempt(sequence: Sequence, isIt: (finding: Finding) => boolean): Promise<Finding | null> {
    const { api, model } = await this.begin();
    const memory = new Map<string, string>();
    const script: (readonly Exchange[])[] = [];
    let [seen, at] = [0, 0];
    for await (const taken of takingAtOnce(api, sequence)) {
      const exchanges = api.exchanges.slice(seen);
      seen += exchanges.length;
      at += 1;
      // A step may send nothing, or again on a new connection.
      if (exchanges.length > 0) script.push(taken.length === 1 ? exchanges.slice(-1) : exchanges);
      this.sent += exchanges.length;
      this.created += exchanges.filter(hasCreated).length;
      const shown = exchanges.find(({ answer }) => answer === null) ?? exchanges.at(-1) ?? null;
      const found = [
        ...taken.flatMap(({ finding }) =>
          finding ? [{ by: finding.by, law: null, expectation: finding.expectation.shownBy(shown) }] : [],
        ),
        ...exchanges.flatMap((exchange) =>
          unlawful(exchange, this.laws, this.secrets, model, memory).map(({ law, expectation }) => ({
            ...{ by: law.requirement, law: law.id, expectation },
          })),
        ),
      ]
        .map((one) => ({ ...one, exchanges: api.exchanges, script }))
        .find(isIt);
      if (!found) continue;
      this.lasts.set(sequence, at);
      return found;
    }
    return null;
  }

  /** A model that knows nothing of earlier sequences but where the lists end. */
  private async begin(): Promise<{ api: Api; model: Model }> {
    const { session, asking } = this;
    const { oracle, names } = asking.model;
    const model = new Model(oracle, session.credentials, session.target.prefix);
    for (const [id, some] of names) model.names.set(id, new Set(some));
    const traits = { origin: "decided", rateLimited: false } as const;
    const reader = new Api(session, traits);
    for (const { id } of this.space.lists) {
      const list = oracle.contract.operations[id];
      if (list) await passEnd(reader, list, model);
    }
    return { api: new Api({ ...session, model }, traits), model };
  }
}
