import type { Check, ExchangesCheck, TargetCheck } from "../checks/check.ts";
import { Api } from "../client/api.ts";
import { counted } from "../client/counted.ts";
import { Unasked } from "../client/examples.ts";
import { Expectation, Stopped, Withheld } from "../client/expectation.ts";
import { operationOf } from "../client/operation.ts";
import type { Secret } from "../client/redact/redact.ts";
import type { Session } from "../client/transport.ts";
import type { Exchange } from "../client/wire/exchange.ts";
import type { Model } from "../models/model.ts";
import type { CheckResult } from "../report/report.ts";
import { NEEDS_ALLOW, requirementOf } from "./select.ts";

/** An exchange, and the check that sent it; null for the preflight. */
export interface Recorded {
  readonly check: string | null;
  readonly exchange: Exchange;
}

/** The result of one check, before baseline and redaction. */
export interface Judgement {
  readonly check: Check;
  readonly outcome: "passed" | "failed" | "incomplete" | "not selected";
  readonly expectation: Expectation | null;
  /** Why it is incomplete, or was not selected after all; null otherwise. */
  readonly reason: string | null;
  /**
   * For an incomplete check with a finding that another check should report: whether this failure reports it. If none in the run
   * does, it is a failure after all: a visible fault is never left open.
   */
  readonly isSaidBy: ((failed: CheckResult) => boolean) | null;
  /** A fault of the harness; null otherwise. */
  readonly fault: string | null;
  readonly exchanges: readonly Exchange[];
  /**
   * The exchange that decided it: the finding names it, or its response was read last, or it had none. Null if nothing was sent.
   */
  readonly decisive: Exchange | null;
  /** Checks that must run too to reproduce a failure of this one. */
  readonly with: readonly string[];
  /** Pointers of the exceptions that it used. */
  readonly excepted: readonly string[];
  readonly durationMs: number;
  /** The predictions for its exchanges; null if there are none. */
  readonly model: Model | null;
  /** The exchanges that a failure takes, if it takes several: in sequence, those of an inner list in parallel. */
  readonly script?: readonly (readonly Exchange[])[] | undefined;
}

const words = (error: unknown) => (error instanceof Error ? `${error.name}: ${error.message}` : String(error));

/** Runs a function that throws an `Expectation` for a finding, and returns the result. */
export async function judge(
  check: Check,
  exchanges: readonly Exchange[],
  action: () => Promise<void> | void,
  read: () => Exchange | null = () => null,
): Promise<Judgement> {
  const startedAt = performance.now();
  const end = (rest: Partial<Judgement> & Pick<Judgement, "outcome">): Judgement => ({
    check,
    expectation: null,
    reason: null,
    isSaidBy: null,
    fault: null,
    exchanges,
    decisive: read() ?? exchanges.at(-1) ?? null,
    with: [],
    excepted: [],
    durationMs: performance.now() - startedAt,
    model: null,
    ...rest,
  });
  try {
    await action();
    return end({ outcome: "passed" });
  } catch (error) {
    if (error instanceof Expectation) {
      const silent = error.aspect === "connection" ? exchanges.findLast(({ answer }) => answer === null) : undefined;
      const shown = error.exchange ?? silent;
      const failed = end({ outcome: "failed", expectation: error, ...(shown ? { decisive: shown } : {}) });
      const isOwn = error.saidBy === null || error.saidBy === check.requirement;
      return isOwn ? failed : left(failed, error.saidBy);
    }
    if (error instanceof Withheld) {
      const needed = error.effect === null ? "" : `${NEEDS_ALLOW}${error.effect}: it sends `;
      return end({ outcome: "not selected", reason: needed + error.message });
    }
    if (error instanceof Stopped) return end({ outcome: "incomplete", reason: error.message });
    const fault = `the check ${check.id} itself failed: ${words(error)}`;
    return end({ outcome: "incomplete", reason: fault, fault });
  }
}

/** Another requirement reports its finding first. */
function left(failed: Judgement, by: NonNullable<Expectation["saidBy"]>): Judgement {
  const operation = failed.decisive && (operationOf(failed.decisive)?.id ?? null);
  const isSaidBy = ({ requirement, failure }: CheckResult) =>
    by === "its operation" ? operation !== null && failure?.operation === operation : requirement.id === by;
  return { ...failed, outcome: "incomplete", reason: `${by} says this: ${failed.expectation?.message}`, isSaidBy };
}

/** No other requirement reports it: a failure. */
export const unsaid = (judgement: Judgement): Judgement =>
  judgement.isSaidBy ? { ...judgement, outcome: "failed", reason: null, isSaidBy: null } : judgement;

/** Runs an action that may need values that exist on the target: they are looked up then, and it restarts. */
export async function asking<T>(session: Session, action: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await action();
    } catch (error) {
      if (!(error instanceof Unasked)) throw error;
      await session.examples.ask(error.operation, new Api(session, { origin: "given", rateLimited: false }));
    }
  }
}

/** Runs a check against its target. After a hostile check the target must still be alive and right. */
export async function judgeTarget(check: TargetCheck, session: Session): Promise<Judgement> {
  const { origin } = requirementOf(check);
  const api = new Api(session, { origin, rateLimited: check.rateLimited });
  const action = async () => {
    if (session.stop.aborted) throw Stopped.by(session.stop);
    await asking(session, () => check.run(api));
    if (check.effect === "hostile") await api.alive();
  };
  return { ...(await judge(check, api.exchanges, action, () => api.decisive)), model: session.model };
}

/**
 * Checks every exchange of a run as it comes, so that none has to be kept; of several findings the first is shown, the rest are
 * counted.
 */
export class Overall {
  private first: Judgement | null = null;
  private findings = 0;
  private seen = 0;
  private readonly memory = new Map<string, string>();

  constructor(
    private readonly check: ExchangesCheck,
    private readonly secrets: readonly Secret[],
    /** The predictions for the exchanges; null if there are none. */
    private readonly model: Model | null,
  ) {}

  /** Every law sees each response, and nearly all pass: a result, and a promise, is created only for an error. */
  see({ check: source, exchange }: Recorded): Promise<void> | undefined {
    // The first requests of a run are no reason to call a law kept.
    if (source !== null) this.seen += 1;
    const context = { predicted: this.model?.predicted(exchange), memory: this.memory };
    try {
      this.check.judge(exchange, this.secrets, context);
      return undefined;
    } catch (error) {
      return this.add(source, exchange, error);
    }
  }

  private async add(source: Recorded["check"], exchange: Exchange, error: unknown): Promise<void> {
    const judgement = await judge(this.check, [exchange], () => {
      throw error;
    });
    this.findings += 1;
    this.first ??= { ...judgement, with: source === null ? [] : [source] };
  }

  async end(whole: boolean): Promise<Judgement> {
    const { first, findings, seen, check } = this;
    if (first?.expectation) {
      const more = findings > 1 ? ` (and in ${counted(findings - 1, "more answer")})` : "";
      const { aspect, expected, actual } = first.expectation;
      return { ...first, expectation: new Expectation(aspect, expected, actual + more) };
    }
    if (first) return first;
    return judge(check, [], () => {
      if (!whole) throw new Stopped("the run ended before all exchanges were seen");
      if (seen === 0) throw new Stopped("no check is selected that sends requests for it to judge");
    });
  }
}

/** The same for a complete list of recorded exchanges. */
export async function judgeExchanges(
  check: ExchangesCheck,
  recorded: readonly Recorded[],
  secrets: readonly Secret[],
  model: Model | null,
): Promise<Judgement> {
  const overall = new Overall(check, secrets, model);
  for (const one of recorded) await overall.see(one);
  return overall.end(true);
}
