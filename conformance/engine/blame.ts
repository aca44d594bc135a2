import { Api } from "../client/api.ts";
import { expectAccepted, expectSuccess } from "../client/expect.ts";
import { Expectation, Stopped } from "../client/expectation.ts";
import { commands, operationOf, queries } from "../client/operation.ts";
import type { Reply } from "../client/reply.ts";
import type { Session } from "../client/transport.ts";
import type { Exchange } from "../client/wire/exchange.ts";
import type { Operation, Requirement } from "../oracle/contract.ts";
import type { CheckResult } from "../report/report.ts";
import { asking, type Judgement } from "./judge.ts";
import { requirementOf } from "./select.ts";

/** By an operation's id, the faults of its response to a valid call. */
export type Faults = ReadonlyMap<string, { readonly status: number; readonly found: Expectation }>;

/** The clause that defines a success: its checks report every fault in one. */
const OF_SUCCESS = "D9";

/**
 * Sends a valid call to each operation that needs no value of the target, before any check has run: commands only if `creates`,
 * that is if checks will call them too. `exchanges` gets each exchange.
 */
export async function faultsOf(
  session: Session,
  origin: "given" | "decided",
  creates: boolean,
  exchanges: (some: readonly Exchange[]) => Promise<void>,
): Promise<Faults> {
  const faults = new Map<string, { status: number; found: Expectation }>();
  const expectRight = async (api: Api, { id }: Operation) => {
    let reply: Reply | undefined;
    try {
      reply = await api.call(id, { input: api.example(id) });
      if (origin === "given") expectAccepted(reply);
      else expectSuccess(reply, id);
    } catch (error) {
      if (reply && error instanceof Expectation) faults.set(id, { status: reply.status, found: error });
      // Without a response nothing is known of it.
      else if (!(error instanceof Expectation || error instanceof Stopped)) throw error;
    }
  };
  const called = creates ? [...queries, ...commands] : queries;
  for (const operation of called.filter(({ exampleFrom }) => Object.keys(exampleFrom).length === 0)) {
    const api = new Api(session, { origin, rateLimited: false });
    await asking(session, () => expectRight(api, operation));
    await exchanges(api.exchanges);
  }
  return faults;
}

/** The part of a response that a finding names: a member, or the expected status; null for the whole. */
function subjectOf({ aspect, expected }: Expectation): string | null {
  if (aspect === "status") return /\b2\d\d\b/.exec(expected)?.[0] ?? null;
  return /^body:.*\/([^/]+)$/.exec(aspect)?.[1] ?? null;
}

/** What a check expects of a valid call. */
const ACCEPTANCE = /^(an acceptance|(status )?2\d\d\b)/;

/** Whether a requirement covers what is wrong with a success of this operation. */
function speaksOf({ clause, sentence, operation }: Requirement, id: string, found: Expectation, refused: boolean) {
  if (clause === OF_SUCCESS) return !refused;
  const subject = refused ? null : subjectOf(found);
  // For the whole response: the requirements that define what the operation responds with.
  return subject === null
    ? operation === id && /^`[^`]+`( by \w+)?( with .*)? answers /.test(sentence)
    : sentence.split(/[^\w-]+/).includes(subject);
}

/**
 * A finding that belongs to another check leaves this one open: if the operation responds to any valid call so, or wrongly in the
 * same place, and the requirement is about something else.
 */
export function excused(judgement: Judgement, faults: Faults): Judgement {
  const { check, expectation, decisive } = judgement;
  // Of raw bytes only the first request counts: here it does not matter how it was written.
  const operation = decisive?.answer ? operationOf({ ...decisive, request: { ...decisive.request, raw: null } }) : null;
  const fault = operation && faults.get(operation.id);
  if (!fault || !expectation || fault.status !== decisive?.answer?.status) return judgement;
  const { found } = fault;
  const failing = fault.status >= 500;
  const refused = fault.status >= 400;
  // A missing rejection is not a fault of the response.
  const isSame = ({ aspect, expected }: { readonly aspect: string; readonly expected: string }) => {
    if (failing && /^(status|body.*|header:content-type)$/.test(aspect)) return true;
    if (aspect !== "status") return !failing && aspect === found.aspect;
    return refused ? ACCEPTANCE.test(expected) : expected.startsWith(found.expected);
  };
  if (!isSame(expectation) || speaksOf(requirementOf(check), operation.id, found, refused)) return judgement;
  const reason = `${operation.id} is not right even when it is called rightly: ${found.message}`;
  // A check of every success shows the first wrong one, which may be of another operation.
  const isSaidBy = ({ requirement: { clause }, failure }: CheckResult) =>
    failure !== null && (clause === OF_SUCCESS || failure.operation === operation.id) && isSame(failure);
  return { ...judgement, outcome: "incomplete", reason, isSaidBy };
}
