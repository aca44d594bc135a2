// A header parameter is tried with each class of its values, with wrong ones, and with the word of
// the run.
import { expect, it } from "vitest";
import { createOracle } from "../oracle/predict.ts";
import { packaged } from "../packaged.ts";
import { sampleOf } from "./cover.ts";
import { plain, written } from "./draft.ts";
import { headers } from "./headers.ts";

const { contract } = packaged.oracle;
const list = contract.operations["user.list"] ?? expect.fail();

it.each([
  [
    { type: "string", minLength: 2, maxLength: 20 },
    ["a".repeat(20), "aa", "123"],
    ["a", "a".repeat(21)],
  ],
  [{ type: "integer", minimum: 1, maximum: 9 }, ["1", "9"], ["0", "10", "x", "1.5"]],
  [{ type: "boolean" }, ["true", "false"], ["1", "x"]],
  [{ type: "string", enum: ["a", "b"] }, ["a", "b"], ["x", "null"]],
] as const)("%j", (schema, right, wrong) => {
  const operation = { ...list, headers: [{ name: "X-Reason", required: false, schema }] };
  const oracle = createOracle({
    ...contract,
    operations: { ...contract.operations, [list.id]: operation },
  });
  const { source, model } = sampleOf(oracle.contract, []);
  const sent = headers(oracle.contract, operation).map((row) => {
    const draft = plain(operation, operation.example, source.caller);
    row.apply(draft);
    const value = draft.fields.find(([name]) => name === "X-Reason")?.[1] ?? "";
    return [value, oracle.predict(written(draft), model).code] as const;
  });
  const of = (code: string | null) => sent.flatMap(([value, one]) => (one === code ? [value] : []));
  expect(of(null)).toEqual(expect.arrayContaining([...right]));
  expect(of("invalid-input")).toEqual(expect.arrayContaining([...wrong]));
  expect(sent.some(([value]) => value.includes(source.caller.canary))).toBe(true);
});
