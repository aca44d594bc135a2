import { order, type Step } from "../../../generated/order.ts";
import { expectProblem } from "../../client/expect.ts";
import { every, guarded, type Known } from "../../client/operation.ts";
import { type Check, check } from "../check.ts";
import { answered, inCase } from "../probe.ts";
import { type Caller, type Draft, draftOf, type Fault, faults, written } from "./faults.ts";

const steps: readonly Step[] = order.map(({ step }) => step);

/** What is judged before the operation is known is the same for all: one of each method stands for them. */
const samples = ["GET", "POST"].flatMap((method) => guarded.filter((one) => one.method === method).slice(0, 1));
const isBeforeOperation = (step: Step) => steps.indexOf(step) <= steps.indexOf("findOperation");

/** What no client should send, and so is only sent where that is allowed. */
const hostile: readonly Step[] = ["readHead", "readBody"];

/** A request with two faults. */
interface Pair {
  readonly first: Fault;
  readonly second: Fault;
  readonly draft: Draft;
}

/** The request with both faults; null where they cannot be sent together. The method comes first: what else can be wrong depends on it. */
function pair(
  operation: Known,
  first: Fault,
  second: Fault,
  caller: Caller,
  input: Record<string, unknown>,
): Pair | null {
  if (first.of === second.of) return null;
  const draft = (second.of === "method" ? [second, first] : [first, second]).reduce<Draft | null>(
    (sofar, fault) => sofar && fault.add(sofar, operation, caller),
    draftOf(operation, caller, input),
  );
  return draft && { first, second, draft };
}

/** Requests with a fault of the one step and one of the other: for each fault of the first, where there is one. */
function together(
  operation: Known,
  step: Step,
  later: Step,
  caller: Caller,
  input: Record<string, unknown>,
): readonly Pair[] {
  if (hostile.includes(later) && !hostile.includes(step)) return [];
  return faults[step].flatMap((first) =>
    faults[later].flatMap((second) => pair(operation, first, second, caller, input) ?? []).slice(0, 1),
  );
}

const anybody: Caller = { key: "key", platform: "platform", scopeless: "scopeless" };

/** The checks of a step, or of it and one later: for each operation whose calls can fail both. */
export const checksOf = (
  step: Step,
  ...laters: readonly Step[]
): readonly (readonly [id: string, operation: Known])[] =>
  every
    .filter((operation) => !isBeforeOperation(step) || samples.includes(operation))
    .filter((operation) =>
      (laters.length > 0 ? laters : laterThan(step)).some(
        (later) => together(operation, step, later, anybody, {}).length > 0,
      ),
    )
    .map((operation) => [`${operation.id}-${step}`, operation]);

const laterThan = (step: Step) => steps.slice(steps.indexOf(step) + 1);

/** The order of judgement, out of its table: of two faults, the one of the earlier step is refused. */
export const judgement: readonly Check[] = steps.flatMap((step) =>
  checksOf(step).map(([variant, operation]) =>
    check(
      `dispatch/order#${variant}`,
      { effect: hostile.includes(step) ? "hostile" : "read", needs: step === "judgeScope" ? ["noScopes"] : [] },
      async (api) => {
        const caller = {
          key: api.key,
          platform: api.platform,
          scopeless: api.credentials.special.noScopes?.key ?? null,
        };
        const pairs = laterThan(step).flatMap((later) =>
          together(operation, step, later, caller, api.required(operation.id)),
        );
        for (const { draft, first, second } of pairs) {
          const request = written(draft);
          const sent = await api.raw(api.rawRequest({ ...request, target: api.path(request.target) }));
          await inCase(`${first.code} beside ${second.code}`, () =>
            expectProblem(answered(sent, request.target), first.status, first.code),
          );
        }
      },
    ),
  ),
);
