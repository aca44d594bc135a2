import { operations } from "../../../generated/operations.ts";
import { nameOf } from "../../client/operation.ts";
import { type Check, check } from "../check.ts";
import {
  bodyOf,
  commands,
  type Data,
  effectOfMalformed,
  expectAllInvalid,
  expectNoneTaken,
  expectTaken,
  membersOf,
  queries,
} from "./operations.ts";

const without = (data: Data, name: string): Data =>
  Object.fromEntries(Object.entries(data).filter(([member]) => member !== name));

/** `data` that lacks what it needs, and has it elsewhere: deeper, in another letter case, lent, in pairs. */
const elsewhere = (data: Data): readonly unknown[] => [
  ...[{}, { data }, { input: data }, { constructor: data }, { prototype: data }, Object.entries(data)],
  Object.fromEntries(Object.entries(data).map(([name, value]) => [name.toUpperCase(), value])),
];

/** What is needed is there (D8). */
export const missing: readonly Check[] = [
  ...commands.flatMap((id) => {
    const required = membersOf(id).filter((member) => member.required);
    const name = { "@": nameOf(operations[id]) };
    return [
      check(`input/missing-member#${id}`, { effect: effectOfMalformed(id) }, (api) =>
        expectNoneTaken(api, id, (data) =>
          [...required.map((member) => without(data, member.name)), ...elsewhere(data)].map((given) => ({
            body: bodyOf(id, given),
          })),
        ),
      ),
      check(`input/missing-member#${id}-data`, { effect: effectOfMalformed(id) }, (api) =>
        expectNoneTaken(api, id, (data) => [
          // No data; its members beside @; other names for it; its members in the query.
          ...[{}, data, { Data: data }, { input: data }].map((given) => ({ body: { ...name, ...given } })),
          { body: name, query: Object.entries(data).map(([member, value]) => [member, String(value)] as const) },
        ]),
      ),
    ];
  }),
  ...queries.flatMap((id) => {
    const required = membersOf(id).filter((member) => member.required);
    if (required.length === 0) return [];
    return check(`input/missing-member#${id}`, {}, async (api) => {
      await expectTaken(api, id);
      const data = api.example(id);
      await expectAllInvalid(
        api,
        id,
        required.map(({ name }) => ({ input: without(data, name) })),
      );
    });
  }),
];
