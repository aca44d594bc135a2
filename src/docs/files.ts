import { operations } from "../../generated/operations.ts";

const { known } = operations["docs.get"];
type NameIn<Operation> = Operation extends `docs.get.${infer Name}` ? Name : never;

/** An entry that the spec names. */
export type DocumentName = NameIn<(typeof known)[number]>;

/** The file of every entry, from the root of the package (D30). No request ever adds to it. */
export const DOCUMENT_FILES: Readonly<Record<DocumentName, string>> = {
  README: "README.md",
  reference: "generated/docs/reference.md",
  problems: "generated/docs/problems.md",
  contract: "generated/docs/contract.md",
  changelog: "CHANGELOG.md",
};

/** The entries in the order in which they are listed; each name is what follows `docs.get.`. */
export const DOCUMENT_NAMES = known.map((name) => name.slice("docs.get.".length) as DocumentName);
