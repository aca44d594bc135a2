// The three contracts, each with what is wrong in its own way.
import {
  absentFirst,
  type Broken,
  broken,
  brokenEverywhere,
  filtering,
  lowered,
  making,
  ordering,
  updating,
} from "./broken.ts";
import { ledger } from "./ledger.ts";
import { queue } from "./queue.ts";
import { register } from "./register.ts";
import { compare, instant, lower, type Shape } from "./server.ts";

/** A parameter that matches otherwise than it should. */
const wrongly = (
  name: string,
  parameter: string,
  matches: (value: never, wanted: never) => boolean,
): Broken =>
  filtering(name, (row, given, wanted, right, { filters }) =>
    given === parameter
      ? matches(row[filters[given]?.[0] ?? ""] as never, wanted as never)
      : right.matches(row, given, wanted),
  );

/** A parameter that is ignored with this value. */
const ignoring = (name: string, parameter: string, ignored: unknown): Broken =>
  filtering(name, (row, given, wanted, right) =>
    given === parameter && wanted === ignored ? true : right.matches(row, given, wanted),
  );

/** Values of a member compare otherwise in the order of a list. */
const comparing = (name: string, change: (value: unknown, other: unknown) => number): Broken =>
  broken(name, "order listed", (right) => ({
    compare: (value, other, member) =>
      member === "id" ? right.compare(value, other, member) : change(value, other),
  }));

const units = (value: unknown, other: unknown) =>
  value === other ? 0 : (value as string) < (other as string) ? -1 : 1;

/** A text as a pattern of LIKE. */
function like(wanted: string): RegExp {
  const source = wanted
    .replace(/[^\w%]/g, "\\$&")
    .replaceAll("%", ".*")
    .replaceAll("_", ".");
  return new RegExp(source, "su");
}

const ofRegister: readonly Broken[] = [
  absentFirst,
  wrongly("looks for a begin anywhere", "titleStart", (value: string, wanted: string) =>
    value.includes(wanted),
  ),
  wrongly("looks for a part at the begin", "titlePart", (value: string, wanted: string) =>
    value.startsWith(wanted),
  ),
  wrongly("looks for a part that is the whole", "titlePart", (value: string, wanted: string) =>
    Object.is(value, wanted),
  ),
  wrongly("takes a part as a pattern", "titlePart", (value: string, wanted: string) =>
    like(wanted).test(value),
  ),
  wrongly("ignores case in a begin", "titleStart", (value: string, wanted: string) =>
    lower(value).startsWith(lower(wanted)),
  ),
  ignoring("takes false as no value", "isPublic", false),
  ignoring("takes an empty text as no value", "note", ""),
  comparing("orders texts without their case", (value, other) =>
    typeof value === "string" ? compare(lowered(value), lowered(other)) : compare(value, other),
  ),
  comparing("orders texts by UTF-16 units", (value, other) =>
    typeof value === "string" ? units(value, other) : compare(value, other),
  ),
  broken("compares without blanks at the ends", "unique", (right) => ({
    isSame: (value, other) => right.isSame(`${value}`.trim(), `${other}`.trim()),
  })),
  broken("keeps the owner that an update changes", "updated", (right) => ({
    update: (row, input, now) => right.update(row, { ...input, sectionId: row.sectionId }, now),
  })),
];

const ofLedger: readonly Broken[] = [
  wrongly("excludes the lower bound", "minimum", (value: number, wanted: number) => value > wanted),
  wrongly("excludes the upper bound", "maximum", (value: number, wanted: number) => value < wanted),
  wrongly(
    "includes the bound of before",
    "below",
    (value: number, wanted: number) => value <= wanted,
  ),
  wrongly(
    "is one less with the bound",
    "minimum",
    (value: number, wanted: number) => value >= wanted - 1,
  ),
  wrongly("takes a bound as the value", "maximum", Object.is),
  ignoring("takes 0 as no bound", "minimum", 0),
  wrongly("compares times as texts", "dueFrom", (value: string, wanted: string) => value >= wanted),
  wrongly(
    "compares times by the second",
    "dueBefore",
    (value: string, wanted: string) => instant(value).slice(0, 13) < instant(wanted).slice(0, 13),
  ),
  wrongly(
    "includes the whole day of a bound",
    "dueTo",
    (value: string, wanted: string) => value.slice(0, 10) <= wanted.slice(0, 10),
  ),
  wrongly("takes the first of several values", "status", (value: string, wanted: string[]) =>
    Object.is(value, wanted[0]),
  ),
  wrongly("takes what is none of several values", "status", (value: string, wanted: string[]) =>
    wanted.every((one) => one !== value),
  ),
  comparing("orders numbers as texts", (value, other) => compare(`${value}`, `${other}`)),
  comparing("orders by sizes without signs", (value, other) =>
    typeof value === "number" ? Math.abs(value) - Math.abs(Number(other)) : compare(value, other),
  ),
  broken("pays what was not sent", "state", ({ mayMove }, { state: { member } }) => ({
    mayMove: (row, from) => row[member] === "draft" || mayMove(row, from),
  })),
  making("stores a time to the second", (row) => ({
    ...row,
    dueAt: `${row.dueAt}`.replace(/\.\d+/, ""),
  })),
  making("makes an amount positive", (row) => ({ ...row, amount: Math.abs(Number(row.amount)) })),
];

const ofQueue: readonly Broken[] = [
  absentFirst,
  wrongly("includes the bound of before", "runBefore", (value?: string, wanted = "") =>
    Boolean(value && instant(value) <= instant(wanted)),
  ),
  wrongly(
    "excludes the lower bound",
    "priority",
    (value: number, wanted: number) => value > wanted,
  ),
  ignoring("takes an empty text as no value", "tag", ""),
  wrongly("looks for a begin anywhere", "nameStart", (value: string, wanted: string) =>
    value.includes(wanted),
  ),
  wrongly("takes a part as a pattern", "payloadPart", (value?: string, wanted = "") =>
    Boolean(value !== undefined && like(wanted).test(value)),
  ),
  making("takes a priority of 0 as none", (row) => ({ ...row, priority: row.priority || 5 })),
  updating("takes an empty text as an absent one", (after, before, { tag }) =>
    tag === "" && before.tag !== undefined ? { ...after, tag: before.tag } : after,
  ),
  broken("cancels only what was never held", "state", (right) => ({
    mayMove: (row, from) => right.mayMove(row, from.slice(0, 1)),
  })),
  broken("changes jobs where it merges topics", "read updated listed", (_, { number }) => ({
    merge({ rows }) {
      for (const row of rows.values()) rows.set(row.id, { ...row, [number]: 0 });
    },
  })),
  ordering("orders by the time alone", () => ["runAt", "id"]),
];

const withOwn = (shape: Shape, own: readonly Broken[]) => ({
  shape,
  broken: [...brokenEverywhere, ...own],
});

export const contracts: readonly { readonly shape: Shape; readonly broken: readonly Broken[] }[] = [
  withOwn(register, ofRegister),
  withOwn(ledger, ofLedger),
  withOwn(queue, ofQueue),
];
