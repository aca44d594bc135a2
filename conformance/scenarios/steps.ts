import type { Operation } from "../oracle/contract.ts";
import type { Mutation } from "../requests/draft.ts";
import { BY_HEAD, IN_QUERY } from "../requests/modes.ts";
import { chance, some } from "../run/random.ts";
import type { Command, List, ScenarioCatalog } from "./catalog.ts";

/**
 * A request of a scenario, as plain data: it refers to its record, key and cursor by number, so
 * that any part of a scenario is a scenario. A step that refers to something missing (a cursor of a
 * list that returned none) sends nothing.
 */
export interface Step {
  readonly operation: Operation;
  /** The credentials, by their kind: `full`, `noScopes`, a scope … */
  readonly caller: string;
  /** In which way it differs from the plain call. */
  readonly rows: readonly Mutation[];
  /** Whether the connection of the scenario is used again, or a new one. */
  readonly isKept: boolean;
  /** For a creating command: which record, and how its data is written. */
  readonly record?: number;
  readonly written?: Written;
  /** By member of the input, the number of the record that it names. */
  readonly names?: Readonly<Record<string, number>>;
  /** By member, what an update or a create sends: of others what the plain call has, or none. */
  readonly changes?: Readonly<Record<string, Changed>> | undefined;
  /** Filters of a list, each with a value near that of a record, or of another. */
  readonly filters?: readonly {
    readonly parameter: string;
    readonly record: number;
    readonly other: number;
    readonly form: number;
  }[];
  /** For a command with an idempotency key: which, and how it is written. */
  readonly key?: number;
  readonly keyWritten?: KeyWritten;
  /** For a paged list: items per page; absent: the default. */
  readonly limit?: number;
  /**
   * Where the page begins: at the very first item, near the end, or at the n-th cursor of this
   * scenario, from its end if negative.
   */
  readonly from?: "start" | "end" | number;
  /** Whether the cursor is taken from the `Link` of its page. */
  readonly isLinked?: true;
  /** Among steps at once: it begins when another one has created something. */
  readonly isLater?: true;
  /** With the tag of the last response of this place. */
  readonly isConditional?: true;
  /** How that is written. */
  readonly copies?: (tag: string) => string;
  /**
   * The rule of its operation that it tests, where the prediction does not name it: `key-whole`.
   */
  readonly of?: string;
}

/** One of the right values; null, which removes it; or the value that a record has. */
export type Changed =
  | number
  | null
  | { readonly of: number; readonly written?: "swapped" | "padded" };

/** In sequence; the steps of an inner list at once. */
export type Scenario = readonly (Step | readonly Step[])[];

/**
 * `wide`: with characters of several bytes; `other`: with another value of a member that need not
 * be unique; `capitals`: with the unique one in capitals.
 */
export const WRITTEN = [
  "same",
  "reordered",
  "escaped",
  "capitals",
  "small letters",
  "other",
] as const;
/** Ways to write the same data: the records of a scenario have them in turn. */
const EQUIVALENT = ["same", "escaped in capitals", "reordered", "spaced", "escaped"] as const;
/**
 * Near to a unique value, and free: longer, and with what a pattern takes for any character, or a
 * reader leaves out.
 */
export const NEAR_WRITTEN = [
  ...([
    "longer",
    "_ at its end",
    "% at its end",
    "a dot before its end",
    "another domain",
  ] as const),
  ...(["a hyphen before its end", "an apostrophe before its end", "+x behind"] as const),
] as const;
export type Written =
  | "wide"
  | (typeof WRITTEN)[number]
  | (typeof EQUIVALENT)[number]
  | (typeof NEAR_WRITTEN)[number];

/** All of them except `same` are other keys. */
export const KEY_WRITTEN = [
  ...([
    "same",
    "lower",
    "upper",
    "shorter",
    "without its first",
    "longer",
    "quoted",
    "decoded",
    "without -",
    "_ for +",
  ] as const),
  ...(["up to 7", "up to 8", "up to 127", "up to 128"] as const),
] as const;
/** The forms of idempotency keys, in turn: short, long, a UUID, with escapes, and a number. */
export const KEY_FORMS = 5;
export type KeyWritten = (typeof KEY_WRITTEN)[number];

/** Scenarios of single requests, and as many of parallel ones, of a run. */
export const SCENARIOS = 3;
/**
 * Of the fields that a first call has, and of those that a document is read with, one in so many:
 * the seed draws which.
 */
export const OF_FIELDS = 4;

/**
 * Single steps of one scenario, drawn from a seed. `nth`: of how many scenarios, so that together
 * they have all.
 */
export class StepGenerator {
  private last = 0;
  private created = 0;

  constructor(
    readonly random: () => number,
    readonly catalog: ScenarioCatalog,
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

  pick<Item>([first, ...rest]: readonly [Item, ...Item[]]): Item {
    return rest[Math.floor(this.random() * (rest.length + 1)) - 1] ?? first;
  }

  /** The number of a key of this form. */
  nextOfForm(form: number): number {
    do this.last += 1;
    while (this.last % KEY_FORMS !== form);
    return this.last;
  }

  /** Whether this scenario has what is at this place; of several, each has some. */
  hasShare(index: number): boolean {
    return index % SCENARIOS === this.nth % SCENARIOS;
  }

  /** How it is sent, which does not affect the response. */
  manner(operation: Operation, callers = this.catalog.callers): Step {
    const calm = this.chance(0.4)
      ? this.some(this.catalog.benignMutations.get(operation) ?? [])
      : [];
    const rows = this.chance(0.3) ? [...calm, IN_QUERY] : calm;
    // Most calls come from one caller, and most on the open connection.
    const caller = (this.chance(0.6) ? undefined : this.some(callers)[0]) ?? callers[0] ?? "full";
    return { operation, rows, caller, isKept: this.chance(0.7) };
  }

  create({ operation, callers }: Command, partial: Partial<Step>): Step {
    this.created += 1;
    // What is wrong with a body stays as it is.
    const written = partial.rows?.length
      ? {}
      : { written: EQUIVALENT[this.created % EQUIVALENT.length] ?? "same" };
    return { ...this.manner(operation, callers), ...written, ...partial };
  }

  page({ operation, callers, most, byDefault }: List, partial: Partial<Step> = {}): Step {
    const limit = this.pick([undefined, 1, 2, 3, 5, byDefault, most - 1, most]);
    const { rows, ...how } = this.manner(operation, callers);
    const head = this.chance(0.1) ? [BY_HEAD] : [];
    return { ...how, rows: [...rows, ...head], ...(limit && { limit }), from: "end", ...partial };
  }

  pageOfSome(): readonly Step[] {
    return this.some(this.catalog.lists).map((list) => this.page(list));
  }

  /** The end of each list, as one page, and its beginning as a page of the default length. */
  looks(): readonly Step[] {
    return this.catalog.lists.flatMap((list) => {
      const { operation, most, callers } = list;
      const how = { rows: [], caller: callers[0] ?? "full" };
      return [
        this.page(list, { limit: most, ...how }),
        { operation, isKept: false, from: "start", ...how },
      ];
    });
  }
}

/** The steps of one caller, in order; steps of others are interleaved. */
export type Thread = (generator: StepGenerator) => readonly Step[];
export type OfCommand = (generator: StepGenerator, command: Command) => readonly Step[];

/** The step with HEAD as its method. */
export const byHead = (step: Step): Step => ({ ...step, rows: [...step.rows, BY_HEAD] });

/** With the first of these credentials, and nothing else. */
export const chosen = ([caller = "full"]: readonly string[]): Pick<Step, "caller" | "rows"> => ({
  caller,
  rows: [],
});
