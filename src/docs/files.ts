import { operations } from "../../generated/operations.ts";

const { known } = operations["docs.get"];
type NameIn<Operation> = Operation extends `docs.get.${infer Name}` ? Name : never;

/** An entry that the spec names. */
export type DocumentName = NameIn<(typeof known)[number]>;

/** The file of every entry, from the root of the package (D30). No request ever adds to it. */
export const DOCUMENT_FILES: Readonly<Record<DocumentName, string>> = {
  README: "README.md",
  quickstart: "src/docs/quickstart.md",
  reference: "generated/docs/reference.md",
  problems: "generated/docs/problems.md",
  contract: "generated/docs/contract.md",
  changelog: "CHANGELOG.md",
};

/** The entries in the order in which they are listed; each name is what follows `docs.get.`. */
export const DOCUMENT_NAMES = known.map((name) => name.slice("docs.get.".length) as DocumentName);

/** A placeholder for the root of the package while a link is resolved; never sent. */
const ROOT = "https://root.invalid";

/** The package's files that the service serves, relative to `/api/`, where the documents are. */
const served: ReadonlyMap<string, string> = new Map([
  ...Object.entries(DOCUMENT_FILES).map(([name, file]) => [`/${file}`, `?@=docs.get.${name}`] as const),
  ...["openapi.yaml", "openapi.json", "openapi.operations.yaml", "openapi.operations.json"].map(
    (file) => [`/generated/${file}`, `../${file}`] as const,
  ),
]);

/**
 * The target of a link in a file when the file is read at `/api/`: other sites and headings of the same document are unchanged,
 * files that are served point to where they are served; `null` for all other files.
 */
export function servedLink(file: string, href: string): string | null {
  if (href.startsWith("#")) return href;
  const base = `${ROOT}/${file}`;
  if (!URL.canParse(href, base)) return null;
  const { origin, pathname, hash } = new URL(href, base);
  if (origin !== ROOT) return href;
  const address = served.get(pathname);
  return address === undefined ? null : `${address}${hash}`;
}
