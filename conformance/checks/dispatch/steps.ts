import { order, type Step } from "../../../generated/order.ts";
import type { RequirementId } from "../../../generated/requirements.ts";
import { every, guarded, type Known } from "../../client/operation.ts";
import { type Check, check } from "../check.ts";
import {
  anybody,
  type Caller,
  callerOf,
  type Draft,
  draftOf,
  type Fault,
  faults,
  hostile,
  written,
} from "../faults.ts";
import { answered, expectRefusedAs, inCase, toJudge } from "../probe.ts";

const steps: readonly Step[] = order.map(({ step }) => step);

/** What is judged before the operation is known is the same for all: one of each method stands for them. */
const samples = ["GET", "POST"].flatMap((method) => guarded.filter((one) => one.method === method).slice(0, 1));
const isBeforeOperation = (step: Step) => steps.indexOf(step) <= steps.indexOf("findOperation");

/** What is judged between the method and the representation. */
const ofCredentials = steps.slice(steps.indexOf("readCredentials"), steps.indexOf("negotiate"));

type OrderRequirement = Extract<RequirementId, `dispatch/order${string}` | "credentials/order">;

/** The most particular requirement that says which of the two comes first. */
function requirementOf(step: Step, later: Step): OrderRequirement {
  if (step === "negotiate") return "dispatch/order-accept-before-input";
  if (step === "judgeMethod" && ofCredentials.includes(later)) return "dispatch/order-method-first";
  if (!ofCredentials.includes(step)) return "dispatch/order";
  return ofCredentials.includes(later) ? "credentials/order" : "dispatch/order-credentials-first";
}

/** A request with two faults. */
interface Pair {
  readonly first: Fault;
  readonly second: Fault;
  readonly draft: Draft;
}

type Input = Readonly<Record<string, unknown>>;

/** The request with both faults; null where they cannot be sent together. The method comes first: what else can be wrong depends on it. */
function pair(operation: Known, first: Fault, second: Fault, start: Draft, caller: Caller): Pair | null {
  if (first.of === second.of) return null;
  const draft = (second.of === "method" ? [second, first] : [first, second]).reduce<Draft | null>(
    (sofar, fault) => sofar && fault.add(sofar, operation, caller),
    start,
  );
  return draft && { first, second, draft };
}

/** Requests with a fault of the one step and one of the other: for each two of them, and each place of credentials. */
function together(operation: Known, step: Step, later: Step, caller: Caller, input: Input): readonly Pair[] {
  if (hostile.includes(later) && !hostile.includes(step)) return [];
  const places = ofCredentials.includes(step) ? (["headers", "query"] as const) : (["headers"] as const);
  const starts = places.map((place) => draftOf(operation, caller, input, place));
  return starts.flatMap((start) =>
    faults[step].flatMap((first) =>
      faults[later].flatMap((second) => pair(operation, first, second, start, caller) ?? []),
    ),
  );
}

const known: Caller = { ...anybody, scopeless: "s", expired: "e", revoked: "r" };

interface Judged {
  readonly id: `${OrderRequirement}#${string}`;
  readonly operation: Known;
  readonly step: Step;
  readonly laters: readonly Step[];
}

/** A check for each operation, step and requirement: what can be wrong beside the step. */
const judged: readonly Judged[] = steps.flatMap((step) =>
  every
    .filter((operation) => !isBeforeOperation(step) || samples.includes(operation))
    .flatMap((operation) => {
      const laters = steps
        .slice(steps.indexOf(step) + 1)
        .filter((later) => together(operation, step, later, known, {}).length > 0);
      const requirements = [...new Set(laters.map((later) => requirementOf(step, later)))];
      return requirements.map((requirement) => ({
        id: `${requirement}#${operation.id}-${step}` as const,
        operation,
        step,
        laters: laters.filter((later) => requirementOf(step, later) === requirement),
      }));
    }),
);

/** The order of judgement, out of its table: of two faults, the one of the earlier step is refused. */
export const judgement: readonly Check[] = judged.map(({ id, operation, step, laters }) =>
  check(
    id,
    { effect: hostile.includes(step) ? "hostile" : "read", needs: step === "judgeScope" ? ["noScopes"] : [] },
    async (api) => {
      const caller = callerOf(api);
      const pairs = laters.flatMap((later) => together(operation, step, later, caller, api.required(operation.id)));
      for (const { draft, first, second } of toJudge(pairs, "pair of faults")) {
        const request = written(draft);
        const raw = api.rawRequest({ ...request, target: api.path(request.target) });
        const reply = answered(await api.raw(raw, { heads: [draft.method === "HEAD"] }), request.target);
        await inCase(`${first.code} beside ${second.code}`, () => expectRefusedAs(reply, first.code));
      }
    },
  ),
);
