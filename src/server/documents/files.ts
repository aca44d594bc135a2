import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ExpectedError } from "../expected-error.ts";
import { type Asset, createAsset } from "../response/assets.ts";
import { PLACEHOLDER } from "./documents.ts";
import { OPENAPI_FILES, type Site } from "./links.ts";
import { REFERENCE_FILES, referenceAsset } from "./reference.ts";

/** Crawlers reach everything through the documents; the endpoint itself is not for crawlers. */
const ROBOTS = "User-agent: *\nDisallow: /api/\n";

/**
 * What is served apart from the endpoint and the landing page, by path. Of RFC 9116 the file of
 * SECURITY_TXT, which is "" where there is none. Throws `ExpectedError` when a file cannot be read
 * or served.
 */
export const loadFiles = (
  site: Site,
  deploymentUrls: readonly string[],
  securityTxt: string,
): ReadonlyMap<string, Asset> =>
  new Map([
    ...loadContract(site, deploymentUrls),
    ...REFERENCE_FILES,
    ["/reference", referenceAsset(site)],
    ["/.well-known/api-catalog", apiCatalog(site, deploymentUrls)],
    ["/robots.txt", createAsset("text/plain; charset=utf-8", ROBOTS)],
    ...(securityTxt === ""
      ? []
      : [["/.well-known/security.txt", loadSecurityTxt(securityTxt).asset] as const]),
  ]);

/** How the generated YAML begins. */
const NOTE = /^#.*\n/;
/** The addresses of the deployments. */
const IN_JSON = /^ {2}"servers": \[\n(?: {4}.*\n)+ {2}\]/m;
const IN_YAML = /^servers:\n(?: .*\n)+/m;

/**
 * The published contract by path, its placeholders replaced by the deployments' base URLs (D11,
 * D32), and the names of the service's own documents added (D30). Both as text: a URL in JSON is
 * also one in YAML, and parsing and writing the documents again would take longer than the rest of
 * a start.
 */
export function loadContract(
  { contract, root, publication }: Site,
  deploymentUrls: readonly string[],
): ReadonlyMap<string, Asset> {
  const servers = deploymentUrls.map((url, index) => ({
    url,
    description: `Deployment ${index + 1}`,
  }));
  // Without the braces and their lines.
  const json = JSON.stringify({ servers }, null, 2).slice(2, -2);
  const yaml = servers.map(
    ({ url, description }) => `  - url: ${JSON.stringify(url)}\n    description: ${description}\n`,
  );
  const wellKnownNames = contract.operations["docs.get"]?.known ?? [];
  const names = Object.keys(publication.documents).map((name) => `docs.get.${name}`);
  const added = names.filter((operation) => !wellKnownNames.includes(operation));
  // The last of the names that every deployment has, among the values of `@`: a line of its own in
  // both notations.
  const lastWellKnown = new RegExp(`^( *(?:- |"))(${wellKnownNames.at(-1)}"?)(,?)$`, "m");
  return new Map(
    OPENAPI_FILES.map((name) => {
      const isJson = name.endsWith(".json");
      const generated = readFileSync(join(root, "generated", name), "utf8");
      const text = isJson
        ? generated.replace(IN_JSON, () => json)
        : generated.replace(NOTE, "").replace(IN_YAML, () => `servers:\n${yaml.join("")}`);
      const content = text
        .replace(lastWellKnown, (_, before: string, last: string, comma: string) => {
          const listed = [
            last,
            ...added.map((operation) => (isJson ? `${operation}"` : operation)),
          ];
          return listed.map((entry) => before + entry).join(isJson ? ",\n" : "\n") + comma;
        })
        .replaceAll(PLACEHOLDER, deploymentUrls[0] ?? PLACEHOLDER);
      return [
        `/${name}`,
        createAsset(`application/${isJson ? "json" : "yaml"}; charset=utf-8`, content),
      ];
    }),
  );
}

/**
 * RFC 9727: the APIs of a service, as a linkset (RFC 9264) with the relations of RFC 8631 and the
 * endpoint of each deployment as an anchor.
 */
function apiCatalog(
  { contract: { title }, publication: { documents, status } }: Site,
  deploymentUrls: readonly string[],
): Asset {
  const linkset = deploymentUrls.map((url) => {
    const link = (path: string, type: string, what: string) => ({
      href: `${url}/${path}`,
      type,
      title: `${title}: ${what}`,
    });
    return {
      anchor: `${url}/api/`,
      "service-desc": OPENAPI_FILES.map((file) => {
        const what = file.includes(".operations.")
          ? "the contract by operation"
          : "the contract of the wire";
        return link(file, `application/${file.endsWith(".json") ? "json" : "yaml"}`, what);
      }),
      "service-doc": [
        link("reference", "text/html", "try it"),
        ...(documents.reference
          ? [link("api/?@=docs.get.reference", "text/html", "the operations")]
          : []),
      ],
      ...(status && {
        status: [link(`api/?@=${status}`, "application/json", "status and version")],
      }),
    };
  });
  // Section 2 requires the header for HEAD; relative, so that it is right below a path prefix
  // (D32).
  return createAsset(
    'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
    `${JSON.stringify({ linkset }, null, 2)}\n`,
    { Link: '<api-catalog>; rel="api-catalog"' },
  );
}

/**
 * The file of SECURITY_TXT (RFC 9116), unchanged: it may be signed. Throws `ExpectedError` when it
 * cannot be read or lacks a required field. An expired one is still served: a restart must not fail
 * because of it, and `doctor` warns before.
 */
export function loadSecurityTxt(file: string): { readonly asset: Asset; readonly expires: Date } {
  let content: string;
  try {
    content = readFileSync(file, "utf8");
  } catch (cause) {
    throw new ExpectedError(`The file of SECURITY_TXT cannot be read: ${file}`, { cause });
  }
  const values = (name: string) =>
    [...content.matchAll(new RegExp(`^${name}:[ \\t]*(\\S+)`, "gim"))].map((m) => m[1]);
  const [expires = "", ...repeated] = values("expires");
  if (values("contact").length === 0 || repeated.length > 0 || Number.isNaN(Date.parse(expires)))
    throw new ExpectedError(
      "The file of SECURITY_TXT needs a field Contact and one field Expires with a time " +
        "(RFC 9116, 2.5).",
    );
  return { asset: createAsset("text/plain; charset=utf-8", content), expires: new Date(expires) };
}
