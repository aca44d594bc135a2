import { type MemberType, operations } from "../../../generated/operations.ts";
import { describe, fail } from "../../client/expect.ts";
import { queryOf } from "../../client/operation.ts";
import { type Check, check } from "../check.ts";
import { expectRefusedAs, inEach } from "../probe.ts";
import {
  bodyOf,
  commands,
  effectOfMalformed,
  expectAllInvalid,
  expectNoneTaken,
  expectTaken,
  isAimed,
  mayBeEmpty,
  membersOf,
  queries,
} from "./operations.ts";

/** In JSON, what a member of each type is not, though a kind language would make it one. */
const WRONG: Readonly<Record<MemberType, readonly unknown[]>> = {
  string: [0, 1, 12345, -1.5, true, false, null, [], {}, ["Ada"], { toString: "Ada" }, { length: 3 }],
  integer: ["1", "", "one", 1.5, true, null, [], {}, [1]],
  number: ["1", "", "one", true, null, [], {}, [1]],
  boolean: ["true", "false", "", 0, 1, null, [], {}],
  strings: ["a", "a,b", 1, null, {}, [1], [null], [["a"]], { 0: "a", length: 1 }],
  integers: ["1", "1,2", 1, null, {}, ["1"], [1.5], [null], [[1]]],
  json: [],
};

/** Texts that are not `0` or digits without a leading zero, though some parser takes them for an integer. */
const NO_INTEGERS = [
  ...'abc 1abc abc1 null true NaN Infinity undefined [1] {} "1" 1,2 1;2 -1 -0 +1 01 00 0001 1.0 1. .1 1.5'.split(" "),
  ..."1e0 1e2 1E1 0x1 0b1 0o1 1n 1_0 --1 1- 1L".split(" "),
  ...["", " ", " 1", "1 ", "1\n", "\t1", "1\u0000", "\u00a01", "1\u200b", "\ufeff1"],
  ..."\u0661\uff11\u00b9\u00bd",
];

/** The same as they stand in a query. */
const LITERAL = "+1 1+ %201 1%20 %2B1 1%0A 1%00 %D9%A1 -1 1.0 1e1".split(" ");

const inData = commands.flatMap((id) => [
  ...membersOf(id).map(({ name, type }) =>
    check(`input/wrong-type#${id}-${name}`, { effect: effectOfMalformed(id, name) }, (api) =>
      expectNoneTaken(api, id, (data) => {
        // Converted, 1 or "1" would be somebody's.
        const wrong = isAimed(id, name) ? [null, {}] : WRONG[type];
        return [...wrong, [data[name]], { value: data[name] }].map((value) => ({
          body: bodyOf(id, { ...data, [name]: value }),
        }));
      }),
    ),
  ),
  check(`input/wrong-type#${id}-data`, { effect: effectOfMalformed(id) }, (api) =>
    expectNoneTaken(api, id, (data) => {
      const wrong = [null, [], [data], Object.values(data), "", "x", "{}", JSON.stringify(data), 0, 1, true, false];
      return wrong.map((value) => ({ body: bodyOf(id, value) }));
    }),
  ),
]);

const inQuery = queries.flatMap((id) =>
  membersOf(id).flatMap(({ name, type, required }) => [
    ...(type === "integer"
      ? [
          check(`input/integers#${id}-${name}`, {}, async (api) => {
            const data = api.example(id);
            const { [name]: _, ...rest } = data;
            const query = queryOf(operations[id], rest);
            await expectTaken(api, id);
            await expectAllInvalid(api, id, [
              ...NO_INTEGERS.map((value) => ({ input: { ...data, [name]: value } })),
              ...LITERAL.map((value) => ({ rawQuery: `${query}&${name}=${value}` })),
            ]);
          }),
        ]
      : []),
    ...(required || mayBeEmpty(id, name)
      ? []
      : [
          check(`input/empty-is-not-absent#${id}-${name}`, {}, async (api) => {
            const { [name]: _, ...rest } = api.example(id);
            await expectTaken(api, id, { input: rest });
            const query = queryOf(operations[id], rest);
            await expectAllInvalid(api, id, [{ rawQuery: `${query}&${name}=` }, { rawQuery: `${query}&${name}` }]);
          }),
        ]),
  ]),
);

/** Members are of their types, and nothing is converted (D8). */
export const types: readonly Check[] = [
  ...inData,
  ...inQuery,
  check("input/empty-is-not-absent#cursor", {}, (api) =>
    inEach(["cursor=", "cursor", "limit=1&cursor="], async (members) => {
      const reply = await api.call("user.list", { rawQuery: `@=user.list&${members}` });
      if (reply.status !== 422 && reply.status !== 400)
        fail("status", "an empty cursor refused with 400 or 422", describe(reply));
      expectRefusedAs(reply, reply.status === 422 ? "invalid-input" : "invalid-cursor");
    }),
  ),
];
