import { shuffled } from "../run/random.ts";
import { create, OF_FIELDS, type OfCommand, pageOf, SCENARIOS, some } from "./moves.ts";
import { KEY_WRITTEN, NEAR_WRITTEN, type Step, WRITTEN } from "./steps.ts";

/** Threads about a command that creates records. */

/** A record, and the same once more in another spelling, or with a fault; others whose values are only near, before and after it. */
export const conflict: OfCommand = (command) => (random, numbers, space, nth) => {
  const record = numbers.next();
  const spellings = WRITTEN.filter((one, at) => one === "other" || at % SCENARIOS === nth % SCENARIOS);
  const again = spellings.map((spelling) => create(random, space, command, { record, written: spelling }));
  const { conflict: of, invalid, callers } = command;
  const owner = { caller: callers[0] ?? "full" };
  const faulty = invalid.map((row) => create(random, space, command, { record, ...owner, rows: [row] }));
  const near = (of === undefined ? [] : NEAR_WRITTEN).flatMap((written, at) => {
    if (at % SCENARIOS !== nth % SCENARIOS) return [];
    const one = { record: numbers.next(), ...(of !== undefined && { of }) };
    return shuffled([create(random, space, command, one), create(random, space, command, { ...one, written })], random);
  });
  return [
    create(random, space, command, { record }),
    ...pageOf(random, space),
    ...shuffled([...again, ...faulty], random),
    ...near,
    ...pageOf(random, space),
  ];
};

/** A key: replays, other data with it, the same key of another caller, and similar keys. */
export const underKey: OfCommand = (command) => (random, numbers, space, nth) => {
  if (!command.isKeyed) return [];
  const [owner = "full", ...others] = shuffled(command.callers, random);
  const [record, key] = [numbers.next(), numbers.next()];
  const mine = (more: Partial<Step>) => create(random, space, command, { record, key, caller: owner, ...more });
  const between = [
    mine({}),
    ...KEY_WRITTEN.slice(1).map((keyWritten) => mine({ keyWritten, of: "key-whole" })),
    ...(["reordered", "other", "escaped", "capitals"] as const).map((spelling) => mine({ written: spelling })),
    create(random, space, command, { record, caller: owner }),
    ...others.map((caller) => mine({ caller, of: "key-of-caller" })),
    ...pageOf(random, space),
  ];
  const share = between.filter((_, at) => at % SCENARIOS === nth % SCENARIOS);
  const more = some(random, between);
  return [mine({}), ...shuffled([...share, ...more], random), mine({})];
};

/** The same key, used by two callers for records of their own. */
export const twoOwners: OfCommand = (command) => (random, numbers, space) => {
  const [one, other] = shuffled(command.callers, random);
  if (!command.isKeyed || one === undefined || other === undefined) return [];
  const [first, second, key] = [numbers.next(), numbers.next(), numbers.next()];
  const steps = [
    create(random, space, command, { record: first, key, caller: one }),
    create(random, space, command, { record: second, key, caller: other, of: "key-of-caller" }),
  ];
  return [...steps, ...shuffled(steps, random)];
};

/** Rejected first, with a key or without: nothing is stored, and key and values stay free. */
export const rejected: OfCommand = (command) => (random, numbers, space) => {
  const { operation, callers, isKeyed } = command;
  const [record, taken] = [numbers.next(), numbers.next()];
  const key = isKeyed ? { key: numbers.next() } : {};
  const ask = (more: Partial<Step>) => create(random, space, command, { record, ...key, ...more });
  const owner = { caller: callers[0] ?? "full", rows: [] };
  return [
    ...[...(space.faults.get(operation)?.values() ?? [])].map((fault) => ask({ ...owner, rows: [fault] })),
    ...space.callers.filter((caller) => !callers.includes(caller)).map((caller) => ask({ caller })),
    // A conflict uses up no key.
    create(random, space, command, { record: taken }),
    ...(isKeyed ? [ask({ ...owner, record: taken })] : []),
    ...pageOf(random, space),
    ask({ ...owner, ...(isKeyed && { of: "key-free" }) }),
    ask(owner),
    ...pageOf(random, space),
  ];
};

/** A key is the same with every other field: the first call and the replay differ in one of them. */
export const amongFields: OfCommand = (command) => (random, numbers, space, nth) => {
  if (!command.isKeyed || nth > 0) return [];
  const how = { caller: command.callers[0] ?? "full", rows: [] };
  const fresh = (): Step => create(random, space, command, { record: numbers.next(), key: numbers.next(), ...how });
  const start = Math.floor(random() * OF_FIELDS);
  const known = fresh();
  const fields = space.calm.get(command.operation) ?? [];
  const first = fields.flatMap((row, at): readonly Step[] => {
    if ((at + start) % OF_FIELDS !== 0) return [];
    const one = fresh();
    return [{ ...one, rows: [row] }, one];
  });
  return [known, ...fields.map((row) => ({ ...known, rows: [row] })), ...first];
};
