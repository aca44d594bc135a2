import type { Operation } from "../oracle/contract.ts";
import { BY_HEAD, IN_QUERY } from "../requests/generate.ts";
import type { Command, List, Space } from "./space.ts";
import type { Step } from "./steps.ts";

/** Scenarios of single requests, and as many of parallel ones, of a run. */
export const SCENARIOS = 3;
/** Of the fields that a first call has, and of those that a document is read with, one in so many: the seed draws which. */
export const OF_FIELDS = 4;

/** One of them; nothing of none. */
export const some = <Item>(random: () => number, items: readonly Item[]): readonly Item[] =>
  items.slice(Math.floor(random() * items.length)).slice(0, 1);
export const chance = (random: () => number, share: number) => random() < share;

/** Single steps of one scenario, drawn from a seed. `nth`: of how many scenarios, so that together they have all. */
export class Moves {
  private last = 0;

  constructor(
    readonly random: () => number,
    readonly space: Space,
    readonly nth: number,
  ) {}

  /** The number of a record or key that no other step of the scenario has. */
  next(): number {
    this.last += 1;
    return this.last;
  }

  some<Item>(items: readonly Item[]): readonly Item[] {
    return some(this.random, items);
  }

  chance(share: number): boolean {
    return chance(this.random, share);
  }

  pick<Item>([first, ...others]: readonly [Item, ...Item[]]): Item {
    return others[Math.floor(this.random() * (others.length + 1)) - 1] ?? first;
  }

  /** Whether this scenario has what is at this place; of several, each has some. */
  hasShare(at: number): boolean {
    return at % SCENARIOS === this.nth % SCENARIOS;
  }

  /** How it is sent, which does not affect the response. */
  manner(operation: Operation, callers = this.space.callers): Step {
    const calm = this.chance(0.4) ? this.some(this.space.calm.get(operation) ?? []) : [];
    const rows = this.chance(0.3) ? [...calm, IN_QUERY] : calm;
    // Most calls come from one caller, and most on the open connection.
    const caller = (this.chance(0.6) ? undefined : this.some(callers)[0]) ?? callers[0] ?? "full";
    return { operation, rows, caller, isKept: this.chance(0.7) };
  }

  create({ operation, callers }: Command, more: Partial<Step>): Step {
    return { ...this.manner(operation, callers), ...more };
  }

  page({ operation, callers, most, byDefault }: List, more: Partial<Step> = {}): Step {
    const limit = this.pick([undefined, 1, 2, 3, 5, byDefault, most - 1, most]);
    const { rows, ...how } = this.manner(operation, callers);
    const head = this.chance(0.1) ? [BY_HEAD] : [];
    return { ...how, rows: [...rows, ...head], ...(limit && { limit }), from: "end", ...more };
  }

  pageOfSome(): readonly Step[] {
    return this.some(this.space.lists).map((list) => this.page(list));
  }

  /** The end of each list, as one page. */
  looks(): readonly Step[] {
    return this.space.lists.map((list) =>
      this.page(list, { limit: list.most, rows: [], caller: list.callers[0] ?? "full" }),
    );
  }
}

/** The steps of one caller, in order; steps of others are interleaved. */
export type Thread = (moves: Moves) => readonly Step[];
export type OfCommand = (moves: Moves, command: Command) => readonly Step[];
