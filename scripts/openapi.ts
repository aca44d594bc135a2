import { hash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Command, CommanderError, InvalidArgumentError } from "commander";
import { contract } from "../generated/contract.ts";
import { publication } from "../src/publication.ts";
import { PLACEHOLDER } from "../src/server/documents/documents.ts";
import { loadContract } from "../src/server/documents/files.ts";
import { TRY_IT } from "../src/server/documents/links.ts";
import { slug } from "../src/server/documents/markdown.ts";
import { anchor, escapeHtml, list } from "../src/server/documents/page.ts";
import {
  REFERENCE_FILES,
  referencePage,
  referencePolicy,
} from "../src/server/documents/reference.ts";
import { packageRoot } from "../src/server/settings/package.ts";
import { documentPages, FILES_FILE, siteNavigation, sitePage, TRY_IT_FILE } from "./site/pages.ts";
import { postmanCollection } from "./site/postman.ts";
import { searchIndex } from "./site/search.ts";
import { searchStyle } from "./site/style.ts";

const published = { contract, root: packageRoot(), publication };

/** The purpose of each file that is not a document for people. */
const PURPOSES: Readonly<Record<string, string>> = {
  "openapi.operations.yaml":
    "For client generators and reference pages: a path for each operation. Generated " +
    "clients call it unchanged.",
  "openapi.operations.json": "openapi.operations.yaml as JSON.",
  "openapi.yaml":
    "For gateways and mocks: the one path of the wire, with every operation under " +
    "components.pathItems.",
  "openapi.json": "openapi.yaml as JSON.",
  "postman.json": "For Postman and newman: a call of each operation, and its expected status.",
};

/**
 * Every file of the site by its path: the contract for these deployments, and the documentation. It
 * loads nothing from elsewhere.
 */
export function siteOf(servers: readonly string[]): ReadonlyMap<string, string | Buffer> {
  const { files, sections } = documentPages(servers[0] ?? PLACEHOLDER);
  const documents = new Map<string, string>(
    [...loadContract(published, servers)].map(([path, { identity }]) => [
      path.slice(1),
      String(identity().bytes),
    ]),
  );
  documents.set(
    "postman.json",
    `${JSON.stringify(postmanCollection(contract.title, servers[0] ?? ""), null, 2)}\n`,
  );
  for (const [name, content] of files) if (name.endsWith(".md")) documents.set(name, content);
  const navigation = siteNavigation(TRY_IT);
  const policy = referencePolicy(servers, searchStyle);
  const added = { policy, style: searchStyle, script: "site.js" };
  const link = (name: string) => `reference.html#${slug(name)}`;
  const problems = "problems.html";
  const page = { navigation, link, problems, calls: "published", site: added } as const;
  const tryIt = referencePage(published, page);
  const sums = [...documents].map(([name, content]) => [name, hash("sha256", content)] as const);
  return new Map<string, string | Buffer>([
    ...files,
    ...documents,
    [TRY_IT_FILE, tryIt],
    [FILES_FILE, sitePage(`Files · ${contract.title}`, "Files", filesOf(servers, sums))],
    ["404.html", sitePage(`Not found · ${contract.title}`, "", NOT_FOUND)],
    ["SHA256SUMS", sums.map(([name, sum]) => `${sum}  ${name}\n`).join("")],
    ["search-index.js", searchIndex(sections)],
    ...["site.js", "icon.svg"].map(
      (name) => [name, readFileSync(join(import.meta.dirname, "site", name))] as const,
    ),
    ...[...REFERENCE_FILES].map(
      ([path, { identity }]) => [path.slice(1), identity().bytes] as const,
    ),
  ]);
}

const NOT_FOUND = `<h1>There is no such page</h1>
<p>Search for it, choose a document, or begin at the
  ${anchor({ href: "index.html", label: "overview" })}.</p>`;

function filesOf(
  servers: readonly string[],
  sums: readonly (readonly [name: string, sum: string])[],
): string {
  const files = sums.map(([name, sum]) => {
    const purpose = PURPOSES[name] === undefined ? "" : `: ${escapeHtml(PURPOSES[name])}`;
    return `<li>${anchor({ href: name, label: name })}${purpose}<br><code>${sum}</code></li>`;
  });
  return `<h1>Files of ${escapeHtml(contract.title)} ${contract.version}</h1>
<p>The contract and the documents of these deployments:</p>
${list(servers.map((url) => ({ href: `${url}/`, label: url })))}
<p>Each file with its SHA-256. A <code>.md</code> file is the Markdown of the page with the same
  name, README.md of index.html. All sums are in
    ${anchor({ href: "SHA256SUMS", label: "SHA256SUMS" })}, for <code>sha256sum -c</code>.</p>
<ul>
${files.join("\n")}
</ul>`;
}

/** Where `npm start` serves by default. */
const LOCAL = "http://127.0.0.1:3000";

const addServer = (text: string, before: readonly string[] = []): readonly string[] => {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new InvalidArgumentError("not an http(s) URL.");
  return [...before, text.replace(/\/+$/, "")];
};

/** `npm run openapi`: writes the site. Returns the exit code. */
export function main(args: readonly string[], print: (text: string) => void): number {
  const address = `base URL of a deployment; once for each, the main one first (default: ${LOCAL})`;
  const command = new Command("openapi")
    .description(
      "Writes the contract of your deployments and the documentation as a site for any web server.",
    )
    .option("--server <url>", address, addServer)
    .option(
      "--out <folder>",
      "where to write; existing files with the same names are replaced",
      "site",
    )
    .exitOverride()
    .configureOutput({ writeOut: print, writeErr: print });
  try {
    type Options = { readonly server?: readonly string[]; readonly out: string };
    const { server = [LOCAL], out } = command.parse(args, { from: "user" }).opts<Options>();
    const site = siteOf(server);
    for (const [path, content] of site) {
      mkdirSync(dirname(join(out, path)), { recursive: true });
      writeFileSync(join(out, path), content);
    }
    print(`${site.size} files in ${out}; open index.html.\n`);
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    // An error of the system, about the folder.
    if (!(error instanceof Error && "syscall" in error)) throw error;
    print(`${error.message}\n`);
    return 1;
  }
}

if (import.meta.filename === process.argv[1])
  process.exitCode = main(process.argv.slice(2), (text) => process.stdout.write(text));
