import { isTaken, type OperationExtension } from "../../oracle/operation-extension.ts";
import { replayedBy } from "../../oracle/rules.ts";
import { stringOf } from "../../oracle/values.ts";
import { objectsIn } from "./published.ts";

const TAKEN = "email-taken";

/** Addresses are alike whatever their case is (D24). */
const emailOf = (data: unknown): string | null => {
  const { email } = Object(data);
  return typeof email === "string" ? email.toLowerCase() : null;
};

export const rules: readonly OperationExtension[] = [
  // D22: it describes its machine and the caller.
  { operation: "sysinfo", machine: ["/clientAddress", "/runtime", "/time"] },
  // D28: it reports what this deployment depends on.
  { operation: "test.health", machine: ["/checks"] },
  // D30: it lists the documents that there are.
  {
    operation: "docs.list",
    names: (body) => ({
      "docs.get": objectsIn(Object(body).items).map(({ operation }) => stringOf(operation)),
    }),
  },
  // D23: an address belongs to one user.
  {
    operation: "user.create",
    unique: { [TAKEN]: emailOf },
    rules: [
      {
        step: "handle",
        by: "user.create/email-taken",
        code: TAKEN,
        fails: (r) => {
          if (r.operation?.id !== "user.create" || replayedBy(r)) return false;
          return !r.points.holds(
            "the e-mail address is free",
            !isTaken(r.model, TAKEN, emailOf(r.json?.data)),
          );
        },
      },
    ],
  },
];
