import { expect, it } from "vitest";
import { contract } from "./contract.ts";
import type { Extension, OperationExtension } from "./extension.ts";
import { uniqueValue } from "./oracle/operation-extension.ts";
import { createSuite } from "./suite.ts";

const suiteWith = (extension: unknown) => createSuite(contract, [extension as Extension]);
const rule = { step: "handle", by: "user.create/x", code: "email-taken", fails: () => false };
const withRule = (changes: object) => ({
  id: "own",
  rules: [{ operation: "user.create", rules: [{ ...rule, ...changes }] }],
});
const noLaw = { id: "a/b", applies: () => true, check: () => null };

it.each<[message: string, extension: unknown]>([
  ["it is no extension: it must be an object", undefined],
  ["it is no extension: id is missing", {}],
  ["it is no extension: rule is unknown", { id: "own", rule: [] }],
  ["it is no extension: laws must be a list", { id: "own", laws: () => [] }],
  ["it is no extension: laws[1].applies is missing", { id: "own", laws: [noLaw, { id: "b/c" }] }],
  ["it is no extension: rules[0].rules[0].by must be a string or a function", withRule({ by: 1 })],
  [
    "a rule of user.create has the step handel; the contract has readHead, find",
    withRule({ step: "handel" }),
  ],
  ["a rule of user.create has the code taken, which is no problem", withRule({ code: "taken" })],
  [
    "extension own: a rule of user.create has the code taken, which is no problem",
    { id: "own", rules: [{ operation: "user.create", unique: { taken: () => null } }] },
  ],
])("says what is wrong with an extension: %s", (message, extension) => {
  expect(() => suiteWith(extension)).toThrow(message);
});

it("leaves out what is about other contracts, and says so", () => {
  const other = { operation: "note.create", rules: [{ ...rule, step: "handel" }] };
  const { remarks, laws } = suiteWith({ id: "own", rules: [other], laws: [noLaw] });
  expect(remarks).toEqual([
    "extension own: left out, since the contract does not have it: note.create, a/b",
  ]);
  expect(laws.some(({ id }) => id === "a/b")).toBe(false);
});

it("shows the rules of an operation its own requests alone", () => {
  const calls: unknown[] = [];
  const fails: typeof rule.fails = (...reading: unknown[]) => calls.push(reading) === 0;
  const extended: OperationExtension = { operation: "user.list", rules: [{ ...rule, fails }] };
  const { oracle } = suiteWith({ id: "own", rules: [extended] });
  const added = oracle.rules.filter(({ by }) => by === rule.by);
  const reading = { operation: contract.operations["user.create"] };
  expect(added.map((one) => one.fails(reading as never))).toEqual([false]);
  expect(calls).toEqual([]);
});

it.each<[value: unknown, read: string | null]>([
  ["Ada", "Ada"],
  [7, "7"],
  [undefined, null],
  [null, null],
])("a reader in JavaScript that returns %o has the value %o", (value, read) => {
  const reader = () => value as string;
  expect([uniqueValue(reader, {}), uniqueValue(reader, [])]).toEqual([read, null]);
});
