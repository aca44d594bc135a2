import type { Finding } from "../exchange.ts";
import type { Script } from "../run/state.ts";
import { type Said, Talk } from "./talk.ts";

/** Scripts that talk to a deployment. */

/** Findings of one script: further ones have the same cause, or cost a time-out each. */
const MOST_FINDINGS = 5;

export type Play = (talk: Talk) => AsyncIterable<Finding>;

type How = Pick<Script, "effect" | "slow" | "alone">;

/** A script for a requirement; one of a contract that does not have it says nothing. */
export const script = (id: string, requirement: string, how: Script["effect"] | How, play: Play): Script => ({
  ...{ id: `socket ${id}`, requirements: [requirement], ...(typeof how === "string" ? { effect: how } : how) },
  run: async function* (run) {
    let found = 0;
    for await (const finding of play(new Talk(run, requirement, id))) {
      yield finding;
      found += 1;
      if (found >= MOST_FINDINGS) return;
    }
  },
});

type Make = (talk: Talk) => readonly Said[];

/** Each on a connection of its own. */
export const single = (id: string, requirement: string, effect: Script["effect"], make: Make): Script =>
  script(id, requirement, effect, (talk) => talk.each(make(talk)));

/** One behind another on one connection. */
export const sequence = (id: string, requirement: string, make: Make, by?: "segment" | "turn"): Script =>
  script(id, requirement, "hostile", (talk) => talk.together(make(talk), by ? { by } : {}));
