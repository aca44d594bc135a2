import type { Hooks } from "./proxy/message.ts";

/** What of an exchange is wrong, as the findings of the suite name it (`Difference.aspect`); `*` is any item of a list. */
export type Aspect = "status" | `header:${string}` | "body" | `body:/${string}` | "connection" | "state";

/** A broken server: one defect, wrapped around a good deployment. */
export interface Mutant {
  /** Its defect, in words that no other mutant has: `sysinfo has a clock that runs backwards`. */
  readonly id: string;
  readonly hooks: Hooks;
}

/** A hand-written one: for sockets, time, and sequences of requests. */
export const broken = (id: string, hooks: Hooks): Mutant => ({ id, hooks });
