import { secretsOf } from "../client/credentials.ts";
import type { Secret } from "../client/redact/redact.ts";
import type { Answer, Exchange } from "../client/wire/exchange.ts";
import { judgeTarget } from "../engine/judge.ts";
import { keyOf } from "../laws/head.ts";
import { listOf } from "../lists/list.ts";
import type { Model } from "../models/model.ts";
import type { RunningService } from "../test/service.test-kit.ts";
import { kindOf } from "./kinds.ts";
import type { ProxyRequest } from "./proxy/message.ts";
import { type Change, requestOf, Tape } from "./tape.ts";
import { type Kill, killsOf, type Sender, senders, sessionFor } from "./trial.ts";

/** An exchange of a right service, and its prediction. */
export interface Sight {
  readonly check: Sender;
  readonly exchange: Exchange & { readonly answer: Answer };
  readonly request: ProxyRequest | null;
  readonly predicted: ReturnType<Model["predicted"]>;
}

/** The checks that one run can record completely: without those that wait for time, or compare two targets. */
export const recordable = senders.flatMap((check) => (check.kind === "target" && !check.slow ? [check] : []));

/** One run of the suite against a right service. It lives as long as the test that created it. */
export class Recording {
  /** By the kind of the response. */
  readonly kinds = new Map<string, Sight[]>();
  readonly secrets: readonly Secret[];
  private readonly tapes = new Map<Sender, Tape>();
  private readonly byRequest = new Map<string, Sight>();

  constructor(private readonly service: RunningService) {
    this.secrets = secretsOf(service.credentials);
  }

  /** Runs the checks in sequence. Throws if one of them is not green. */
  async add(checks: readonly (typeof recordable)[number][]): Promise<void> {
    for (const check of [...checks].sort((one, other) => Number(one.last) - Number(other.last))) {
      const tape = new Tape();
      const session = sessionFor(this.service.url, check.id, this.service.credentials, tape.recorder);
      const { outcome, exchanges, expectation, reason } = await judgeTarget(check, session);
      if (outcome !== "passed") throw new Error(`${check.id} on the right service: ${expectation?.message ?? reason}`);
      this.tapes.set(check, tape);
      for (const exchange of exchanges) if (exchange.answer) this.see(check, exchange, exchange.answer, session.model);
    }
  }

  private see(check: Sender, exchange: Exchange, answer: Answer, model: Model | null): void {
    const request = requestOf(exchange.request);
    const kind = kindOf(answer, request);
    const sight = { check, exchange: { ...exchange, answer }, request, predicted: model?.predicted(exchange) };
    this.kinds.set(kind, [...(this.kinds.get(kind) ?? []), sight]);
    if (sight.predicted) this.byRequest.set(`${exchange.request.method} ${keyOf(sight.predicted.request)}`, sight);
  }

  /** The response to the same request by HEAD, or to this HEAD by GET. */
  twinOf({ exchange, predicted }: Sight): Sight | null {
    const other = { GET: "HEAD", HEAD: "GET" }[exchange.request.method];
    return (other && predicted && this.byRequest.get(`${other} ${keyOf(predicted.request)}`)) || null;
  }

  /** The checks that received a response of the kind. */
  seenBy(kind: string): readonly Sender[] {
    return [...new Set(this.kinds.get(kind)?.map(({ check }) => check))];
  }

  /** Those of them that are not lists, those with the fewest requests first: a list compares with the prediction. */
  checksOf(kind: string): readonly Sender[] {
    const length = (check: Sender) => this.tapes.get(check)?.length ?? 0;
    return this.seenBy(kind)
      .filter((check) => !listOf(check))
      .sort((one, other) => length(one) - length(other));
  }

  /** Which checks go red if a check receives these responses instead: itself, and those over all exchanges. */
  async again(check: Sender, change: Change): Promise<readonly Kill[]> {
    const tape = this.tapes.get(check);
    if (!tape || check.kind !== "target") throw new Error(`${check.id} was not recorded`);
    const session = sessionFor(this.service.url, check.id, this.service.credentials, tape.player(change));
    return killsOf(await judgeTarget(check, session), this.secrets, []);
  }
}
