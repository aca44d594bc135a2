import type { Aspect } from "../client/expectation.ts";
import type { Hooks, ProxyAnswer, ProxyRequest } from "./proxy/message.ts";

/** A broken server: one defect, wrapped around a good deployment. */
export interface Mutant {
  /** Its defect, in words that no other mutant has: `sysinfo has a clock that runs backwards`. */
  readonly id: string;
  /** What its responses get wrong: a check that goes red for anything else has not caught it. */
  readonly breaks: readonly Aspect[];
  readonly hooks: Hooks;
}

/** A hand-written one: for sockets, time, and sequences of requests. */
export interface WildMutant extends Mutant {
  /** The requirements whose checks catch it: `http/pipelining`, or a prefix with `*`. */
  readonly of: readonly string[];
}

export const wild = (id: string, of: readonly string[], breaks: readonly Aspect[], hooks: Hooks): WildMutant => ({
  ...{ id, of, breaks, hooks },
});

/** Whether a check of the requirement should catch the mutant. */
export const concerns = ({ of }: Pick<WildMutant, "of">, requirement: string): boolean =>
  of.some((one) => (one.endsWith("*") ? requirement.startsWith(one.slice(0, -1)) : requirement === one));

/** Which responses; `parser`: also those to bytes that are not a request. */
export interface Selector {
  readonly name: string;
  readonly takes: (answer: ProxyAnswer, request: ProxyRequest | null) => boolean;
  readonly parser?: boolean;
}

/** The changed response; the same object if nothing changes. */
export interface Operator {
  readonly name: string;
  readonly breaks: readonly Aspect[];
  readonly change: (answer: ProxyAnswer, request: ProxyRequest | null) => ProxyAnswer;
}

/** Changes the responses that are selected. */
export function changesAnswer(selector: Selector, { name, breaks, change }: Operator): Mutant {
  const changed = (answer: ProxyAnswer, request: ProxyRequest | null) =>
    selector.takes(answer, request) ? change(answer, request) : answer;
  const unreadableAnswer = (answer: ProxyAnswer) => changed(answer, null);
  return {
    ...{ id: `${selector.name} ${name}`, breaks },
    hooks: { answer: changed, ...(selector.parser && { unreadableAnswer }) },
  };
}

/** What differs if another request than the one sent is processed. */
export const OUTCOME: readonly Aspect[] = ["status", "body", "state"];

const steps = (aspect: Aspect) => aspect.split("/");

/** Whether two aspects overlap: equal, or a place in the body and a value within it. */
export function overlap(one: Aspect, other: Aspect): boolean {
  if (one === other) return true;
  if (one === "body") return other.startsWith("body:");
  if (other === "body") return one.startsWith("body:");
  if (!one.startsWith("body:") || !other.startsWith("body:")) return false;
  const [a, b] = [steps(one), steps(other)];
  return a.slice(0, b.length).every((step, index) => step === b[index] || step === "*" || b[index] === "*");
}
