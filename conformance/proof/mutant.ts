import type { Hooks } from "./proxy/message.ts";

/** What of an exchange is wrong: as the findings of the suite name it (`Difference.aspect`); `*` is any item of a list. */
export type Aspect = "status" | `header:${string}` | "body" | `body:/${string}` | "connection" | "state";

/** A broken server: one defect, wrapped around a good deployment. */
export interface Mutant {
  /** Its defect, in words that no other mutant has: `sysinfo has a clock that runs backwards`. */
  readonly id: string;
  readonly hooks: Hooks;
}

/** A hand-written one: for sockets, time, and sequences of requests. */
export interface WildMutant extends Mutant {
  /** The requirements that it breaks: `http/pipelining`, or a prefix with `*`. */
  readonly of: readonly string[];
  readonly breaks: readonly Aspect[];
}

export const wild = (id: string, of: readonly string[], breaks: readonly Aspect[], hooks: Hooks): WildMutant => ({
  ...{ id, of, breaks, hooks },
});

/** What differs if another request than the one sent is processed. */
export const OUTCOME: readonly Aspect[] = ["status", "body", "state"];
