import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { Command, CommanderError, InvalidArgumentError } from "commander";
import { contract } from "../generated/operations.ts";
import { loadContract } from "../src/docs/contract-assets.ts";
import { PLACEHOLDER, packageRoot } from "../src/docs/documents.ts";
import { DOCUMENT_FILES, DOCUMENT_NAMES } from "../src/docs/files.ts";
import { REFERENCE_FILES } from "../src/docs/reference-assets.ts";
import { anchor, CONTENT_SECURITY_POLICY, escapeHtml, type Link, page } from "../src/pages/page.ts";
import { referencePage, referencePolicy } from "../src/pages/reference.ts";
import { style } from "../src/pages/style.ts";
import { postmanCollection } from "./postman.ts";

/** The purpose of each document. */
const PURPOSES: Readonly<Record<string, string>> = {
  "openapi.operations.yaml":
    "For client generators and reference pages: a path for each operation, to be called as it stands.",
  "openapi.operations.json": "The same as JSON.",
  "openapi.yaml":
    "For gateways, mocks, and whoever looks at the wire: the one path that there is, every operation whole under components.pathItems.",
  "openapi.json": "The same as JSON.",
  "postman.json": "For Postman and newman: a call of each operation, and the status that it has to have.",
  "reference.html":
    "For people: every operation with its inputs, answers, problems and examples, to be tried with a key of one's own.",
  "reference.md": "The reference as Markdown.",
  "problems.md": "Every problem code, and what to do about it.",
  "contract.md": "Every clause of the contract with its requirements.",
  "quickstart.md": "From nothing to a created user in curl, TypeScript, Python and Go.",
  "calling.md": "Credentials, problems, paging, idempotency keys, retries and limits.",
  "clients.md": "The clients for TypeScript, Python, Go and the shell.",
  "keys.md": "API keys: create, list, rotate and revoke them.",
  "publishing.md": "The OpenAPI documents: what each is for, and how to publish them.",
};

const navigation = (current: string): readonly Link[] =>
  [
    { href: "index.html", label: contract.title },
    { href: "reference.html", label: "reference" },
  ].map((link) => ({ ...link, current: link.href === current }));

/**
 * Every file of the site by its path: the contract for these deployments, and documents for people. It loads nothing from other
 * hosts.
 */
export function siteOf(servers: readonly string[]): ReadonlyMap<string, string | Buffer> {
  const root = packageRoot();
  const documents = new Map<string, string>(
    [...loadContract(root, servers)].map(([path, { identity }]) => [path.slice(1), String(identity().bytes)]),
  );
  for (const name of DOCUMENT_NAMES.filter((name) => `${name}.md` in PURPOSES)) {
    const markdown = readFileSync(join(root, DOCUMENT_FILES[name]), "utf8");
    // Here they are in one folder; the README is read at a deployment.
    const beside = markdown
      .replace(/\]\((?:\.\.\/)+(?:generated\/)?(?:docs\/)?/g, "](")
      .replaceAll("](README.md)", `](${servers[0]}/api/?@=docs.get.README)`);
    documents.set(`${name}.md`, beside.replaceAll(PLACEHOLDER, servers[0] ?? PLACEHOLDER));
  }
  documents.set("postman.json", `${JSON.stringify(postmanCollection(contract.title, servers[0] ?? ""), null, 2)}\n`);
  documents.set(
    "reference.html",
    referencePage({
      navigation: navigation("reference.html"),
      section: (name) => `reference.md#${name}`,
      calls: "published",
      policy: referencePolicy(servers),
    }),
  );
  const sums = Object.keys(PURPOSES).map((name) => ({ name, sum: sha256(documents.get(name) ?? "") }));
  return new Map<string, string | Buffer>([
    ...documents,
    ["index.html", indexOf(servers, sums)],
    ["SHA256SUMS", sums.map(({ name, sum }) => `${sum}  ${name}\n`).join("")],
    ...[...REFERENCE_FILES].map(([name, { content }]) => [`reference/${name}`, content()] as const),
  ]);
}

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

function indexOf(servers: readonly string[], sums: readonly { readonly name: string; readonly sum: string }[]): string {
  const items = servers.map((url) => `<li>${anchor({ href: `${url}/`, label: url })}</li>`);
  const rows = sums.map(
    ({ name, sum }) =>
      `<tr><td>${anchor({ href: name, label: name })}</td><td>${escapeHtml(PURPOSES[name] ?? "")}<br><code>${sum}</code></td></tr>`,
  );
  // A page cannot forbid frames around it, only a header can (CSP 3, 3.3).
  const policy = escapeHtml(CONTENT_SECURITY_POLICY.replace(/; frame-ancestors.*/, ""));
  const head = `<meta http-equiv="Content-Security-Policy" content="${policy}">\n`;
  const content = `<h1>${escapeHtml(contract.title)} ${contract.version}</h1>
<p class="lede">The contract of these deployments, and which document of it is for what.</p>
<ul>
${items.join("\n")}
</ul>
<table>
<thead><tr><th scope="col">Document</th><th scope="col">What it is for, and its SHA-256</th></tr></thead>
<tbody>
${rows.join("\n")}
</tbody>
</table>
<p>All sums are in ${anchor({ href: "SHA256SUMS", label: "SHA256SUMS" })}, for <code>sha256sum -c</code>.</p>`;
  return page({ title: contract.title, navigation: navigation("index.html"), content, own: { style, head } });
}

const addServer = (text: string, before: readonly string[] = []): readonly string[] => {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new InvalidArgumentError("not an http(s) URL.");
  return [...before, text.replace(/\/+$/, "")];
};

/** `npm run openapi`: writes the site. Returns the exit code. */
export function main(args: readonly string[], print: (text: string) => void): number {
  const command = new Command("openapi")
    .description("Writes the contract of your deployments as a site that any web server serves, below any prefix.")
    .requiredOption(
      "--server <url>",
      "base URL of a deployment; once for each, the first is named in the documents",
      addServer,
    )
    .requiredOption("--out <folder>", "where to; files of the same names are written over")
    .exitOverride()
    .configureOutput({ writeOut: print, writeErr: print });
  try {
    const { server, out } = command.parse(args, { from: "user" }).opts<{ server: readonly string[]; out: string }>();
    const site = siteOf(server);
    for (const [path, content] of site) {
      mkdirSync(dirname(join(out, path)), { recursive: true });
      writeFileSync(join(out, path), content);
    }
    print(`${site.size} files in ${out}; index.html says which is for what.\n`);
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    // An error of the system, about the folder.
    if (!(error instanceof Error && "syscall" in error)) throw error;
    print(`${error.message}\n`);
    return 1;
  }
}

/* v8 ignore next 2 -- @preserve: the shell's way in; tests call `main`. */
if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href)
  process.exitCode = main(process.argv.slice(2), (text) => process.stdout.write(text));
