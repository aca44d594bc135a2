import { operations } from "../../generated/operations.ts";

const { known } = operations["docs.get"];
type NameIn<Operation> = Operation extends `docs.get.${infer Name}` ? Name : never;

/** An entry that every deployment has: the spec names it. */
type KnownName = NameIn<(typeof known)[number]>;

/** Entries of this service in addition to those (D30). */
const GUIDES = {
  calling: "src/docs/calling.md",
  clients: "src/docs/clients.md",
  running: "src/docs/running.md",
  operating: "src/docs/operating.md",
  deployment: "scripts/deploy/README.md",
  keys: "src/docs/keys.md",
  checking: "conformance/README.md",
  cost: "src/docs/cost.md",
  extending: "src/docs/extending.md",
  publishing: "src/docs/publishing.md",
};

/** The file of every entry, from the root of the package, in the order in which they are listed (D30). No request ever adds to it. */
export const DOCUMENT_FILES = {
  README: "README.md",
  quickstart: "src/docs/quickstart.md",
  ...GUIDES,
  reference: "generated/docs/reference.md",
  problems: "generated/docs/problems.md",
  contract: "generated/docs/contract.md",
  changelog: "CHANGELOG.md",
} as const satisfies Readonly<Record<KnownName, string>>;

export type DocumentName = keyof typeof DOCUMENT_FILES;

/** The names of all entries; each is what follows `docs.get.`. */
export const DOCUMENT_NAMES = Object.keys(DOCUMENT_FILES) as DocumentName[]; // the keys of the line above

/** The operations of the guides. */
export const GUIDE_OPERATIONS = Object.keys(GUIDES).map((name) => `docs.get.${name}`);

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
 * files that are served point to where they are served; `null` for all other files. `addresses` are those of another place to read at.
 */
export function servedLink(file: string, href: string, addresses = served): string | null {
  if (href.startsWith("#")) return href;
  const base = `${ROOT}/${file}`;
  if (!URL.canParse(href, base)) return null;
  const { origin, pathname, hash } = new URL(href, base);
  if (origin !== ROOT) return href;
  const address = addresses.get(pathname);
  return address === undefined ? null : `${address}${hash}`;
}
