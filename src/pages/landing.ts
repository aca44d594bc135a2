import { type Operation, operations, type SystemInformation } from "../../generated/operations.ts";
import { DOCUMENT_NAMES } from "../docs/files.ts";
import { slug } from "../docs/markdown.ts";
import { anchor, escapeHtml, type Link, page } from "./page.ts";

const document = (name: string): string => `./api/?@=docs.get.${name}`;

/** They are the navigation of every page, and so linked there only. */
const documents = DOCUMENT_NAMES.map((name): Link => ({ href: document(name), label: name }));

const all: readonly Operation[] = Object.values(operations);
const operationRows = all.map(({ name, method, summary }) => {
  const link = anchor({ href: `${document("reference")}#${slug(name)}`, label: name });
  return `<tr><td>${link}</td><td>${method}</td><td>${escapeHtml(summary)}</td></tr>`;
});

const contract: readonly Link[] = [
  { href: "./openapi.yaml", label: "openapi.yaml" },
  { href: "./openapi.json", label: "openapi.json" },
  { href: "./openapi.operations.yaml", label: "openapi.operations.yaml" },
  { href: "./openapi.operations.json", label: "openapi.operations.json" },
];

/** The page at `/`: what this deployment is and how it sees the caller (G8, D29), and where to read on. */
export function landingPage(information: SystemInformation): string {
  const { status, version, server, runtime, clientAddress, requestMethod, time } = information;
  const content = `<h1>${escapeHtml(server)}</h1>
<p class="lede">One HTTP endpoint, every operation at <code>@</code>.</p>
<p class="status">${escapeHtml(status)}</p>
<dl class="facts">
${fact("Version", escapeHtml(version))}
${fact("Server software", escapeHtml(server))}
${fact("Runtime", escapeHtml(runtime))}
${fact("Client address", escapeHtml(clientAddress))}
${fact("Request method", escapeHtml(requestMethod))}
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
  return page({
    title: `${server} ${version}`,
    navigation: [{ href: "./", label: server, current: true }, ...documents],
    content,
  });
}

const fact = (term: string, html: string): string => `<div><dt>${term}</dt><dd>${html}</dd></div>`;

const list = (links: readonly Link[]): string =>
  `<ul>\n${links.map((link) => `<li>${anchor(link)}</li>`).join("\n")}\n</ul>`;
