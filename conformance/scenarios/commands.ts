import { mutation, setField } from "../requests/draft.ts";
import { shuffled } from "../run/random.ts";
import type { Command } from "./catalog.ts";
import {
  KEY_FORMS,
  KEY_WRITTEN,
  NEAR_WRITTEN,
  OF_FIELDS,
  type OfCommand,
  type Step,
  type StepGenerator,
  WRITTEN,
} from "./steps.ts";

/** Threads about a command that creates records. */

/**
 * A record, and the same once more in another spelling, or with a fault; others whose values are
 * only near, before and after it.
 */
export const conflict: OfCommand = (generator, command) => {
  const { random } = generator;
  const { conflict: of, invalid, callers } = command;
  const record = generator.next();
  const spellings = WRITTEN.filter((one, at) => one === "other" || generator.hasShare(at));
  const again = spellings.map((written) => generator.create(command, { record, written }));
  const owner = { caller: callers[0] ?? "full" };
  const faulty = invalid.map((row) => generator.create(command, { record, ...owner, rows: [row] }));
  // In both orders: one that is wrong about them may ask with either.
  const near = [0, 1].flatMap((order) =>
    (of === undefined
      ? []
      : NEAR_WRITTEN.filter((_, at) => generator.hasShare(at + order))
    ).flatMap((written) => {
      const how = { record: generator.next(), ...(of !== undefined && { of }) };
      const both = [generator.create(command, how), generator.create(command, { ...how, written })];
      return order === 0 ? both : both.toReversed();
    }),
  );
  return [
    // One of the scenarios begins with another spelling.
    generator.create(command, { record, written: generator.hasShare(1) ? "capitals" : "same" }),
    ...generator.pageOfSome(),
    ...shuffled([...again, ...faulty], random),
    ...near,
    ...generator.pageOfSome(),
  ];
};

/**
 * A key, of each form in one of the scenarios: replays, other data with it, the same key of another
 * caller, and similar keys.
 */
export const underKey: OfCommand = (generator, command) => {
  if (!command.isKeyed) return [];
  return [...Array(KEY_FORMS).keys()]
    .filter((form) => generator.hasShare(form))
    .flatMap((form) => ofForm(generator, command, form));
};

/** The form of the longest keys: only of these two can be equal up to the 127th character. */
const LONG = 1;

function ofForm(generator: StepGenerator, command: Command, form: number): readonly Step[] {
  const [caller = "full", ...otherCallers] = shuffled(command.callers, generator.random);
  const [record, key] = [generator.next(), generator.nextOfForm(form)];
  const mine = (more: Partial<Step>) => generator.create(command, { record, key, caller, ...more });
  const between = [
    mine({}),
    ...(["reordered", "other", "escaped", "capitals"] as const).map((written) => mine({ written })),
    generator.create(command, { record, caller }),
    ...otherCallers.map((other) => mine({ caller: other, of: "key-of-caller" })),
    ...generator.pageOfSome(),
  ];
  const share = between.filter((_, at) => generator.hasShare(at));
  const near = KEY_WRITTEN.slice(1, form === LONG ? undefined : -2).map((keyWritten) =>
    mine({ keyWritten, of: "key-whole" }),
  );
  return [
    mine({}),
    ...shuffled([...share, ...near, ...generator.some(between)], generator.random),
    mine({}),
  ];
}

/** One idempotency key, used by two callers for records of their own. */
export const twoOwners: OfCommand = (generator, command) => {
  const [owner, otherOwner] = shuffled(command.callers, generator.random);
  if (!command.isKeyed || owner === undefined || otherOwner === undefined) return [];
  const [first, second, key] = [generator.next(), generator.next(), generator.next()];
  const steps = [
    generator.create(command, { record: first, key, caller: owner }),
    generator.create(command, { record: second, key, caller: otherOwner, of: "key-of-caller" }),
  ];
  return [...steps, ...shuffled(steps, generator.random)];
};

/** Rejected first, with a key or without: nothing is stored, and key and values stay free. */
export const rejected: OfCommand = (generator, command) => {
  const { catalog } = generator;
  const { operation, callers, isKeyed } = command;
  const [record, taken] = [generator.next(), generator.next()];
  const key = isKeyed ? { key: generator.next() } : {};
  const ask = (more: Partial<Step>) => generator.create(command, { record, ...key, ...more });
  const owner = { caller: callers[0] ?? "full", rows: [] };
  return [
    ...[...(catalog.faults.get(operation)?.values() ?? [])].map((fault) =>
      ask({ ...owner, rows: [fault] }),
    ),
    ...catalog.callers
      .filter((caller) => !callers.includes(caller))
      .map((caller) => ask({ caller })),
    // A conflict uses up no key.
    generator.create(command, { record: taken }),
    ...(isKeyed ? [ask({ ...owner, record: taken })] : []),
    ...generator.pageOfSome(),
    ask({ ...owner, ...(isKeyed && { of: "key-free" }) }),
    ask(owner),
    ...generator.pageOfSome(),
  ];
};

/**
 * What is decided by the state meets each earlier fault: a value that is taken, a key that is used,
 * with the same data and with other.
 */
export const met: OfCommand = (generator, command) => {
  if (generator.nth !== 1) return [];
  const { operation, callers, isKeyed } = command;
  const [record, otherRecord] = [generator.next(), generator.next()];
  const how = { caller: callers[0] ?? "full", rows: [] };
  const key = isKeyed ? { key: generator.next() } : {};
  const first = generator.create(command, { record, ...key, ...how });
  const taken = generator.create(command, { record, ...how });
  const states = isKeyed ? [taken, first, { ...first, record: otherRecord }] : [taken];
  const faults = [...(generator.catalog.faults.get(operation)?.values() ?? [])];
  const strangers = generator.catalog.callers.filter((caller) => !callers.includes(caller));
  return [
    first,
    ...states.flatMap((state) => [
      ...faults.map((fault) => ({ ...state, rows: [fault] })),
      ...strangers.map((caller) => ({ ...state, caller })),
      state,
    ]),
    ...faults
      .filter(({ dimension }) => dimension === KEY)
      .flatMap((ofKey) =>
        faults
          .filter(({ dimension }) => dimension !== KEY)
          .map((fault) => ({ ...taken, rows: [ofKey, fault] })),
      ),
    // Nothing is created with it, so that it stays free for the next run.
    ...(isKeyed ? [{ ...taken, rows: [ofOneCharacter(generator.random)] }] : []),
  ];
};

const KEY = "Idempotency-Key";
const ofOneCharacter = (random: () => number) => {
  const key = String.fromCharCode(33 + Math.floor(random() * 94));
  return mutation("Idempotency-Key", "Idempotency-Key of one character", (draft) =>
    setField(draft, "Idempotency-Key", [key]),
  );
};

/**
 * A key is the same with every other field: the first call and the replay differ in one of them.
 */
export const amongFields: OfCommand = (generator, command) => {
  if (!command.isKeyed || generator.nth > 0) return [];
  const how = { caller: command.callers[0] ?? "full", rows: [] };
  const fresh = () =>
    generator.create(command, { record: generator.next(), key: generator.next(), ...how });
  const start = Math.floor(generator.random() * OF_FIELDS);
  const known = fresh();
  const fields = generator.catalog.benignMutations.get(command.operation) ?? [];
  const first = fields.flatMap((row, index): readonly Step[] => {
    if ((index + start) % OF_FIELDS !== 0) return [];
    const step = fresh();
    return [{ ...step, rows: [row] }, step];
  });
  return [known, ...fields.map((row) => ({ ...known, rows: [row] })), ...first];
};

/** Records whose bodies are cut within a character. */
export const framed: OfCommand = (generator, command) => {
  if (generator.nth !== 0) return [];
  const how = { caller: command.callers[0] ?? "full", written: "wide" as const };
  return command.framed.map((mutation) =>
    generator.create(command, { record: generator.next(), ...how, rows: [mutation] }),
  );
};
