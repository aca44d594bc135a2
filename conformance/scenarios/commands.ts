import { row, setField } from "../requests/draft.ts";
import { shuffled } from "../run/random.ts";
import type { Command } from "./space.ts";
import {
  KEY_FORMS,
  KEY_WRITTEN,
  type Moves,
  NEAR_WRITTEN,
  OF_FIELDS,
  type OfCommand,
  type Step,
  WRITTEN,
} from "./steps.ts";

/** Threads about a command that creates records. */

/** A record, and the same once more in another spelling, or with a fault; others whose values are only near, before and after it. */
export const conflict: OfCommand = (moves, command) => {
  const { random } = moves;
  const { conflict: of, invalid, callers } = command;
  const record = moves.next();
  const spellings = WRITTEN.filter((one, at) => one === "other" || moves.hasShare(at));
  const again = spellings.map((written) => moves.create(command, { record, written }));
  const owner = { caller: callers[0] ?? "full" };
  const faulty = invalid.map((row) => moves.create(command, { record, ...owner, rows: [row] }));
  // In both orders: one that is wrong about them may ask with either.
  const near = [0, 1].flatMap((order) =>
    (of === undefined ? [] : NEAR_WRITTEN.filter((_, at) => moves.hasShare(at + order))).flatMap(
      (written) => {
        const one = { record: moves.next(), ...(of !== undefined && { of }) };
        const both = [moves.create(command, one), moves.create(command, { ...one, written })];
        return order === 0 ? both : both.toReversed();
      },
    ),
  );
  return [
    // One of the scenarios begins with another spelling.
    moves.create(command, { record, written: moves.hasShare(1) ? "capitals" : "same" }),
    ...moves.pageOfSome(),
    ...shuffled([...again, ...faulty], random),
    ...near,
    ...moves.pageOfSome(),
  ];
};

/** A key, of each form in one of the scenarios: replays, other data with it, the same key of another caller, and similar keys. */
export const underKey: OfCommand = (moves, command) => {
  if (!command.isKeyed) return [];
  return [...Array(KEY_FORMS).keys()]
    .filter((form) => moves.hasShare(form))
    .flatMap((form) => ofForm(moves, command, form));
};

/** The form of the longest keys: only of these two can be equal up to the 127th character. */
const LONG = 1;

function ofForm(moves: Moves, command: Command, form: number): readonly Step[] {
  const [caller = "full", ...others] = shuffled(command.callers, moves.random);
  const [record, key] = [moves.next(), moves.nextOfForm(form)];
  const mine = (more: Partial<Step>) => moves.create(command, { record, key, caller, ...more });
  const between = [
    mine({}),
    ...(["reordered", "other", "escaped", "capitals"] as const).map((written) => mine({ written })),
    moves.create(command, { record, caller }),
    ...others.map((other) => mine({ caller: other, of: "key-of-caller" })),
    ...moves.pageOfSome(),
  ];
  const share = between.filter((_, at) => moves.hasShare(at));
  const near = KEY_WRITTEN.slice(1, form === LONG ? undefined : -2).map((keyWritten) =>
    mine({ keyWritten, of: "key-whole" }),
  );
  return [
    mine({}),
    ...shuffled([...share, ...near, ...moves.some(between)], moves.random),
    mine({}),
  ];
}

/** The same key, used by two callers for records of their own. */
export const twoOwners: OfCommand = (moves, command) => {
  const [one, other] = shuffled(command.callers, moves.random);
  if (!command.isKeyed || one === undefined || other === undefined) return [];
  const [first, second, key] = [moves.next(), moves.next(), moves.next()];
  const steps = [
    moves.create(command, { record: first, key, caller: one }),
    moves.create(command, { record: second, key, caller: other, of: "key-of-caller" }),
  ];
  return [...steps, ...shuffled(steps, moves.random)];
};

/** Rejected first, with a key or without: nothing is stored, and key and values stay free. */
export const rejected: OfCommand = (moves, command) => {
  const { space } = moves;
  const { operation, callers, isKeyed } = command;
  const [record, taken] = [moves.next(), moves.next()];
  const key = isKeyed ? { key: moves.next() } : {};
  const ask = (more: Partial<Step>) => moves.create(command, { record, ...key, ...more });
  const owner = { caller: callers[0] ?? "full", rows: [] };
  return [
    ...[...(space.faults.get(operation)?.values() ?? [])].map((fault) =>
      ask({ ...owner, rows: [fault] }),
    ),
    ...space.callers.filter((caller) => !callers.includes(caller)).map((caller) => ask({ caller })),
    // A conflict uses up no key.
    moves.create(command, { record: taken }),
    ...(isKeyed ? [ask({ ...owner, record: taken })] : []),
    ...moves.pageOfSome(),
    ask({ ...owner, ...(isKeyed && { of: "key-free" }) }),
    ask(owner),
    ...moves.pageOfSome(),
  ];
};

/** What is decided by the state meets each earlier fault: a value that is taken, a key that is used, with the same data and with other. */
export const met: OfCommand = (moves, command) => {
  if (moves.nth !== 1) return [];
  const { operation, callers, isKeyed } = command;
  const [record, other] = [moves.next(), moves.next()];
  const how = { caller: callers[0] ?? "full", rows: [] };
  const key = isKeyed ? { key: moves.next() } : {};
  const first = moves.create(command, { record, ...key, ...how });
  const taken = moves.create(command, { record, ...how });
  const states = isKeyed ? [taken, first, { ...first, record: other }] : [taken];
  const faults = [...(moves.space.faults.get(operation)?.values() ?? [])];
  const strangers = moves.space.callers.filter((caller) => !callers.includes(caller));
  return [
    first,
    ...states.flatMap((state) => [
      ...faults.map((fault) => ({ ...state, rows: [fault] })),
      ...strangers.map((caller) => ({ ...state, caller })),
      state,
    ]),
    ...faults
      .filter(({ part }) => part === KEY)
      .flatMap((ofKey) =>
        faults
          .filter(({ part }) => part !== KEY)
          .map((fault) => ({ ...taken, rows: [ofKey, fault] })),
      ),
    // Nothing is created with it, so that it stays free for the next run.
    ...(isKeyed ? [{ ...taken, rows: [ofOneCharacter(moves.random)] }] : []),
  ];
};

const KEY = "Idempotency-Key";
const ofOneCharacter = (random: () => number) => {
  const key = String.fromCharCode(33 + Math.floor(random() * 94));
  return row("Idempotency-Key", "Idempotency-Key of one character", (draft) =>
    setField(draft, "Idempotency-Key", [key]),
  );
};

/** A key is the same with every other field: the first call and the replay differ in one of them. */
export const amongFields: OfCommand = (moves, command) => {
  if (!command.isKeyed || moves.nth > 0) return [];
  const how = { caller: command.callers[0] ?? "full", rows: [] };
  const fresh = () => moves.create(command, { record: moves.next(), key: moves.next(), ...how });
  const start = Math.floor(moves.random() * OF_FIELDS);
  const known = fresh();
  const fields = moves.space.calm.get(command.operation) ?? [];
  const first = fields.flatMap((row, at): readonly Step[] => {
    if ((at + start) % OF_FIELDS !== 0) return [];
    const one = fresh();
    return [{ ...one, rows: [row] }, one];
  });
  return [known, ...fields.map((row) => ({ ...known, rows: [row] })), ...first];
};

/** Records whose bodies are cut within a character. */
export const framed: OfCommand = (moves, command) => {
  if (moves.nth !== 0) return [];
  const how = { caller: command.callers[0] ?? "full", written: "wide" as const };
  return command.framed.map((one) =>
    moves.create(command, { record: moves.next(), ...how, rows: [one] }),
  );
};
