import { expect, it } from "vitest";
import { contract } from "../contract.ts";
import type { Contract, Operation } from "./contract.ts";
import { undecidedCodesIn } from "./undecided.ts";

/** A command that takes users of one status. */
const { "user.create": create } = contract.operations;
const code = "email-taken";
const enable: Operation = {
  ...(create as Operation),
  effect: { kind: "updates", resource: "User" },
  state: { member: "status", from: ["new"], to: "enabled", code },
};

/** The codes that it may answer instead of a success. */
function undecided(volatile: readonly string[]) {
  const user = { key: "id", readOnly: ["status"], volatile, unique: [] };
  const whole: Contract = {
    ...contract,
    resources: { User: user },
    operations: { [enable.id]: enable },
  };
  return undecidedCodesIn(whole, []).get(enable.id);
}

it("leaves the code of a state open only where the state changes by itself", () => {
  expect(undecided([])).not.toContain(code);
  expect(undecided(["status"])).toContain(code);
});
