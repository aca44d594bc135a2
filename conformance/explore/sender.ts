import type { ExchangesCheck } from "../checks/check.ts";
import { expectUnchanged, type State } from "../checks/state.ts";
import { Api } from "../client/api.ts";
import { secretsOf } from "../client/credentials.ts";
import { Expectation, Withheld } from "../client/expectation.ts";
import { Reply } from "../client/reply.ts";
import { send } from "../client/send.ts";
import type { Session } from "../client/transport.ts";
import type { Exchange } from "../client/wire/exchange.ts";
import { type Asking, type Judged, judged, ownAddresses, watch, withheldFrom } from "../lists/list.ts";
import type { Model } from "../models/model.ts";
import type { Prediction } from "../oracle/predict.ts";
import { fieldsOf, type Request } from "../oracle/world.ts";
import { type Draft, written } from "./draft.ts";
import { differsFromGet } from "./head.ts";

/** A defect shown by a response, or by the state after it. */
export interface Finding {
  /** The requirement that is not met. */
  readonly by: string;
  /** The law that found it; null if the response differs from its prediction. */
  readonly law: string | null;
  readonly expectation: Expectation;
  /** The steps that show it, the faulty one last. */
  readonly exchanges: readonly Exchange[];
  /** If it takes all of them: in sequence, those of an inner list in parallel. */
  readonly script?: readonly (readonly Exchange[])[];
}

/** A request that was sent; `by` decided its prediction. */
export interface Sent {
  readonly by: string;
  readonly exchange: Exchange | null;
  readonly findings: readonly Finding[];
  /** Why it was not sent after all. */
  readonly withheld?: Withheld;
}

type Addresses = ReturnType<typeof ownAddresses>;

/** Sends drafts and checks the responses: against prediction, laws and, if requested, the state of the target. */
export class Sender {
  private readonly memory = new Map<string, string>();
  /** Addresses that a right server never creates; those of the last user; those sent with an idempotency key. */
  private free: Addresses = [];
  private taken: Addresses = [];
  private readonly keyed = new Map<string, Addresses>();
  private states = new Map<string, State>();
  private readonly secrets;
  /** How many commands were carried out. */
  created = 0;

  constructor(
    private readonly session: Session,
    private readonly asking: Asking,
    private readonly laws: readonly ExchangesCheck[],
  ) {
    this.secrets = secretsOf(session.credentials);
  }

  private api(): Api {
    return new Api(this.session, { origin: "decided", rateLimited: false });
  }

  /** Whether the contract has this requirement. */
  exists(requirement: string): boolean {
    return this.asking.oracle.contract.requirements.some(({ id }) => id === requirement);
  }

  /** Resets addresses and the known state. */
  begin(): void {
    this.free = ownAddresses(this.api());
    this.states = new Map();
  }

  /** Throws an `Expectation` if a rejected request has changed something. */
  async expectNothingChanged(api = this.api()): Promise<void> {
    for (const state of this.states.values()) await expectUnchanged(api, state);
  }

  /** The request of a draft, and the addresses in it. */
  private write(draft: Draft): { request: Request; prediction: Prediction; addresses: Addresses } {
    const { oracle, model } = this.asking;
    const key = (headers: Request["fields"]) => fieldsOf(headers, "Idempotency-Key").join(", ");
    const known = (key(draft.headers) && this.keyed.get(key(draft.headers))) || this.free;
    const addresses = draft.taken && this.taken.length > 0 ? this.taken : known;
    const request = written(draft, addresses);
    const prediction = oracle.predict(request, model);
    if (!isCarriedOut(request, prediction)) return { request, prediction, addresses };
    const fresh = ownAddresses(this.api());
    const again = written(draft, fresh);
    this.keyed.set(key(again.fields), fresh);
    return { request: again, prediction: oracle.predict(again, model), addresses: fresh };
  }

  /**
   * Sends the request of a draft; null if it must not be sent: a run that may create no more, a user that would not have the
   * address of this run.
   */
  async send(draft: Draft, mayCreate: boolean, reads: boolean): Promise<Sent | null> {
    const { request, prediction, addresses } = this.write(draft);
    const api = this.api();
    const asking = { ...this.asking, api };
    const carriedOut = isCarriedOut(request, prediction);
    const marked = addresses.length === 0 || addresses.some(([, own]) => request.body.includes(own));
    if (carriedOut && !(mayCreate && api.usersLeft > 0 && marked)) return null;
    const withheld = withheldFrom(asking, request, prediction, addresses);
    if (withheld) return { by: prediction.by, exchange: null, findings: [], withheld };
    const own = this.free.map(([, address]) => address);
    if (!carriedOut) await watch({ ...asking, api: this.api() }, request, this.states, own);
    let found: Judged["finding"];
    try {
      found = (await judged(asking, request, prediction)).finding;
    } catch (error) {
      if (error instanceof Withheld) return { by: prediction.by, exchange: null, findings: [], withheld: error };
      throw error;
    }
    if (carriedOut) {
      this.created += 1;
      this.taken = addresses;
      // The command's effect is right, so the recorded state is outdated.
      this.states.delete(prediction.operation?.id ?? "");
    }
    const findings = [
      ...(found ? [this.finding(found.by, null, found.expectation, api)] : []),
      ...this.lawfully(api),
      ...(request.method === "HEAD" && prediction.step !== "readHead" ? await this.unlikeGet(request, api) : []),
      ...(reads ? await this.changed(prediction.by, api) : []),
    ];
    return { by: prediction.by, exchange: api.exchanges.at(-1) ?? null, findings };
  }

  private finding(by: string, law: string | null, found: Expectation, { exchanges }: Api): Finding {
    const { aspect, expected, actual, saidBy, exchange } = found;
    const own = saidBy === null || saidBy === "its operation" ? by : saidBy;
    const shown = exchange ?? exchanges.at(-1) ?? null;
    const expectation = new Expectation(aspect, expected, actual, null, shown);
    return {
      by: own,
      law,
      expectation,
      exchanges: exchanges.slice(0, shown ? exchanges.indexOf(shown) + 1 : undefined),
    };
  }

  private lawfully(api: Api): readonly Finding[] {
    return api.exchanges.flatMap((exchange) =>
      unlawful(exchange, this.laws, this.secrets, this.asking.model, this.memory).map(({ law, expectation }) =>
        this.finding(law.requirement, law.id, expectation, api),
      ),
    );
  }

  /** Other clients may change what both return: a difference counts only if it occurs twice. */
  private async unlikeGet(request: Request, api: Api): Promise<readonly Finding[]> {
    let head = api.exchanges.at(-1);
    for (let attempt = 0; head?.answer; attempt += 1) {
      const other = this.api();
      const get = await send(other, { ...request, method: "GET" });
      const found = get && differsFromGet(new Reply(head, head.answer), get);
      if (!found) return [];
      if (attempt > 0) return [this.finding("dispatch/head", "HEAD", found.shownBy(head), api)];
      await send(api, request);
      head = api.exchanges.at(-1);
    }
    return [];
  }

  private async changed(by: string, api: Api): Promise<readonly Finding[]> {
    try {
      await this.expectNothingChanged();
      return [];
    } catch (error) {
      if (!(error instanceof Expectation)) throw error;
      return [this.finding(by, null, error.shownBy(api.exchanges.at(-1) ?? null), api)];
    }
  }
}

/** The laws that an exchange breaks; one left to another requirement is reported by that requirement's own law. */
export const unlawful = (
  exchange: Exchange,
  laws: readonly ExchangesCheck[],
  secrets: ReturnType<typeof secretsOf>,
  model: Model,
  memory: Map<string, string>,
): readonly { law: ExchangesCheck; expectation: Expectation }[] =>
  laws.flatMap((law) => {
    try {
      law.judge(exchange, secrets, { predicted: model.predicted(exchange), memory });
      return [];
    } catch (error) {
      if (!(error instanceof Expectation)) throw error;
      const isOwn = error.saidBy === null || error.saidBy === law.requirement;
      return isOwn ? [{ law, expectation: error.shownBy(exchange) }] : [];
    }
  });

const isCarriedOut = ({ method }: Request, { step, code, or = [], replayed }: Prediction) =>
  method === "POST" && ((step === "handled" && code === null) || or.includes(null)) && !replayed;
