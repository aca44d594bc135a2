import { plainQuery } from "../request/operation-table.ts";
import type { SystemInformation } from "../system-information.ts";
import {
  documentLink,
  navigation,
  OPENAPI_FILES,
  operationLink,
  type Site,
  TRY_IT,
} from "./links.ts";
import { anchor, escapeHtml, list, page } from "./page.ts";

/** Writes the page at `/`, for the facts of one request and its `Host`. */
export type LandingPage = (information: SystemInformation, host: string | undefined) => string;

/**
 * The page at `/`: what this deployment is and how it sees the caller (G8, D29), how to call it,
 * and where to read on. The call is that of the deployment with the host of the request: all
 * deployments have the same list (D32).
 */
export function landingPage(site: Site, deploymentUrls: readonly string[]): LandingPage {
  const { publication } = site;
  const { quickstart, status } = publication;
  const operations = Object.values(site.contract.operations);
  const first = status ?? plainQuery(operations, false) ?? "";
  const start =
    quickstart === undefined
      ? ""
      : `The ${anchor({ href: documentLink("quickstart"), label: "quickstart" })} ` +
        `${escapeHtml(quickstart)}. `;
  const tryIt = anchor({ href: "./reference", label: TRY_IT });
  const operationRows = operations.map(({ name, method, summary }) => {
    const link = anchor({ href: operationLink(publication, name), label: name });
    return `<tr><td>${link}</td><td>${method}</td><td>${escapeHtml(summary)}</td></tr>`;
  });
  const contract = [...OPENAPI_FILES, ".well-known/api-catalog"].map((path) => ({
    href: `./${path}`,
    label: path.replace(".well-known/", ""),
  }));
  return ({ status, version, server, runtime, clientAddress, requestMethod, time }, host) => {
    const baseUrl =
      deploymentUrls.find((url) => new URL(url).host === host) ?? deploymentUrls[0] ?? "";
    const content = `<h1>${escapeHtml(server)}</h1>
<p class="lede">One HTTP endpoint, every operation at <code>@</code>:
a parameter of the query, or a member of a JSON body.</p>
<p class="status">${escapeHtml(status)}</p>
<h2>The first call</h2>
<pre><code>${escapeHtml(`curl '${baseUrl}/api/?@=${first}'`)}</code></pre>
<p>${start}Or call any operation from your browser: ${tryIt}.</p>
<h2>Operations</h2>
<div tabindex="0"><table>
<thead>
<tr><th scope="col">Operation</th><th scope="col">Method</th><th scope="col">What it does</th></tr>
</thead>
<tbody>
${operationRows.join("\n")}
</tbody>
</table></div>
<h2>This deployment</h2>
<dl>
${fact("Version", escapeHtml(version))}
${fact("Server software", escapeHtml(server))}
${fact("Runtime", escapeHtml(runtime))}
${fact(
  "Client address",
  escapeHtml(clientAddress),
  "Yours, as this deployment sees it behind its proxies. Rate limits count calls without a " +
    "key by it.",
)}
${fact(
  "Request method",
  escapeHtml(requestMethod),
  "The one that arrived here: it differs from yours if a proxy changes it.",
)}
${fact("Time", escapeHtml(time))}
</dl>
<h2>Contract</h2>
${list(contract)}`;
    return page({
      title: `${server} ${version}`,
      navigation: navigation(site, "beside", null),
      content,
    });
  };
}

const fact = (term: string, html: string, use?: string): string =>
  `<dt>${term}</dt><dd>${html}</dd>${use === undefined ? "" : `<dd>${use}</dd>`}`;
