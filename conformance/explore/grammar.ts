import fc, { type Arbitrary } from "fast-check";
import { boundsOf, EACH_TYPE, NUMBERS, strangersTo, textsOf } from "../lists/input/values.ts";
import type { Asking } from "../lists/list.ts";
import { membersOf, type Operation, pageItemOf, type Schema, takesIdempotencyKey } from "../oracle/contract.ts";
import { type Draft, draftOf, nameIn, pairOf, type Twist } from "./draft.ts";
import { accepted, heads, idempotencyKeys, optional } from "./fields.ts";
import { bodies, credentials, mediaTypes, methods, names, paths, queries, sizes } from "./twists.ts";

/** The grammar of requests, generated from the contract: the plain call of an operation, and up to this many twists of it. */

const MOST_TWISTS = 8;
/**
 * The first entries of each table, this many, are as frequent as all of them: most defects are in combinations of two common
 * variations.
 */
const USUAL = 6;

/** Characters by class: at the start, within and at the end of a text. */
const CLASSES = [
  ...[
    "a",
    "Z",
    "50",
    ".-_@",
    " '\"",
    "<&%+/#$:;,!?*()[]{}|\\^~`",
    "\u00e9\u00df\u0130",
    "\u0414\u05d0\u0e01\u4e2d\u20ac",
  ],
  ...["\u{1f600}\u{20000}\u{10ffff}", "\u0301\u200d\u202e\ufb01\ufffd\ue000", "\u00a0\u2028\ufeff\u3000"],
  ...["\t\n\r\u0000\u001b\u007f\u0085", "\ud800\udc00\ud800"],
];
const character = fc.oneof(...CLASSES.map((one) => fc.constantFrom(...one)));

/** Texts of any length around the bounds of a schema, with any characters, also at both ends. */
function texts({ minLength = 0, maxLength = 40 }: Schema): Arbitrary<string> {
  const around = [minLength, maxLength].flatMap((bound) => [bound, bound - 1, bound + 1]);
  const length = fc.oneof(fc.integer({ min: 1, max: 8 }), fc.constantFrom(...around.filter((n) => n >= 0)));
  return fc
    .record({ length, first: character, inner: character, last: character })
    .map(({ length, first, inner, last }) => {
      if (length < 2) return length === 0 ? "" : first;
      return first + inner.repeat(length - 2) + last;
    });
}

/** The values of a member, as JSON text; of a parameter, as written in the query. */
function valuesOf(schema: Schema, good: unknown): Arbitrary<unknown> {
  const numbers = boundsOf(schema);
  const known = typeof good === "string" ? textsOf(schema, good) : [];
  return fc.oneof(
    fc.constantFrom(...numbers, good, ...EACH_TYPE),
    ...(known.length > 0 ? [{ weight: 2, arbitrary: fc.constantFrom(...known) }] : []),
    ...(schema.type === "string" ? [{ weight: 3, arbitrary: texts(schema) }] : []),
  );
}

const without = (draft: Draft, member: string) => {
  draft.data = draft.data?.filter(([name]) => name !== member) ?? null;
  draft.query = draft.query?.filter((pair) => nameIn(pair) !== member) ?? null;
};

/** The members of a command's data: each value, missing, twice; unknown ones; no data. */
function members({ oracle, input }: Asking, operation: Operation): Arbitrary<Twist> {
  const known = membersOf(oracle.contract, operation.schema);
  const good = input(operation);
  const put = (name: string, text: string, more = false): Twist => {
    return (draft) => {
      if (!more) without(draft, name);
      draft.data = [...(draft.data ?? []), [name, text]];
    };
  };
  const other: readonly Twist[] = [
    ...Object.keys(known).map(
      (name): Twist =>
        (draft) =>
          without(draft, name),
    ),
    (draft) => {
      draft.data = null;
    },
    (draft) => draft.data?.reverse(),
    (draft) => {
      draft.taken = true;
    },
    ...EACH_TYPE.map((value): Twist => {
      return (draft) => {
        draft.data = null;
        draft.members.push(["data", JSON.stringify(value)]);
      };
    }),
    ...Object.entries(good).flatMap(([name, value]) => [
      put(name, JSON.stringify(value), true),
      put(name, '"x"', true),
    ]),
    ...[...strangersTo(Object.keys(known), []), "__proto__"].map((name) => put(name, "1", true)),
    ...["x", "__proto__", "Data", "@@"].map(
      (name): Twist =>
        (draft) =>
          void draft.members.push([name, "{}"]),
    ),
  ];
  const each = Object.entries(known).map(([name, schema]) =>
    valuesOf(schema, good[name]).map((value) => put(name, JSON.stringify(value))),
  );
  return fc.oneof(fc.constantFrom(...other), ...each.map((arbitrary) => ({ weight: 3, arbitrary })));
}

/** The parameters of a query: each value, repeated; unknown ones; those of a page with a known cursor. */
function parameters({ oracle, model, input }: Asking, operation: Operation): Arbitrary<Twist> {
  const known = membersOf(oracle.contract, operation.schema);
  const own = Object.keys(known).filter((name) => !operation.parts.includes(name));
  const put = (text: string, more = false): Twist => {
    return (draft) => {
      if (!more) without(draft, nameIn(text));
      draft.query = [...(draft.query ?? []), text];
    };
  };
  const cursor: Twist = (draft) => {
    const given = [...model.cursors.values()].flatMap((some) => [...some]);
    put(pairOf("cursor", given.at(-1) ?? ""))(draft);
  };
  const other = [
    ...own.flatMap((name) => [put(`${name}=`), put(name), put(`${name}=1`, true), put(`${name}=${"1".repeat(400)}`)]),
    ...strangersTo(own, []).map((name) => put(pairOf(name, "1"), true)),
    ...(pageItemOf(oracle.contract, operation) ? [cursor, cursor, cursor, put(pairOf("cursor", "x"))] : []),
  ];
  const each = own.map((name) => {
    const schema = known[name] ?? {};
    const spelled = schema.type === "string" ? [] : NUMBERS;
    const values = valuesOf(schema, input(operation)[name] ?? "x").map((value) =>
      pairOf(name, typeof value === "string" ? value : JSON.stringify(value)),
    );
    return fc.oneof(
      values,
      ...(spelled.length > 0 ? [fc.constantFrom(...spelled.map((text) => `${name}=${text}`))] : []),
    );
  });
  return fc.oneof(
    fc.constantFrom(...other),
    ...each.map((arbitrary) => ({ weight: 2, arbitrary: arbitrary.map((text) => put(text)) })),
  );
}

function twistsOf(asking: Asking, operation: Operation, files: readonly string[]): Arbitrary<Twist> {
  const { oracle } = asking;
  const isCommand = operation.method === "POST";
  const table = (weight: number, some: readonly Twist[]) => {
    const usual = fc.constantFrom(...some.slice(0, USUAL));
    return {
      weight,
      arbitrary: fc.oneof({ weight: 3, arbitrary: usual }, { weight: 2, arbitrary: fc.constantFrom(...some) }),
    };
  };
  return fc.oneof(
    ...optional(asking).map((some) => table(2, some)),
    table(takesIdempotencyKey(operation) ? 5 : 1, idempotencyKeys(asking)),
    table(2, accepted(operation)),
    { weight: 6, arbitrary: isCommand ? members(asking, operation) : parameters(asking, operation) },
    ...names(asking, operation).map((some) => table(1, some)),
    ...credentials(asking).map((some) => table(1, some)),
    table(isCommand ? 1 : 2, queries),
    ...[bodies, mediaTypes].map((some) => table(isCommand ? 2 : 1, some)),
    table(isCommand ? 3 : 1, sizes(oracle.contract)),
    table(isCommand ? 1 : 3, methods),
    table(1, paths(files)),
    table(2, heads(oracle.contract)),
  );
}

/** Requests, each as a function that writes a new draft. Commands are as frequent as all queries together. */
export function requestsOf(asking: Asking, files: readonly string[]): Arbitrary<() => Draft> {
  const { api, operations, input } = asking;
  const { key, platform } = api.credentials.full;
  const isCommand = ({ method }: Operation) => method === "POST";
  const queries = operations.filter((one) => !isCommand(one)).length;
  const commands = operations.length - queries;
  const one = (operation: Operation) =>
    fc.array(twistsOf(asking, operation, files), { maxLength: MOST_TWISTS, size: "max" }).map((twists) => () => {
      const draft = draftOf(operation, input(operation), api.host, [key, platform]);
      for (const twist of twists) twist(draft);
      return draft;
    });
  return fc.oneof(
    ...operations.map((operation) => ({
      weight: isCommand(operation) ? Math.max(1, Math.round(queries / commands)) : 1,
      arbitrary: one(operation),
    })),
  );
}

/** So many of them; the same ones for the same seed. */
export const drawn = (asking: Asking, files: readonly string[], numRuns: number, seed: number) =>
  fc.sample(requestsOf(asking, files), { numRuns, seed });
