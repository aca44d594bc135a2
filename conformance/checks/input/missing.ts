import { operations } from "../../../generated/operations.ts";
import { nameOf } from "../../client/operation.ts";
import { type Check, check } from "../check.ts";
import { inCase } from "../probe.ts";
import { expectUnchanged, stateOf } from "../state.ts";
import { bodyOf, commands, effectOfMalformed, expectInvalid, expectTaken, membersOf, queries } from "./operations.ts";

type Data = Readonly<Record<string, unknown>>;

function without(data: Data, name: string): Data {
  return Object.fromEntries(Object.entries(data).filter(([member]) => member !== name));
}

/** `data` that lacks what it needs, and has it elsewhere. */
function elsewhere(data: Data): readonly (readonly [what: string, data: unknown])[] {
  return [
    ["in an inner data", { data }],
    ["in an inner input", { input: data }],
    [
      "in members of other letter case",
      Object.fromEntries(Object.entries(data).map(([name, value]) => [name.toUpperCase(), value])),
    ],
    ["in constructor", { constructor: data }],
    ["in prototype", { prototype: data }],
    ["in an array of pairs", Object.entries(data)],
  ];
}

/** What is needed is there (D8). */
export const missing: readonly Check[] = [
  ...commands.flatMap((id) => {
    const required = membersOf(id).filter((member) => member.required);
    return [
      check(`input/missing-member#${id}`, { effect: effectOfMalformed(id) }, async (api) => {
        const data = api.example(id);
        const before = await stateOf(api, operations[id], data);
        for (const { name } of required)
          await inCase(`without ${name}`, () => expectInvalid(api, id, { body: bodyOf(id, without(data, name)) }));
        await inCase("without any member", () => expectInvalid(api, id, { body: bodyOf(id, {}) }));
        for (const [what, given] of elsewhere(data))
          await inCase(what, () => expectInvalid(api, id, { body: bodyOf(id, given) }));
        await expectUnchanged(api, before);
      }),
      check(`input/missing-member#${id}-data`, { effect: effectOfMalformed(id) }, async (api) => {
        const data = api.example(id);
        const before = await stateOf(api, operations[id], data);
        const name = { "@": nameOf(operations[id]) };
        const query = Object.entries(data).map(([member, value]): [string, string] => [member, String(value)]);
        await inCase("no data", () => expectInvalid(api, id, { body: name }));
        await inCase("its members beside @", () => expectInvalid(api, id, { body: { ...name, ...data } }));
        await inCase("Data for data", () => expectInvalid(api, id, { body: { ...name, Data: data } }));
        await inCase("input for data", () => expectInvalid(api, id, { body: { ...name, input: data } }));
        await inCase("its members in the query", () => expectInvalid(api, id, { body: name, query }));
        await expectUnchanged(api, before);
      }),
    ];
  }),
  ...queries.flatMap((id) => {
    const required = membersOf(id).filter((member) => member.required);
    if (required.length === 0) return [];
    return check(`input/missing-member#${id}`, {}, async (api) => {
      await expectTaken(api, id);
      for (const { name } of required)
        await inCase(`without ${name}`, () => expectInvalid(api, id, { input: without(api.example(id), name) }));
    });
  }),
];
