import type { SystemInformation } from "../../generated/operations.ts";
import { DOCUMENT_NAMES } from "../docs/files.ts";
import { anchor, escapeHtml, type Link, page } from "./page.ts";

const documents = DOCUMENT_NAMES.map((name): Link => ({ href: `./api/?@=docs.get.${name}`, label: name }));

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
<h2>Documents</h2>
${list(documents)}
<h2>Contract</h2>
${list(contract)}
<h2>For programs</h2>
${list([
  { href: "./api/?@=sysinfo", label: "sysinfo: this page as JSON" },
  { href: "./api/?@=docs.list", label: "docs.list: the documents as JSON" },
])}`;
  return page({
    title: `${server} ${version}`,
    navigation: [{ href: "./", label: server, current: true }, ...documents],
    content,
  });
}

const fact = (term: string, html: string): string => `<div><dt>${term}</dt><dd>${html}</dd></div>`;

const list = (links: readonly Link[]): string =>
  `<ul>\n${links.map((link) => `<li>${anchor(link)}</li>`).join("\n")}\n</ul>`;
