import { type Extension, type OperationExtension, stringOf } from "../../extension.ts";
import { golden } from "./golden/index.ts";
import { documentLaws, objectsIn } from "./laws.ts";

const rules: readonly OperationExtension[] = [
  // D30: it lists the documents that there are.
  {
    operation: "docs.list",
    names: (body) => ({
      "docs.get": objectsIn(Object(body).items).map(({ operation }) => stringOf(operation)),
    }),
  },
];

/** The documents of any contract with `ListDocuments` and `GetDocument` (D30, D31). */
export const documents: Extension = { id: "documents", rules, golden, laws: documentLaws };
