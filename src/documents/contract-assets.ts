import { readFileSync } from "node:fs";
import { join } from "node:path";
import { operations } from "../../generated/operations.ts";
import { type Asset, createAsset } from "../http/assets.ts";
import { PLACEHOLDER } from "./documents.ts";
import { GUIDE_OPERATIONS } from "./files.ts";

/** How the generated YAML begins. */
const NOTE = /^#.*\n/;
/** The addresses of the deployments. */
const IN_JSON = /^ {2}"servers": \[\n(?: {4}.*\n)+ {2}\]/m;
const IN_YAML = /^servers:\n(?: .*\n)+/m;
/** The last of the documents' names among the values of `@`, a line of its own in both notations. */
const LAST_NAME = new RegExp(`^( *(?:- |"))${operations["docs.get"].known.at(-1)}("?)$`, "m");

/** The names of our own documents follow (D30). */
const withGuides = (text: string): string =>
  text.replace(LAST_NAME, (line: string, before: string, after: string) =>
    [line, ...GUIDE_OPERATIONS.map((name) => `${before}${name}${after}`)].join(after === "" ? "\n" : ",\n"),
  );

/**
 * The published contract by path, its placeholders replaced by the deployments' base URLs (D11, D32), and our own documents added.
 * Both as text: a URL in JSON is also one in YAML, and parsing and writing the documents again would take longer than the rest of a
 * start.
 */
export function loadContract(root: string, deploymentUrls: readonly string[]): ReadonlyMap<string, Asset> {
  const servers = deploymentUrls.map((url, index) => ({ url, description: `Deployment ${index + 1}` }));
  const json = JSON.stringify({ servers }, null, 2).slice(2, -2); // without the braces and their lines
  const yaml = servers.map(
    ({ url, description }) => `  - url: ${JSON.stringify(url)}\n    description: ${description}\n`,
  );
  const fill = {
    json: (text: string) => text.replace(IN_JSON, () => json),
    yaml: (text: string) => text.replace(NOTE, "").replace(IN_YAML, () => `servers:\n${yaml.join("")}`),
  };
  const assets = ["openapi", "openapi.operations"].flatMap((name) =>
    (["json", "yaml"] as const).map((form): [string, Asset] => {
      const text = fill[form](readFileSync(join(root, "generated", `${name}.${form}`), "utf8"));
      const content = withGuides(text).replaceAll(PLACEHOLDER, deploymentUrls[0] ?? PLACEHOLDER);
      return [`/${name}.${form}`, createAsset({ mediaType: `application/${form}; charset=utf-8`, content })];
    }),
  );
  return new Map(assets);
}
