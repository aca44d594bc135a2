// A record as a set of possible states: after commands, alone and at once, and for responses that
// were on their way.
import { expect, it } from "vitest";
import type { Members, RecordState } from "../oracle/records.ts";
import { type Change, Records } from "./records.ts";

const ROOM = { id: "r", name: "A", seats: 1 };

function known() {
  const clock = { now: 0 };
  const records = new Records(clock, { key: "id", volatile: [], free: [], areOpen: true });
  records.add(ROOM, true);
  const change = (apply: Change["apply"], more: Partial<Change> = {}) =>
    records.change("r", { apply, event: "updated", since: clock.now, ...more });
  return { clock, records, change };
}

const set =
  (members: Members) =>
  (state: Members): readonly RecordState[] => [{ ...state, ...members }];
const remove = (): readonly RecordState[] => [null];

it("is what the last command has made of it", () => {
  const { records, change } = known();
  change(set({ name: "B" }));
  change(set({ seats: 2 }));
  expect(records.statesOf("r")).toEqual([{ id: "r", name: "B", seats: 2 }]);
  change(remove);
  expect(records.statesOf("r")).toEqual([null]);
});

it("may be as before where a command may not have been carried out", () => {
  const { records, change } = known();
  change(set({ name: "B" }), { isOpen: true });
  expect(records.statesOf("r")).toEqual([ROOM, { ...ROOM, name: "B" }]);
  change(null);
  expect(records.statesOf("r")).toBeNull();
  records.show("r", { ...ROOM, name: "C" }, Number.POSITIVE_INFINITY);
  expect(records.statesOf("r")).toEqual([{ ...ROOM, name: "C" }]);
});

it("has the changes of all commands that were sent at once, in any order", () => {
  const { clock, records, change } = known();
  const since = clock.now;
  for (let count = 0; count < 3; count += 1) records.underWay("r", 1);
  change(set({ name: "B" }), { since });
  change(set({ name: "C" }), { since });
  expect(records.statesOf("r")).toBeNull();
  change(set({ seats: 2 }), { since });
  for (let count = 0; count < 3; count += 1) records.underWay("r", -1);
  const names = records.statesOf("r")?.map((state) => [state?.name, state?.seats]);
  expect(new Set(names?.map(String))).toEqual(new Set(["B,2", "C,2"]));
});

it("may be as it was, or on its way, for a response to an earlier request", () => {
  const { clock, records, change } = known();
  const since = clock.now;
  change(set({ name: "B" }));
  expect(records.statesSince("r", since)).toEqual([ROOM, { ...ROOM, name: "B" }]);
  expect(records.statesSince("r", clock.now)).toEqual([{ ...ROOM, name: "B" }]);
});

it("is not known where it is somebody's, and commands may change it", () => {
  const { records } = known();
  records.add({ id: "other" }, false);
  expect(records.statesOf("other")).toBeNull();
  expect(records.statesOf("unseen")).toBeUndefined();
});
