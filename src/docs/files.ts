/** The file of every entry, from the root of the package (D30). No request ever adds to it. */
export const DOCUMENT_FILES = {
  README: "README.md",
  reference: "generated/docs/reference.md",
  problems: "generated/docs/problems.md",
  changelog: "CHANGELOG.md",
} as const;

export type DocumentName = keyof typeof DOCUMENT_FILES;

/** The entries in the order in which they are listed. */
export const DOCUMENT_NAMES: readonly DocumentName[] = ["README", "reference", "problems", "changelog"];
