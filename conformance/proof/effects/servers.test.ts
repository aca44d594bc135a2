// What right servers do, by calls of their handlers; and each broken one does something else.
import { describe, expect, it } from "vitest";
import type { HandlerResponse } from "../../../src/server/index.ts";
import { brokenRules } from "./broken.ts";
import { contracts } from "./contracts.ts";
import { ledger } from "./ledger.ts";
import { otherwise } from "./otherwise.ts";
import { queue } from "./queue.ts";
import { register } from "./register.ts";
import { type Fields, handlersOf, type Row, type Rules, rightRules, type Shape } from "./server.ts";

type Call = (operation: string, input: Fields, key?: string) => Promise<Fields>;

/** Calls the handlers of a server as the service does, with defaults; a rejection is its code. */
function callerOf(shape: Shape, rules: Rules): Call {
  const handlers = handlersOf(shape, rules);
  const used = new Map<string, Fields>();
  return async (operation, input, key = "") => {
    const context = {
      now: () => new Date(),
      async once(_: unknown, work: () => Promise<Fields>) {
        const response = used.get(`${operation} ${key}`) ?? (await work());
        if (key !== "") used.set(`${operation} ${key}`, response);
        return response;
      },
    };
    const data = operation.endsWith(".list") ? { limit: 50, ...input } : input;
    try {
      const answer = await handlers[operation]?.(data as never, context as never);
      const parts = (answer as HandlerResponse<never>).parts;
      return parts && "json" in parts ? JSON.parse(String(parts.json)) : (answer as Fields);
    } catch (error) {
      return { code: (error as { code: string }).code };
    }
  };
}

/** Ids that are the same in each run. */
function counted(rules: Rules, shape: Shape): Rules {
  let count = 0;
  const newId = () => {
    count += 1;
    return typeof shape.newId() === "number" ? count : `id-${100 + count}`;
  };
  return { ...rules, newId };
}
const rightOf = (shape: Shape) => counted(rightRules(shape), shape);

/** A value that is computed when it is first needed. */
function once<Value>(compute: () => Value): () => Value {
  const values: Value[] = [];
  return () => {
    if (values.length === 0) values.push(compute());
    return values[0] as Value;
  };
}

/** Creates an owner and these records of it, and returns their ids. */
async function withRecords(call: Call, shape: Shape, records: readonly Fields[]) {
  const { id: owner } = await call(`${shape.owner}.create`, { name: "North" });
  const ids: unknown[] = [];
  for (const record of records) {
    const { id } = await call(`${shape.record}.create`, { [shape.ownerId]: owner, ...record });
    ids.push(id);
  }
  return { owner, ids };
}

const entry = (title: string, more: Fields = {}) => ({
  title,
  kind: "book",
  isPublic: false,
  copies: 3,
  ...more,
});
const invoice = (reference: string, amount: number, dueAt: string, more: Fields = {}) => ({
  reference,
  amount,
  dueAt,
  ...more,
});
const job = (name: string, priority: number, more: Fields = {}) => ({ name, priority, ...more });

const [NOON, LATER] = ["2026-01-31T12:00:00Z", "2026-01-31T12:00:00.5Z"];
const LONG = "x".repeat(150);

/** Records of each contract, and lists with what they have, by places of records. */
const LISTS: readonly (readonly [
  shape: Shape,
  records: readonly Fields[],
  lists: readonly (readonly [input: Fields, places: readonly number[]])[],
])[] = [
  [
    register,
    [
      entry("Alpha Beta", { shelf: "b", note: LONG }),
      entry(" alpha_", { isPublic: true, shelf: "b", note: "" }),
      entry("Beta", { kind: "map", shelf: "B", isPublic: true }),
      entry("ALPHAX", { shelf: "\u{1F600}", note: "n", copies: 0 }),
      entry("É", { shelf: "\uFF5A" }),
      entry("beth"),
      entry("zeta", { shelf: "a" }),
    ],
    [
      [{}, [2, 6, 1, 0, 4, 3, 5]],
      [{ title: "Beta" }, [2]],
      [{ title: "beta" }, []],
      [{ titlePart: "Beta" }, [2, 0]],
      [{ titlePart: "pha_" }, [1]],
      [{ titleStart: "Alpha" }, [0]],
      [{ titleStart: "Be" }, [2]],
      [{ kind: "map" }, [2]],
      [{ isPublic: false }, [6, 0, 4, 3, 5]],
      [{ note: "" }, [1]],
      [{ note: "n" }, [3]],
      [{ isPublic: true, titlePart: "a" }, [2, 1]],
      [{ like: "ALPHA" }, [1, 0, 3]],
    ],
  ],
  [
    ledger,
    [
      invoice("A-1", 9, NOON, { memo: LONG }),
      invoice("a-1", 10, "2026-01-31T12:00:00.000Z"),
      invoice(" b", -20, LATER, { memo: "m" }),
      invoice("c", 0, NOON, { memo: "M" }),
      invoice("d", 9, "2026-01-30T12:00:00Z"),
      invoice("E", 9, NOON),
    ],
    [
      [{}, [2, 3, 0, 5, 1, 4]],
      [{ minimum: 9 }, [0, 5, 1, 4]],
      [{ minimum: 0 }, [3, 0, 5, 1, 4]],
      [{ maximum: 9 }, [2, 3, 0, 5, 4]],
      [{ below: 9 }, [2, 3]],
      [{ minimum: 1, maximum: 9 }, [0, 5, 4]],
      [{ dueFrom: "2026-01-31T13:00:00.0+01:00" }, [2, 3, 0, 5, 1]],
      [{ dueFrom: "2026-01-31T12:00:00.000000001Z" }, [2]],
      [{ dueTo: NOON }, [3, 0, 5, 1, 4]],
      [{ dueTo: "2026-01-31t12:00:00.5z" }, [2, 3, 0, 5, 1, 4]],
      [{ dueTo: "2026-01-31T10:00:00Z" }, [4]],
      [{ dueBefore: LATER }, [3, 0, 5, 1, 4]],
      [{ dueBefore: NOON }, [4]],
      [{ references: ["a-1", "c"] }, [3, 1]],
      [{ status: ["sent"] }, []],
      [{ status: ["sent", "draft"], maximum: 0 }, [2, 3]],
      [{ memo: "m" }, [2]],
    ],
  ],
  [
    queue,
    [
      job("Alpha", 0, { runAt: LATER, payload: LONG }),
      job(" AlphaBeta", 7, { tag: "" }),
      job("beta", 7, { runAt: "2026-01-31T12:00:00.000Z", tag: "t", payload: "a_b" }),
      job("Alphabet", 7, { runAt: NOON, tag: "T", payload: "axb" }),
      job("Beta", 70),
    ],
    [
      [{}, [4, 2, 3, 1, 0]],
      [{ tag: "t" }, [2]],
      [{ tag: "" }, [1]],
      [{ nameStart: "Alpha" }, [3, 0]],
      [{ payloadPart: "a_" }, [2]],
      [{ priority: 7 }, [4, 2, 3, 1]],
      [{ runBefore: LATER }, [2, 3]],
      [{ priority: 7, runBefore: LATER, tag: "T" }, [3]],
    ],
  ],
];

describe.each(LISTS)("$name", (shape, records, lists) => {
  const { record, text, unique, number, state, ownerId, moves } = shape;
  const start = async (rules: Rules) => {
    const call = callerOf(shape, rules);
    return { call, ...(await withRecords(call, shape, records)) };
  };
  /** The places of the records in all pages of a list. */
  async function places(call: Call, ids: readonly unknown[], input: Fields, limit = 2) {
    const shown: number[] = [];
    for (let cursor: unknown; ; ) {
      const page = await call(`${record}.list`, { ...input, limit, ...(cursor ? { cursor } : {}) });
      shown.push(...(page.items as Row[]).map(({ id }) => ids.indexOf(id)));
      cursor = page.nextCursor;
      if (cursor === undefined) return shown.filter((place) => place >= 0);
    }
  }

  it.each(lists)("lists %o in order, page by page", async (input, expected) => {
    const { call, ids } = await start(rightRules(shape));
    expect(await places(call, ids, input)).toEqual(expected);
  });

  it("updates what is sent, removes what is null, and keeps the rest", async () => {
    const { call, ids } = await start(rightRules(shape));
    const [id] = ids;
    const before = await call(`${record}.get`, { id });
    await call(`${record}.update`, { id, [text]: null, [number]: 8 });
    const { [text]: _, ...rest } = { ...before, [number]: 8 };
    const after = await call(`${record}.get`, { id });
    expect({ ...after, ...changing(before) }).toEqual({ ...rest, ...changing(before) });
    expect(before[text]).toBe(LONG);
  });

  it("has a record until it is deleted, and its value is free then", async () => {
    const { call, ids, owner } = await start(rightRules(shape));
    const [id] = ids;
    const again = { ...records[0], [ownerId]: owner };
    expect(await call(`${record}.create`, again)).toEqual({ code: "value-taken" });
    await call(`${record}.delete`, { id });
    for (const operation of ["get", "update", "delete", ...Object.keys(moves)])
      expect(await call(`${record}.${operation}`, { id })).toEqual({ code: "record-not-found" });
    expect(await call(`${record}.create`, again)).toMatchObject(again);
    expect(await places(call, ids, {})).not.toContain(0);
  });

  it("needs the owner, and the state", async () => {
    const { call, ids, owner } = await start(rightRules(shape));
    const [id] = ids;
    await call(`${shape.owner}.delete`, { id: owner });
    const input = { ...records[0], [unique]: "new", [ownerId]: owner };
    expect(await call(`${record}.create`, input)).toEqual({ code: "owner-not-found" });
    for (const [move, { to }] of Object.entries(moves)) {
      expect(await call(`${record}.${move}`, { id })).toMatchObject({ [state.member]: to });
      expect(await call(`${record}.${move}`, { id })).toEqual({ code: "wrong-state" });
    }
  });

  it("compares a unique value as it is stated", async () => {
    const { call, ids, owner } = await start(rightRules(shape));
    const value = String(records[0]?.[unique]);
    const other = value === value.toUpperCase() ? `${value}!`.toLowerCase() : value.toUpperCase();
    const input = { ...records[0], [ownerId]: owner, [unique]: other };
    const { code } = await call(`${record}.create`, input);
    expect(code === "value-taken").toBe(shape.ignoresCase);
    const own = { id: ids[0], [unique]: value };
    expect(await call(`${record}.update`, own)).toMatchObject(own);
    const taken = { id: ids[1], [unique]: value };
    expect(await call(`${record}.update`, taken)).toEqual({ code: "value-taken" });
  });

  it("is as right where it decides otherwise", async () => {
    const right = rightRules(shape);
    const { call, ids } = await start(otherwise(right, shape));
    for (const [input, expected] of lists.slice(1))
      if (shape !== ledger || !("status" in input))
        expect(new Set(await places(call, ids, input))).toEqual(new Set(expected));
  });

  /** Everything above and more, in one order. */
  async function transcript(rules: Rules): Promise<string> {
    const { call, ids, owner } = await start(rules);
    const lines: unknown[] = [];
    const note = async (operation: string, input: Fields, key?: string) =>
      void lines.push(operation, without(await call(`${record}.${operation}`, input, key)));
    const lists = async () => {
      for (const [input] of LISTS.find(([one]) => one === shape)?.[2] ?? [])
        for (const limit of [1, 50]) lines.push(await places(call, ids, input, limit));
      for (const id of ids) await note("get", { id });
      lines.push(await places(call, ids, { [ownerId]: other.id }));
    };
    const other = await call(`${shape.owner}.create`, { name: "South" });
    await lists();
    const [a, b, c, d] = ids;
    const fresh = (value: string) => ({ ...records[1], [unique]: value, [ownerId]: owner });
    const created = await call(`${record}.create`, fresh("Key"), "key");
    ids.push(created.id);
    await note("update", { id: created.id, [number]: 4 });
    await note("create", fresh("Key"), "key");
    for (const move of Object.keys(moves))
      for (const _ of [1, 2]) await note(move, { id: created.id }, "key");
    await note("update", { id: created.id, [number]: 5 }, "key");
    await note("update", { id: created.id, [number]: 6 });
    await note("update", { id: created.id, [number]: 5 }, "key");
    await note("get", { id: created.id });
    for (const _ of [1, 2]) await note("delete", { id: created.id }, "key");
    await note("update", { id: created.id, [number]: 5 }, "key");
    ids.push((await call(`${record}.create`, fresh("Equal"))).id);
    await note("create", { ...fresh("Gone"), [ownerId]: "none" });
    await note("create", fresh(String(records[0]?.[unique])));
    await note("create", fresh(String(records[0]?.[unique]).toLowerCase()));
    await note("create", fresh(`${records[0]?.[unique]} `));
    await note("update", {
      id: a,
      [number]: 5,
      ...(shape === register && { sectionId: other.id }),
    });
    await note("update", { id: a, [text]: null });
    await note("update", { id: b, [unique]: records[0]?.[unique], [number]: 6 });
    await note("update", { id: b, [unique]: records[1]?.[unique], [text]: "text" });
    await note("update", { id: c, [text]: "text" });
    await note("update", { id: c, ...(shape === queue && { tag: "" }) });
    await note("update", { id: c, [unique]: `${LONG}x` });
    await note("update", { id: d, [unique]: `${LONG}y` });
    await note("update", { id: "none", [number]: 5 });
    await note("get", { id: "none" });
    await lists();
    for (const id of [a, d])
      for (const move of [...Object.keys(moves), ...Object.keys(moves)]) await note(move, { id });
    for (const move of Object.keys(moves).reverse()) await note(move, { id: b });
    await lists();
    const together = async (...calls: readonly (readonly [string, Fields])[]) => {
      const answers = await Promise.all(calls.map(([name, input]) => call(name, input)));
      lines.push(answers.map(without));
    };
    const [update, create] = [`${record}.update`, `${record}.create`];
    await together([update, { id: c, [number]: 1 }], [update, { id: c, [text]: "other" }]);
    await together([create, fresh("Race")], [create, fresh("Race")]);
    for (const move of Object.keys(moves))
      await together([`${record}.${move}`, { id: c }], [`${record}.${move}`, { id: c }]);
    await together([`${record}.delete`, { id: d }], [`${record}.delete`, { id: d }]);
    await call(`${shape.owner}.merge`, {});
    await note("delete", { id: b });
    await note("delete", { id: b });
    await note("create", fresh(String(records[1]?.[unique])));
    await call(`${shape.owner}.delete`, { id: owner });
    await note("create", fresh("Late"));
    await lists();
    return lines.map((line) => JSON.stringify(line)).join("\n");
  }

  const broken = contracts.find((one) => one.shape === shape)?.broken ?? [];

  const right = once(() => transcript(rightOf(shape)));

  it("answers the same again", async () => {
    expect(await transcript(rightOf(shape))).toBe(await right());
    expect(new Set(broken.map(({ name }) => name)).size).toBe(broken.length);
  });

  it.each(broken)("is different where it $name", async (one) => {
    const rules = brokenRules(rightOf(shape), shape, one);
    expect(await transcript(rules)).not.toBe(await right());
  });
});

/** Members that change by themselves, or with every update. */
const changing = ({ updatedAt, phase, progress }: Fields) => ({ updatedAt, phase, progress });

const without = ({ updatedAt, phase, progress, ...rest }: Fields) => rest;
