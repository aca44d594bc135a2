import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { type Asset, createAsset } from "../response/assets.ts";
import { packageRoot } from "../settings/package.ts";
import { documentLink, navigation, operationLink, type Site, TRY_IT } from "./links.ts";
import {
  anchor,
  contentSecurityPolicy,
  escapeHtml,
  type Link,
  NO_FRAMES,
  page,
  policyTag,
  styleSource,
} from "./page.ts";
import { referenceStyle } from "./style.ts";

const { resolve } = createRequire(import.meta.url);

/**
 * The files that the reference page loads, by path (D11): Swagger UI is served from its package,
 * since nothing is loaded from another host. A start without one of them fails; they are large, so
 * they are read when they are requested.
 */
export const REFERENCE_FILES: ReadonlyMap<string, Asset> = new Map(
  [
    resolve("swagger-ui-dist/swagger-ui-bundle.js"),
    resolve("swagger-ui-dist/swagger-ui.css"),
    resolve(join(packageRoot(), "src/server/documents/reference-ui.js")),
  ].map((file) => {
    const mediaType = `text/${file.endsWith(".css") ? "css" : "javascript"}; charset=utf-8`;
    return [`/reference/${basename(file)}`, createAsset(mediaType, () => readFileSync(file))];
  }),
);

/** The reference page of a deployment, which calls the server that it came from. */
export function referenceAsset(site: Site): Asset {
  const html = referencePage(site, {
    navigation: navigation(site, "beside", TRY_IT),
    link: (name) => operationLink(site.publication, name),
    problems: site.publication.documents.problems && documentLink("problems"),
    calls: "here",
  });
  return createAsset("text/html; charset=utf-8", html, {
    "Content-Security-Policy": referencePolicy() + NO_FRAMES,
  });
}

/**
 * What the page may do: run and load files next to it, and call the named deployments. Pictures are
 * in the style sheet.
 */
export const referencePolicy = (deployments: readonly string[] = [], added = ""): string =>
  contentSecurityPolicy(
    "script-src 'self'",
    `style-src 'self' ${styleSource(referenceStyle + added)}`,
    "img-src 'self' data:",
    "connect-src " +
      `${["'self'", ...new Set(deployments.map((url) => new URL(url).origin))].join(" ")}`,
  );

interface ReferencePage {
  readonly navigation: readonly Link[];
  /** The description of an operation. */
  readonly link: (operation: string) => string;
  /** The page that describes every problem under its code; without it, codes are not linked. */
  readonly problems: string | undefined;
  /**
   * Calls the server that the page came from, or one of the servers that the contract publishes.
   */
  readonly calls: "here" | "published";
  /** What the page of a site has in addition; its policy, since no service sends a header. */
  readonly site?: { readonly policy: string; readonly style: string; readonly script: string };
}

/**
 * Swagger UI for the document by operation, which is next to it; without scripts a list of the
 * operations.
 */
export function referencePage(
  { contract: { title, version, operations } }: Site,
  { navigation, link, problems = "", calls, site }: ReferencePage,
): string {
  const items = Object.values(operations).map(
    ({ name, summary }) =>
      `<li>${anchor({ href: link(name), label: name })}: ${escapeHtml(summary)}</li>`,
  );
  const ownProblemsByName = Object.fromEntries(
    Object.values(operations).map(({ name, ownProblems }) => [name, ownProblems]),
  );
  const ofSite = site
    ? `${policyTag(site.policy)}<script src="${site.script}" defer></script>\n`
    : "";
  const head = `${ofSite}\
<link rel="stylesheet" href="./reference/swagger-ui.css">
<script src="./reference/swagger-ui-bundle.js" defer></script>
<script type="module" src="./reference/reference-ui.js"></script>
`;
  return page({
    title: `${title} ${version}: try it`,
    navigation,
    content: `<div id="reference" data-calls="${calls}" data-problems="${escapeHtml(problems)}" \
data-own="${escapeHtml(JSON.stringify(ownProblemsByName))}">
<h1>${TRY_IT}</h1>
<ul>
${items.join("\n")}
</ul>
</div>`,
    headContent: { style: referenceStyle + (site?.style ?? ""), head },
  });
}
