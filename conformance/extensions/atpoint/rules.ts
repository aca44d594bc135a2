import { type OperationExtension, stringOf } from "../../extension.ts";
import { objectsIn } from "./published.ts";

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
];
