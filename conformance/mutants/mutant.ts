import type { Check } from "../checks/check.ts";
import type { Aspect } from "../client/expectation.ts";
import type { Context, Hooks, ProxyAnswer, ProxyRequest } from "./proxy/message.ts";

/** What passed through the proxy of a right deployment; `request` is null for bytes that are no well-formed request. */
export interface Seen {
  readonly request: ProxyRequest | null;
  readonly answer: ProxyAnswer;
}

/** A broken server: one defect, wrapped around a good deployment. */
export interface Mutant {
  /** What it does, in words that no other mutant has: `user.list 200 drops body:/items/*\/id`. */
  readonly id: string;
  /** What an answer of it shows wrong: a check that goes red for anything else has not caught it. */
  readonly breaks: readonly Aspect[];
  readonly hooks: Hooks;
  /** Whether it would have changed this exchange of a right deployment: only checks with such an exchange can tell. */
  readonly touches: (seen: Seen, check: Check, context: Context) => boolean;
}

/** Which answers; `parser`: also those to bytes that are no request. */
export interface Selector {
  readonly name: string;
  readonly takes: (answer: ProxyAnswer, request: ProxyRequest | null) => boolean;
  readonly parser?: boolean;
}

type MaybePromise<T> = T | Promise<T>;

/** What becomes of an answer; the same object where nothing does. */
export interface Operator {
  readonly name: string;
  readonly breaks: readonly Aspect[];
  readonly change: (answer: ProxyAnswer, request: ProxyRequest | null) => ProxyAnswer;
}

/** A selector that looks at each answer once, however many mutants share it. */
export function remembered(selector: Selector): Selector {
  const known = new WeakMap<ProxyAnswer, boolean>();
  const takes: Selector["takes"] = (answer, request) => {
    const before = known.get(answer);
    if (before !== undefined) return before;
    const now = selector.takes(answer, request);
    known.set(answer, now);
    return now;
  };
  return { ...selector, takes };
}

/** Changes the answers that are selected. */
export function changesAnswer(selector: Selector, { name, breaks, change }: Operator): Mutant {
  const changed = (answer: ProxyAnswer, request: ProxyRequest | null) =>
    selector.takes(answer, request) ? change(answer, request) : answer;
  const hooks: Hooks = {
    answer: changed,
    ...(selector.parser ? { unreadableAnswer: (answer: ProxyAnswer) => changed(answer, null) } : {}),
  };
  return {
    id: `${selector.name} ${name}`,
    breaks,
    hooks,
    touches: ({ request, answer }) =>
      (request !== null || selector.parser === true) && changed(answer, request) !== answer,
  };
}

/** Gives another answer, for which it may ask the target again. */
export function answersOtherwise(
  selector: Selector,
  name: string,
  breaks: readonly Aspect[],
  answer: (answer: ProxyAnswer, request: ProxyRequest, context: Context) => MaybePromise<ProxyAnswer>,
): Mutant {
  return {
    id: `${selector.name} ${name}`,
    breaks,
    hooks: {
      answer: (right, request, context) => (selector.takes(right, request) ? answer(right, request, context) : right),
    },
    touches: (seen) => seen.request !== null && selector.takes(seen.answer, seen.request),
  };
}

/** What is different where another request is answered than the one that was sent. */
export const OUTCOME: readonly Aspect[] = ["status", "body", "state"];

/** Answers another request than was sent: it reads, takes for granted or forgives what it must not. The same object: nothing to change. */
export function takesFor(
  id: string,
  change: (request: ProxyRequest, context: Context) => ProxyRequest,
  breaks: readonly Aspect[] = OUTCOME,
  touches?: (request: ProxyRequest) => boolean,
): Mutant {
  return {
    id,
    breaks,
    hooks: { request: change },
    touches: ({ request }, _check, context) =>
      request !== null && (touches?.(request) ?? change(request, context) !== request),
  };
}

/** Refuses, or answers by itself, what it must not; null lets the request through. */
export function answersItself(
  id: string,
  breaks: readonly Aspect[],
  answer: (request: ProxyRequest, context: Context) => ProxyAnswer | null,
): Mutant {
  return {
    id,
    breaks,
    hooks: { request: (request, context) => answer(request, context) ?? request },
    touches: ({ request }, _check, context) => request !== null && answer(request, context) !== null,
  };
}

/** By hand: any hooks, tried by the checks of these requirements (`http/pipelining`, or a prefix with `*`). */
export function wild(id: string, of: readonly string[], breaks: readonly Aspect[], hooks: Hooks): Mutant {
  const matches = (requirement: string) =>
    of.some((one) => (one.endsWith("*") ? requirement.startsWith(one.slice(0, -1)) : requirement === one));
  return { id, breaks, hooks, touches: (_seen, { requirement }) => matches(requirement) };
}

const steps = (aspect: Aspect) => aspect.split("/");

/** Whether two aspects speak of the same: equal, or a place in the body and what stands in it. */
export function overlap(one: Aspect, other: Aspect): boolean {
  if (one === other) return true;
  if (one === "body") return other.startsWith("body:");
  if (other === "body") return one.startsWith("body:");
  if (!one.startsWith("body:") || !other.startsWith("body:")) return false;
  const [a, b] = [steps(one), steps(other)];
  return a.slice(0, b.length).every((step, index) => step === b[index] || step === "*" || b[index] === "*");
}
