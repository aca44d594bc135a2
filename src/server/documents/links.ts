import type { Contract } from "../contract.ts";
import { slug } from "./markdown.ts";
import type { Link } from "./page.ts";

/**
 * What a service publishes in addition to its contract: documents that are files of its package.
 */
export interface SiteManifest {
  /**
   * By name, in the order in which they are listed (D30): the file below the folder, and the label
   * of its links.
   */
  readonly documents: Readonly<Record<string, { readonly file: string; readonly label: string }>>;
  /**
   * The names of the documents as readers look for them: by what they want to do. `TRY_IT` is one
   * of them.
   */
  readonly sections: Readonly<Record<string, readonly string[]>>;
  /** What its document `quickstart` does, without the subject. */
  readonly quickstart?: string;
  /** The name of a public operation that shows status and version. */
  readonly status?: string;
}

/** A service, as its pages and files show it. */
export interface Site {
  readonly contract: Pick<Contract, "title" | "version" | "operations">;
  /** The folder of its package. */
  readonly root: string;
  readonly publication: SiteManifest;
}

/** The published contract: on the wire and by operation. */
export const OPENAPI_FILES = [
  "openapi.yaml",
  "openapi.json",
  "openapi.operations.yaml",
  "openapi.operations.json",
];

/**
 * The reference page, which calls the operations that it describes: its name in the navigation, and
 * its label.
 */
export const TRY_IT = "Try it";

const NO_DOCUMENTS: SiteManifest = { documents: {}, sections: { "Call it": [TRY_IT] } };
/** What is there for every service: `StandardDocument` of the spec library. */
const STANDARD_DOCUMENTS: SiteManifest = {
  documents: {
    README: { label: "Overview", file: "README.md" },
    reference: { label: "Operations", file: "generated/docs/reference.md" },
    problems: { label: "Problems", file: "generated/docs/problems.md" },
    contract: { label: "Contract", file: "generated/docs/contract.md" },
  },
  sections: {
    Start: ["README"],
    "Call it": ["reference", "problems", TRY_IT],
    "Build on it": ["contract"],
  },
};

/**
 * What a service publishes: with `docs.get` in its contract the standard documents, unless it says
 * which.
 */
export function siteOf({
  contract,
  root,
  publication,
}: Partial<Site> & Pick<Site, "contract">): Site {
  const isServed = root !== undefined && "docs.get" in contract.operations;
  return {
    contract,
    root: root ?? "",
    publication: publication ?? (isServed ? STANDARD_DOCUMENTS : NO_DOCUMENTS),
  };
}

/**
 * Where a page is: `/` and `/reference` next to the endpoint, a document at it. Links are relative
 * to that (D32).
 */
const PLACES = {
  beside: { home: "./", document: "./api/?@=docs.get." },
  endpoint: { home: "../", document: "?@=docs.get." },
} as const;

/**
 * The navigation of every page of a deployment; `current` is the name of a document or `TRY_IT`, or
 * null on the landing page.
 */
export function navigation(
  { contract, publication }: Site,
  place: keyof typeof PLACES,
  current: string | null,
): readonly Link[] {
  const { home, document } = PLACES[place];
  const address = (name: string) => (name === TRY_IT ? `${home}reference` : `${document}${name}`);
  const landing = { href: home, label: contract.title, current: current === null };
  return [landing, ...documentLinks(publication, address, current)];
}

/** A link to each document and to the reference page, by their sections. */
export const documentLinks = (
  { documents, sections }: SiteManifest,
  address: (name: string) => string,
  current: string | null,
): readonly Link[] =>
  Object.entries(sections).flatMap(([group, names]) =>
    names.map((name) => {
      const label = documents[name]?.label ?? name;
      return { href: address(name), label, group, current: name === current };
    }),
  );

/** A document, as linked from a page next to the endpoint. */
export const documentLink = (name: string): string => `${PLACES.beside.document}${name}`;

/**
 * The description of an operation, as linked from there: without a document that has it, the
 * reference page.
 */
export const operationLink = ({ documents }: SiteManifest, name: string): string =>
  documents.reference ? `${documentLink("reference")}#${slug(name)}` : "./reference";

/**
 * The files of a package that are served, by their paths from its root: where documents and the
 * contract are read.
 */
export const fileAddresses = (
  { documents }: SiteManifest,
  address: (name: string) => string = (name) => `${PLACES.endpoint.document}${name}`,
  folder: string = PLACES.endpoint.home,
): ReadonlyMap<string, string> =>
  new Map([
    ...Object.entries(documents).map(([name, { file }]) => [`/${file}`, address(name)] as const),
    ...OPENAPI_FILES.map((file) => [`/generated/${file}`, `${folder}${file}`] as const),
  ]);

/** The root of a package while a link is resolved; never sent. */
const ROOT = "https://root.invalid";

/**
 * The target of a link in a file of a package, where the files are read at these addresses: other
 * sites and headings of the same document are unchanged; `null` for a file that has no address.
 */
export function resolveLink(
  addresses: ReadonlyMap<string, string>,
  file: string,
  href: string,
): string | null {
  if (href.startsWith("#")) return href;
  const base = `${ROOT}/${file}`;
  if (!URL.canParse(href, base)) return null;
  const { origin, pathname, hash } = new URL(href, base);
  if (origin !== ROOT) return href;
  const address = addresses.get(pathname);
  return address === undefined ? null : `${address}${hash}`;
}
