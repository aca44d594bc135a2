import { contract } from "../../generated/operations.ts";
import { DOCUMENT_NAMES, type DocumentName } from "../docs/files.ts";
import type { Link } from "./page.ts";

/** Where a page is: `/` and `/reference` next to the endpoint, a document at it. Links are relative to that (D32). */
const PLACES = {
  beside: { home: "./", document: "./api/?@=docs.get." },
  endpoint: { home: "../", document: "?@=docs.get." },
} as const;

/** The navigation of every page of a deployment; `current` is the name of a document, or the label of another page. */
export function navigation(place: keyof typeof PLACES, current: string): readonly Link[] {
  const { home, document } = PLACES[place];
  const links = [
    { href: home, label: contract.title },
    ...DOCUMENT_NAMES.map((name) => ({ href: `${document}${name}`, label: name })),
    { href: `${home}reference`, label: TRY_IT },
  ];
  return links.map((link) => ({ ...link, current: link.label === current }));
}

/** The label of the reference page, which calls the operations that it describes. */
export const TRY_IT = "try it";

/** A document, as linked from a page next to the endpoint. */
export const documentOf = (name: DocumentName): string => `${PLACES.beside.document}${name}`;

/** The description of an operation, as linked from there. */
export const sectionOf = (id: string): string => `${documentOf("reference")}#${id}`;
