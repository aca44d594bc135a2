import type { Aspect } from "../client/expectation.ts";
import type { Hooks, ProxyAnswer, ProxyRequest } from "./proxy/message.ts";

/** A broken server: one defect, wrapped around a good deployment. */
export interface Mutant {
  /** What it does, in words that no other mutant has: `sysinfo has a clock that runs backwards`. */
  readonly id: string;
  /** What a response of it shows wrong: a check that goes red for anything else has not caught it. */
  readonly breaks: readonly Aspect[];
  readonly hooks: Hooks;
}

/** One that is written by hand: what concerns sockets, time, and more than one request. */
export interface WildMutant extends Mutant {
  /** The requirements whose checks catch it: `http/pipelining`, or a prefix with `*`. */
  readonly of: readonly string[];
}

export const wild = (id: string, of: readonly string[], breaks: readonly Aspect[], hooks: Hooks): WildMutant => ({
  ...{ id, of, breaks, hooks },
});

/** Whether a check of the requirement is to catch the mutant. */
export const concerns = ({ of }: WildMutant, requirement: string): boolean =>
  of.some((one) => (one.endsWith("*") ? requirement.startsWith(one.slice(0, -1)) : requirement === one));

/** Which responses; `parser`: also those to bytes that are no request. */
export interface Selector {
  readonly name: string;
  readonly takes: (answer: ProxyAnswer, request: ProxyRequest | null) => boolean;
  readonly parser?: boolean;
}

/** What becomes of a response; the same object where nothing does. */
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

/** What is different where another request is answered than the one that was sent. */
export const OUTCOME: readonly Aspect[] = ["status", "body", "state"];

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
