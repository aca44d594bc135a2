import { isSameValue } from "./values.ts";

/** What is known of the records of a resource. */

export type Members = Readonly<Record<string, unknown>>;

/** A record as it may be; null: it is gone. */
export type RecordState = Members | null;

/** The value of a member that a server chooses, and has not shown. */
export const FREE = Symbol("any value");

export interface KnownRecords {
  /** What a record may be now; null: anything, or gone; undefined: nothing has shown it. */
  statesOf(id: string): readonly RecordState[] | null | undefined;
  /** The records that this run has created, as they may be now. */
  ownStates(): Iterable<readonly [id: string, states: readonly RecordState[] | null]>;
}

/** How the members of a record compare. */
export interface Comparing {
  /** Those that change by themselves. */
  readonly volatile: readonly string[];
  /** Those that hold free JSON, in which null is a value. */
  readonly free: readonly string[];
}

/** The first member in which a record differs from what is shown; null if there is none. */
export function differentMember(
  state: Members,
  shown: Members,
  { volatile, free }: Comparing,
): string | null {
  const names = new Set([...Object.keys(state), ...Object.keys(shown)]);
  for (const name of names) {
    const isOpen = volatile.includes(name) || state[name] === FREE;
    const values = [memberOf(state, name), memberOf(shown, name)] as const;
    if (isOpen || isSameValue(...values, free.includes(name))) continue;
    return name;
  }
  return null;
}

/** The value of a member; undefined for an absent one, whatever every object has by that name. */
export const memberOf = (members: Members, name: string): unknown =>
  Object.hasOwn(members, name) ? members[name] : undefined;

/** Whether this may be a record that is shown. */
export const mayBe = (state: RecordState, shown: Members, comparing: Comparing): boolean =>
  state !== null && differentMember(state, shown, comparing) === null;

/** A UUID of version 7 with a time in 1970: no record of any deployment has it. */
export const ABSENT_UUID = "00000000-0001-7000-8000-0123456789ab";
const ABSENT = /^0000000\d-\d{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i;
export const isMadeUp = (id: string): boolean => ABSENT.test(id);
