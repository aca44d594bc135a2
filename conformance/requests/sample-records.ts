import { type Contract, membersOf, type Operation } from "../oracle/contract.ts";
import { isMadeUp, type KnownRecords, type Members } from "../oracle/records.ts";
import { isValid } from "../oracle/schema.ts";
import { stringOf } from "../oracle/values.ts";
import { valuesOf } from "./classes.ts";

/** Two right ids of the records of a resource: that of the examples, and another one. */
function idsOf(contract: Contract, operations: readonly Operation[]): readonly unknown[] {
  const named = operations.find(({ effect }) => effect?.key !== undefined);
  const key = named?.effect?.key;
  if (!named || key === undefined) return [];
  const { [key]: example } = named.example;
  const schema = membersOf(contract, named.schema)[key] ?? {};
  const isRight = (value: unknown) => isValid(contract, named, schema, value);
  const all = valuesOf(contract, schema, example, isRight);
  return [example, all.find((one) => one !== example && !isMadeUp(stringOf(one)))];
}

/**
 * For each resource two records of a deployment that holds the examples of its contract: the first
 * in a state that commands take, the second in another.
 */
export function sampleRecords(contract: Contract): ReadonlyMap<string, KnownRecords> {
  const all = Object.values(contract.operations);
  return new Map(
    Object.entries(contract.resources ?? {}).map(([name, { key }]) => {
      const operations = all.filter(({ effect }) => effect?.resource === name);
      const creator = operations.find(({ effect }) => effect?.kind === "creates");
      const move = operations.find(({ state }) => state)?.state;
      const values = move ? [move.from[0], undefined] : [];
      const records = idsOf(contract, operations).map((id, at): [string, Members] => [
        stringOf(id),
        {
          ...(at === 0 ? creator?.example : {}),
          [key]: id,
          ...(move && { [move.member]: values[at] }),
        },
      ]);
      const known = new Map(records.map(([id, record]) => [id, [record]] as const));
      // The examples of commands that create are free.
      return [name, { statesOf: (id) => known.get(id), ownStates: () => [] }] as const;
    }),
  );
}
