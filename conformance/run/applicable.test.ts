import { expect, it } from "vitest";
import type { Contract, Operation } from "../oracle/contract.ts";
import { packaged } from "../packaged.ts";
import { inapplicableIn } from "./applicable.ts";

const { contract } = packaged.oracle;
const { sysinfo = expect.fail(), "user.list": list = expect.fail() } = contract.operations;
const { "user.create": create = expect.fail(), "docs.get": document = expect.fail() } =
  contract.operations;
const serviceWith = (...operations: readonly Operation[]): Contract => ({
  ...contract,
  operations: Object.fromEntries(operations.map((one) => [one.id, one])),
});

const ALL = [
  "credentials/public",
  "credentials/scope",
  "dispatch/body-style",
  "errors/all-faults",
  "errors/parameter",
  "input/integers",
  "limits/valid-key",
  "paging/cursor-of-operation",
];

it.each<[what: string, operations: readonly Operation[], inapplicable: readonly string[]]>([
  ["this service", Object.values(contract.operations), ["paging/cursor-of-operation"]],
  ["one public query", [sysinfo], ALL.filter((id) => id !== "credentials/public")],
  [
    "lists alone",
    [list, { ...list, id: "other.list" }],
    ["credentials/public", "dispatch/body-style", "errors/all-faults"],
  ],
  [
    "a command of one member",
    [{ ...create, input: { text: { type: "string", required: true } } }, document],
    ["errors/all-faults", "errors/parameter", "input/integers", "paging/cursor-of-operation"],
  ],
])("has no place for some requirements: %s", (_, operations, inapplicable) => {
  const ids = inapplicableIn(serviceWith(...operations)).map(([id]) => id);
  expect(ALL.filter((id) => ids.includes(id))).toEqual(inapplicable);
  expect(ids.every((id) => contract.requirements.some((one) => one.id === id))).toBe(true);
});
