import { type Operation, operations, type SystemInformation } from "../../generated/operations.ts";
import { slug } from "./markdown.ts";
import { documentOf, navigation, sectionOf } from "./navigation.ts";
import { anchor, escapeHtml, type Link, list, page } from "./page.ts";

const all: readonly Operation[] = Object.values(operations);
const operationRows = all.map(({ name, method, summary }) => {
  const link = anchor({ href: sectionOf(slug(name)), label: name });
  return `<tr><td>${link}</td><td>${method}</td><td>${escapeHtml(summary)}</td></tr>`;
});

const contract: readonly Link[] = [
  { href: "./openapi.yaml", label: "openapi.yaml" },
  { href: "./openapi.json", label: "openapi.json" },
  { href: "./openapi.operations.yaml", label: "openapi.operations.yaml" },
  { href: "./openapi.operations.json", label: "openapi.operations.json" },
  { href: "./.well-known/api-catalog", label: "api-catalog" },
];

/**
 * The page at `/`: what this deployment is and how it sees the caller (G8, D29), how to call it, and where to read on.
 * `baseUrl` is the address that callers use.
 */
export function landingPage(information: SystemInformation, baseUrl: string): string {
  const { status, version, server, runtime, clientAddress, requestMethod, time } = information;
  const content = `<h1>${escapeHtml(server)}</h1>
<p class="lede">One HTTP endpoint, every operation at <code>@</code>: a parameter of the query, or a member of a JSON body.</p>
<p class="status">${escapeHtml(status)}</p>
<h2>The first call</h2>
<pre><code>${escapeHtml(`curl '${baseUrl}/api/?@=sysinfo'`)}</code></pre>
<p>The ${anchor({ href: documentOf("quickstart"), label: "quickstart" })} creates a user in curl, TypeScript, Python and Go. Try every operation on the ${anchor({ href: "./reference", label: "reference page" })}.</p>
<h2>This deployment</h2>
<dl class="facts">
${fact("Version", escapeHtml(version))}
${fact("Server software", escapeHtml(server))}
${fact("Runtime", escapeHtml(runtime))}
${fact("Client address", escapeHtml(clientAddress), "Yours, as this deployment sees it behind its proxies. Rate limits count calls without a key by it.")}
${fact("Request method", escapeHtml(requestMethod), "The one that arrived here: it differs from yours if a proxy changes it.")}
${fact("Time", `<time datetime="${escapeHtml(time)}">${escapeHtml(time)}</time>`)}
</dl>
<h2>Operations</h2>
<table>
<thead><tr><th scope="col">Operation</th><th scope="col">Method</th><th scope="col">What it does</th></tr></thead>
<tbody>
${operationRows.join("\n")}
</tbody>
</table>
<h2>Contract</h2>
${list(contract)}`;
  return page({ title: `${server} ${version}`, navigation: navigation("beside", server), content });
}

/** The deployment of the request, by its host: all deployments have the same list (D32). Nothing of the request itself is shown. */
export const addressOf = (host: string | undefined, deploymentUrls: readonly string[]): string =>
  deploymentUrls.find((url) => new URL(url).host === host) ?? deploymentUrls[0] ?? "";

const fact = (term: string, html: string, use?: string): string =>
  `<div><dt>${term}</dt><dd>${html}</dd>${use === undefined ? "" : `<dd>${use}</dd>`}</div>`;
