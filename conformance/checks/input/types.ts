import { type MemberType, operations } from "../../../generated/operations.ts";
import { describe, expectProblem, fail } from "../../client/expect.ts";
import { queryOf } from "../../client/operation.ts";
import { type Check, check } from "../check.ts";
import { inCase } from "../probe.ts";
import { expectUnchanged, stateOf } from "../state.ts";
import {
  bodyOf,
  commands,
  effectOfMalformed,
  expectInvalid,
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
  ...["", " ", "abc", "1abc", "abc1", "null", "true", "NaN", "Infinity", "undefined", "[1]", "{}", '"1"', "1,2", "1;2"],
  ...[
    "-1",
    "-0",
    "+1",
    "01",
    "00",
    "0001",
    "1.0",
    "1.",
    ".1",
    "1.5",
    "1e0",
    "1e2",
    "1E1",
    "0x1",
    "0b1",
    "0o1",
    "1n",
    "1_0",
  ],
  ...[
    " 1",
    "1 ",
    "1\n",
    "\t1",
    "1\u0000",
    "\u00a01",
    "1\u200b",
    "\ufeff1",
    "\u0661",
    "\uff11",
    "\u00b9",
    "\u00bd",
    "--1",
    "1-",
    "1L",
  ],
];

const inData = commands.flatMap((id) => [
  ...membersOf(id).map(({ name, type }) =>
    check(`input/wrong-type#${id}-${name}`, { effect: effectOfMalformed(id, name) }, async (api) => {
      const data = api.example(id);
      const before = await stateOf(api, operations[id], data);
      // Converted, 1 or "1" would be somebody's.
      const wrong = isAimed(id, name) ? [null, {}] : WRONG[type];
      for (const value of [...wrong, [data[name]], { value: data[name] }])
        await inCase(`${name}: ${JSON.stringify(value)}`, () =>
          expectInvalid(api, id, { body: bodyOf(id, { ...data, [name]: value }) }),
        );
      await expectUnchanged(api, before);
    }),
  ),
  check(`input/wrong-type#${id}-data`, { effect: effectOfMalformed(id) }, async (api) => {
    const data = api.example(id);
    const before = await stateOf(api, operations[id], data);
    const wrong = [null, [], [data], Object.values(data), "", "x", "{}", JSON.stringify(data), 0, 1, true, false];
    for (const value of wrong)
      await inCase(`data: ${JSON.stringify(value)}`, () => expectInvalid(api, id, { body: bodyOf(id, value) }));
    await expectUnchanged(api, before);
    await expectTaken(api, id, { input: data });
  }),
]);

const inQuery = queries.flatMap((id) =>
  membersOf(id).flatMap(({ name, type, required }) => [
    ...(type === "integer"
      ? [
          check(`input/integers#${id}-${name}`, {}, async (api) => {
            await expectTaken(api, id);
            for (const value of NO_INTEGERS)
              await inCase(`${name}=${JSON.stringify(value)}`, () =>
                expectInvalid(api, id, { input: { ...api.example(id), [name]: value } }),
              );
          }),
          check(`input/integers#${id}-${name}-literal`, {}, async (api) => {
            const of = queryOf(operations[id], api.example(id))
              .split("&")
              .filter((pair) => pair !== "" && !pair.startsWith(`${name}=`));
            for (const value of ["+1", "1+", "%201", "1%20", "%2B1", "1%0A", "1%00", "%D9%A1", "-1", "1.0", "1e1"])
              await inCase(`${name}=${value}`, () =>
                expectInvalid(api, id, { rawQuery: [...of, `${name}=${value}`].join("&") }),
              );
          }),
        ]
      : []),
    ...(required || mayBeEmpty(id, name)
      ? []
      : [
          check(`input/empty-is-not-absent#${id}-${name}`, {}, async (api) => {
            await expectTaken(api, id, { input: {} });
            await expectInvalid(api, id, { input: { [name]: "" } });
            await inCase("without =", () => expectInvalid(api, id, { rawQuery: `@=${id}&${name}` }));
          }),
        ]),
  ]),
);

/** Members are of their types, and nothing is converted (D8). */
export const types: readonly Check[] = [
  ...inData,
  ...inQuery,
  check("input/empty-is-not-absent#cursor", {}, async (api) => {
    await expectTaken(api, "user.list");
    for (const rawQuery of ["@=user.list&cursor=", "@=user.list&cursor", "@=user.list&limit=1&cursor="]) {
      const reply = await api.call("user.list", { rawQuery });
      if (reply.status === 422) expectProblem(reply, 422, "invalid-input", "user.list");
      else if (reply.status === 400) expectProblem(reply, 400, "invalid-cursor", "user.list");
      else fail("status", "an empty cursor refused with 400 or 422", describe(reply));
    }
  }),
];
