import { mediaTypesOf, type Operation } from "../oracle/contract.ts";
import { field, row, setField, type Variation } from "../requests/draft.ts";
import { BY_HEAD, IN_QUERY } from "../requests/generate.ts";
import { shuffled } from "../run/random.ts";
import type { Asked, Command } from "./space.ts";
import {
  KEY_FORMS,
  KEY_WRITTEN,
  type Moves,
  NEAR_WRITTEN,
  OF_FIELDS,
  type OfCommand,
  type Step,
  type Thread,
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
    (of === undefined ? [] : NEAR_WRITTEN.filter((_, at) => moves.hasShare(at + order))).flatMap((written) => {
      const one = { record: moves.next(), ...(of !== undefined && { of }) };
      const both = [moves.create(command, one), moves.create(command, { ...one, written })];
      return order === 0 ? both : both.toReversed();
    }),
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
  return [mine({}), ...shuffled([...share, ...near, ...moves.some(between)], moves.random), mine({})];
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
    ...[...(space.faults.get(operation)?.values() ?? [])].map((fault) => ask({ ...owner, rows: [fault] })),
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
        faults.filter(({ part }) => part !== KEY).map((fault) => ({ ...taken, rows: [ofKey, fault] })),
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

/** A cursor that is none meets each other fault, and each caller who may not have the list. */
export const metByCursor: Thread = ({ space, nth }) =>
  (nth === 1 ? space.lists : []).flatMap(({ operation, callers, cursor }): readonly Step[] => {
    if (!cursor) return [];
    const one = { operation, caller: callers[0] ?? "full", isKept: true, rows: [cursor], from: "start" } as const;
    const faults = [...(space.faults.get(operation)?.values() ?? [])].filter(({ part }) => part !== cursor.part);
    const strangers = space.callers.filter((caller) => !callers.includes(caller));
    return [
      ...faults.map((fault): Step => ({ ...one, rows: [cursor, fault] })),
      ...strangers.map((caller): Step => ({ ...one, caller })),
    ];
  });

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

/** Threads of queries. */

/** Pages in sequence, by cursors and links; then an old cursor again, and another length: of each list in one scenario. */
export const walk: Thread = (moves) => {
  const share = moves.space.lists.filter((_, at) => moves.hasShare(at));
  return (share.length > 0 ? share : moves.some(moves.space.lists)).flatMap((list) => {
    const from = moves.chance(0.3) ? "start" : "end";
    const limit = moves.pick([1, 2, 3]);
    const on = () => moves.page(list, { from: -1, limit, ...(moves.chance(0.4) && { isLinked: true }) });
    const old = Math.floor(moves.random() * 5);
    return [
      moves.page(list, { from, limit }),
      ...Array.from({ length: 4 }, on),
      // A cursor is taken any number of times.
      ...Array.from({ length: 3 }, () => moves.page(list, { from: old })),
      moves.page(list, { from: Math.floor(moves.random() * 5), isLinked: true }),
      moves.page(list, { from }),
    ];
  });
};

/** The same page twice, and then as another caller may see it. */
export const twice: Thread = (moves) =>
  moves.some(moves.space.lists).flatMap((list) => {
    const one = moves.page(list, { from: moves.pick(["start", "end"]) });
    const [caller = one.caller] = moves.some(moves.space.callers);
    const moved = { ...one, rows: [...one.rows, IN_QUERY], isKept: !one.isKept };
    return [one, one, moved, { ...one, caller }, one];
  });

const byHead = (step: Step): Step => ({ ...step, rows: [...step.rows, BY_HEAD] });

/** Records whose bodies are cut within a character. */
export const framed: OfCommand = (moves, command) => {
  if (moves.nth !== 0) return [];
  const how = { caller: command.callers[0] ?? "full", written: "wide" as const };
  return command.framed.map((one) => moves.create(command, { record: moves.next(), ...how, rows: [one] }));
};

/** A current copy, and then none again. */
export const conditions: Thread = (moves) =>
  moves.some(moves.space.conditional).flatMap((operation) => {
    const one = moves.manner(operation);
    const other = moves.manner(operation);
    const current: Step = { ...one, isConditional: true };
    return [one, current, one, other, current, byHead(current), one];
  });

/** Other queries, also with the caller's copy of the response. */
export const queries: Thread = (moves) =>
  Array.from({ length: 5 }, () => moves.some(moves.space.queries))
    .flat()
    .map((operation) => {
      const how = moves.manner(operation);
      const kind = moves.random();
      if (kind > 0.7) return { ...how, isConditional: true };
      return kind < 0.2 ? byHead(how) : how;
    });

/** Any operation with any fault, by any caller. */
export const faulty: Thread = (moves) => {
  const { lists, queries: others, commands, faults } = moves.space;
  const several = <Item>(length: number, items: readonly Item[]) =>
    Array.from({ length }, () => moves.some(items)).flat();
  const broken = (step: Step): Step => ({
    ...step,
    rows: [...step.rows, ...moves.some([...(faults.get(step.operation)?.values() ?? [])])],
  });
  const wrong = several(6, [...lists.map(({ operation }) => operation), ...others]).map((operation) =>
    broken({ ...moves.manner(operation), from: "end" }),
  );
  const record = moves.next();
  const created = several(2, commands).map((command) => broken(moves.create(command, { record })));
  return shuffled([...wrong, ...created], moves.random);
};

/** A response is right, and for its callers alone, whatever field came with the request before. */
export const guarded: Thread = (moves) => {
  const { space, random, nth } = moves;
  if (nth !== 1) return [];
  const pages = space.lists.map((list) => moves.page(list, { limit: 2, ...chosen(list.callers) }));
  const others = space.conditional.map((operation) => ({ operation, isKept: true, ...chosen(space.callers) }));
  return [...pages, ...others].flatMap((one) => {
    const { callers = [] } = space.lists.find(({ operation }) => operation === one.operation) ?? {};
    const strangers = callers.length === 0 ? [] : space.callers.filter((caller) => !callers.includes(caller));
    const start = Math.floor(random() * OF_FIELDS);
    const fields = (space.calm.get(one.operation) ?? []).filter(
      (_, at) => callers.length > 0 || (at + start) % OF_FIELDS === 0,
    );
    return fields.flatMap((row, at): Step[] => {
      const [caller = one.caller] = strangers.slice(at % Math.max(1, strangers.length));
      const wanted = { ...one, rows: [row] };
      return [wanted, { ...one, caller }, wanted];
    });
  });
};

/** Of the rows of codings, those that come first are tried in each order. */
const COMMON_CODINGS = 8;

/** What is kept of a representation in one coding is not for those who take another, or none: in both orders. */
export const coded: Thread = ({ space, nth }) =>
  (nth === 2 ? space.conditional : []).flatMap((operation) => {
    const plain: Step = { operation, isKept: false, ...chosen(space.callers) };
    // Another target, which no other request has: here it is read with the field first.
    const other = (space.calm.get(operation) ?? []).filter(({ part }) => part === "query");
    return (space.coded.get(operation) ?? []).flatMap((row, at): Step[] =>
      at >= COMMON_CODINGS
        ? [{ ...plain, rows: [row] }]
        : [{ ...plain, rows: [...other, row] }, { ...plain, rows: other }, plain, { ...plain, rows: [row] }],
    );
  });

const CODINGS = ["gzip", "br"];

/** A tag in lists of each legal form (RFC 9110, 5.6.1, 8.8.3 and 13.1.2). */
const COPIES: readonly ((tag: string) => string)[] = [
  (tag) => `"a,b", ${tag}`,
  (tag) => `"a" ,\t${tag}\t, "b"`,
  (tag) => `, ,${tag},`,
  (tag) => `"", ${tag}`,
  (tag) => `"\xe9", W/${tag}`,
  (tag) => `W/"a", W/${tag}`,
  (tag) => `"a,${tag.replaceAll('"', "")},b"`,
  (tag) => (tag.toUpperCase() === tag ? tag.toLowerCase() : tag.toUpperCase()),
  (tag) => tag.replace(/.(?="$)/, ""),
];

/** Every representation that there is, in every form of request: their responses agree. */
export const represented: Thread = ({ space, nth }) => {
  if (nth !== 0) return [];
  const how = { isKept: true, ...chosen(space.callers) };
  const asking = ({ operation, row: one }: Asked, ...more: readonly Variation[]): Step => ({
    ...{ operation, ...how, rows: [one, ...more] },
  });
  const typesOf = (operation: Operation) => field("Accept", mediaTypesOf(operation));
  const types = space.conditional.flatMap((operation) =>
    typesOf(operation).map((one) => asking({ operation, row: one })),
  );
  const files = space.files.map((file) => asking(file));
  const codings = [[], ...field("Accept-Encoding", CODINGS).map((one) => [one])];
  const each = [...types, ...files].flatMap((one) =>
    codings.flatMap((coding) => {
      const asked = { ...one, rows: [...one.rows, ...coding] };
      const again: Step = { ...asked, isConditional: true };
      // The tag of another coding first.
      return [...(coding.length === 1 ? [again] : []), asked, byHead(asked), again, byHead(again)];
    }),
  );
  const loaded = space.loaded.map((file) => asking(file));
  const ofLoaded = loaded.flatMap((one) =>
    codings.flatMap((coding) => [one, byHead(one)].map((asked) => ({ ...asked, rows: [...asked.rows, ...coding] }))),
  );
  const copies = types
    .slice(0, 1)
    .flatMap((one) => [one, ...COPIES.map((copies): Step => ({ ...one, isConditional: true, copies }))]);
  const known = space.known.flatMap((one) => typesOf(one.operation).map((type) => asking(one, type)));
  return [...each, ...ofLoaded, ...copies, ...known];
};

const PREFLIGHT = row("method", "a preflight", (draft) => {
  draft.method = "OPTIONS";
  setField(draft, "Origin", ["https://app.example"]);
  setField(draft, "Access-Control-Request-Method", ["GET"]);
});
const OPTIONS = row("method", "OPTIONS", (draft) => {
  draft.method = "OPTIONS";
});
const ANY_COPY = row("If-None-Match", "any copy", (draft) => setField(draft, "If-None-Match", ["*"]));
/** What a file, and what OPTIONS, does not read. */
const UNREAD = [
  row("query", "?%zz", (draft) => void draft.query.push("a=%zz")),
  row("X-API-KEY", "X-API-KEY twice", (draft) => setField(draft, "X-API-KEY", ["a", "b"])),
  ...field("X-Forwarded-Prefix", ["/elsewhere"]),
  ...field("X-Forwarded-Host", ["elsewhere.example"]),
];

/** Each file, and each query, in the ways that are the same for all of them. */
export const everywhere: Thread = ({ space, nth }) => {
  if (nth !== 2) return [];
  const how = { isKept: true, ...chosen(space.callers) };
  const queries = [...space.queries, ...space.lists.map(({ operation }) => operation)].map((operation) => ({
    ...{ operation, ...how },
  }));
  const files = space.files.map(({ operation, row: one }) => ({ operation, ...how, rows: [one] }));
  const first = queries.find(({ operation }) => operation.auth) ?? queries[0];
  const faults = first ? [...(space.faults.get(first.operation)?.values() ?? [])] : [];
  return [
    ...[...queries, ...files].flatMap((one): readonly Step[] => {
      const copy = { ...one, rows: [...one.rows, ANY_COPY] };
      return [copy, byHead(copy), { ...one, rows: [...one.rows, PREFLIGHT] }, { ...one, rows: [...one.rows, OPTIONS] }];
    }),
    ...files.flatMap((one) => UNREAD.map((unread) => ({ ...one, rows: [...one.rows, unread] }))),
    ...(first ? [...faults, ...UNREAD].map((fault) => ({ ...first, rows: [fault, OPTIONS] })) : []),
    ...files.flatMap((one) => {
      const inJson = { ...one, rows: [...one.rows, ...field("Accept", ["application/json"])] };
      return [inJson, byHead(inJson)];
    }),
    ...space.conditional.flatMap((operation) =>
      [...(space.faults.get(operation)?.values() ?? [])].map((fault) => ({
        ...{ operation, ...how, rows: [ANY_COPY, fault] },
      })),
    ),
  ];
};

const chosen = ([caller = "full"]: readonly string[]) => ({ caller, rows: [] });
