import { contract, type Operation, operations } from "../../generated/operations.ts";
import { anchor, escapeHtml, type Link, page, styleSource } from "./page.ts";
import { referenceStyle } from "./style.ts";

interface ReferencePage {
  readonly navigation: readonly Link[];
  /** The address of a section of the reference. */
  readonly section: (operation: string) => string;
  /** Calls the server that the page came from, or one of the servers that the contract publishes. */
  readonly calls: "here" | "published";
  /** The policy of a page that no service sends as a header. */
  readonly policy?: string;
}

/**
 * What the page may do: run and load files next to it, and call the named deployments. Pictures are in the style
 * sheet. `frame-ancestors` has no meaning in a page, only in a header (CSP 3, 3.3).
 */
export const referencePolicy = (deployments: readonly string[] = []): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' ${styleSource(referenceStyle)}`,
    "img-src 'self' data:",
    `connect-src ${["'self'", ...new Set(deployments.map((url) => new URL(url).origin))].join(" ")}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");

const all: readonly Operation[] = Object.values(operations);

/** Swagger UI for the document by operation, which is next to it; without scripts a list of the operations. */
export function referencePage({ navigation, section, calls, policy }: ReferencePage): string {
  const items = all.map(
    ({ name, summary }) => `<li>${anchor({ href: section(name), label: name })}: ${escapeHtml(summary)}</li>`,
  );
  const head = `${policy === undefined ? "" : `<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">\n`}<link rel="stylesheet" href="./reference/swagger-ui.css">
<script src="./reference/swagger-ui-bundle.js" defer></script>
<script type="module" src="./reference/reference-ui.js"></script>
`;
  return page({
    title: `${contract.title} ${contract.version}: reference`,
    navigation,
    content: `<div id="reference" data-calls="${calls}">\n<h1>Operations</h1>\n<ul>\n${items.join("\n")}\n</ul>\n</div>`,
    own: { style: referenceStyle, head },
  });
}
