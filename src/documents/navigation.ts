import { contract } from "../../generated/operations.ts";
import type { DocumentName } from "./files.ts";
import type { Link } from "./page.ts";

/** Where a page is: `/` and `/reference` next to the endpoint, a document at it. Links are relative to that (D32). */
const PLACES = {
  beside: { home: "./", document: "./api/?@=docs.get." },
  endpoint: { home: "../", document: "?@=docs.get." },
} as const;

/** The documents as readers look for them: by what they want to do, each with its label. */
export const SECTIONS: readonly (readonly [title: string, labels: Readonly<Partial<Record<DocumentName, string>>>])[] =
  [
    ["Start", { README: "Overview", quickstart: "Quickstart" }],
    ["Call it", { calling: "Calling the API", clients: "Clients", reference: "Reference", problems: "Problems" }],
    [
      "Run it",
      {
        running: "Running it",
        operating: "Operating it",
        keys: "Keys",
        checking: "Checking a deployment",
        deployment: "Deployment reference",
      },
    ],
    [
      "Build on it",
      {
        publishing: "Publishing the contract",
        extending: "Extending it",
        cost: "What a request costs",
        contract: "Contract",
        changelog: "Changelog",
      },
    ],
  ];

/** The navigation of every page of a deployment; `current` is the name of a document, or the label of another page. */
export function navigation(place: keyof typeof PLACES, current: string): readonly Link[] {
  const { home, document } = PLACES[place];
  return [
    { href: home, label: contract.title, current: current === contract.title },
    ...documentLinks((name) => `${document}${name}`, `${home}reference`, current),
  ];
}

/** A link to each document and to the page to try operations on, by their sections. */
export const documentLinks = (address: (name: string) => string, tryIt: string, current: string): readonly Link[] => [
  ...SECTIONS.flatMap(([group, labels]) =>
    Object.entries(labels).map(([name, label]) => ({ href: address(name), label, group, current: name === current })),
  ),
  { href: tryIt, label: TRY_IT, group: "Call it", current: current === TRY_IT },
];

/** The label of a document. */
export const labelOf = (name: DocumentName): string =>
  SECTIONS.map(([, labels]) => labels[name]).find((label) => label !== undefined) ?? name;

/** The label of the reference page, which calls the operations that it describes. */
export const TRY_IT = "Try it";

/** A document, as linked from a page next to the endpoint. */
export const documentOf = (name: DocumentName): string => `${PLACES.beside.document}${name}`;

/** The description of an operation, as linked from there. */
export const sectionOf = (id: string): string => `${documentOf("reference")}#${id}`;
