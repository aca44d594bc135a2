import type { Check, ExchangesCheck, TargetCheck } from "../checks/check.ts";
import { Api } from "../client/api.ts";
import { Unasked } from "../client/examples.ts";
import { Expectation, Stopped, Withheld } from "../client/expectation.ts";
import { operationOf } from "../client/operation.ts";
import type { Secret } from "../client/redact/redact.ts";
import type { Session } from "../client/transport.ts";
import type { Exchange } from "../client/wire/exchange.ts";
import type { CheckResult } from "../report/report.ts";
import { NEEDS_ALLOW, requirementOf } from "./select.ts";

/** An exchange, and the check that made it; null for the preflight. */
export interface Recorded {
  readonly check: string | null;
  readonly exchange: Exchange;
}

/** What became of one check, before baseline and redaction. */
export interface Judgement {
  readonly check: Check;
  readonly outcome: "passed" | "failed" | "incomplete" | "not selected";
  readonly expectation: Expectation | null;
  /** Why it is incomplete, or was not selected after all; null otherwise. */
  readonly reason: string | null;
  /**
   * Of an incomplete one that has found what is not its own to say: whether this failure says it. Where none of the run does, it
   * is a failure after all: what is visibly broken is never left open.
   */
  readonly isSaidBy: ((failed: CheckResult) => boolean) | null;
  /** The harness's own fault; null otherwise. */
  readonly fault: string | null;
  readonly exchanges: readonly Exchange[];
  /** The one that decided it: whose answer was looked at last, or that had none. Null where nothing was sent. */
  readonly decisive: Exchange | null;
  /** Checks that must run too, for a failure of this one to come back. */
  readonly with: readonly string[];
  /** Pointers of the exceptions that it needed. */
  readonly excepted: readonly string[];
  readonly durationMs: number;
}

const words = (error: unknown) => (error instanceof Error ? `${error.name}: ${error.message}` : String(error));

/** Runs something that throws an `Expectation` for a finding, and tells what became of it. */
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
    ...rest,
  });
  try {
    await action();
    return end({ outcome: "passed" });
  } catch (error) {
    if (error instanceof Expectation) {
      const silent = error.aspect === "connection" ? exchanges.findLast(({ answer }) => answer === null) : undefined;
      const failed = end({ outcome: "failed", expectation: error, ...(silent ? { decisive: silent } : {}) });
      const isOwn = error.saidBy === null || error.saidBy === check.requirement;
      return isOwn ? failed : left(failed, error.saidBy);
    }
    if (error instanceof Withheld)
      return end({ outcome: "not selected", reason: `${NEEDS_ALLOW}hostile: it sends ${error.message}` });
    if (error instanceof Stopped) return end({ outcome: "incomplete", reason: error.message });
    const fault = `the check ${check.id} itself failed: ${words(error)}`;
    return end({ outcome: "incomplete", reason: fault, fault });
  }
}

/** Somebody else says first what it has found. */
function left(failed: Judgement, by: NonNullable<Expectation["saidBy"]>): Judgement {
  const operation = failed.decisive && (operationOf(failed.decisive)?.id ?? null);
  const isSaidBy = ({ requirement, failure }: CheckResult) =>
    by === "its operation" ? operation !== null && failure?.operation === operation : requirement.id === by;
  return { ...failed, outcome: "incomplete", reason: `${by} says this: ${failed.expectation?.message}`, isSaidBy };
}

/** Nobody else says it: a failure. */
export const unsaid = (judgement: Judgement): Judgement =>
  judgement.isSaidBy ? { ...judgement, outcome: "failed", reason: null, isSaidBy: null } : judgement;

/** Does what may need values that exist on the target: they are asked for then, and it begins anew. */
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

/** Runs a check against its target. After a hostile one the target must still be there and right. */
export function judgeTarget(check: TargetCheck, session: Session): Promise<Judgement> {
  const { origin } = requirementOf(check);
  const api = new Api(session, { origin, rateLimited: check.rateLimited });
  const action = async () => {
    await asking(session, () => check.run(api));
    if (check.effect === "hostile") await api.alive();
  };
  return judge(check, api.exchanges, action, () => api.decisive);
}

/** Judges every exchange of the run; of several findings the first is shown, the rest are counted. */
export async function judgeExchanges(
  check: ExchangesCheck,
  recorded: readonly Recorded[],
  secrets: readonly Secret[],
  whole: boolean,
): Promise<Judgement> {
  const findings: Judgement[] = [];
  for (const { check: source, exchange } of recorded) {
    const judgement = await judge(check, [exchange], () => check.judge(exchange, secrets));
    if (judgement.outcome !== "passed") findings.push({ ...judgement, with: source === null ? [] : [source] });
  }
  const first = findings[0];
  if (first?.expectation) {
    const more = findings.length > 1 ? ` (and in ${findings.length - 1} more answers)` : "";
    const { aspect, expected, actual } = first.expectation;
    return { ...first, expectation: new Expectation(aspect, expected, actual + more) };
  }
  if (first) return first;
  return judge(check, [], () => {
    if (!whole) throw new Stopped("the run ended before all exchanges were seen");
    if (recorded.length === 0) throw new Stopped("nothing was sent that it could judge");
  });
}
