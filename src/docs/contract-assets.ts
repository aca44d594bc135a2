import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Asset, createAsset } from "../http/assets.ts";
import { PLACEHOLDER } from "./documents.ts";

interface Published {
  servers: { url: string; description: string }[];
}

/** What the generated YAML begins with, and where its deployments stand. */
const NOTE = /^#.*\n/;
const SERVERS = /^servers:\n(?: .*\n)+/m;

/** The published contract by path, its placeholders replaced by the deployments' base URLs (D11, D32). */
export function loadContract(root: string, deploymentUrls: readonly string[]): ReadonlyMap<string, Asset> {
  const servers = deploymentUrls.map((url, index) => ({ url, description: `Deployment ${index + 1}` }));
  const read = (file: string) => readFileSync(join(root, "generated", file), "utf8");
  const filled = (text: string) => text.replaceAll(PLACEHOLDER, deploymentUrls[0] ?? PLACEHOLDER);
  const assets = ["openapi", "openapi.operations"].flatMap((name): [string, Asset][] => {
    const document: Published = JSON.parse(read(`${name}.json`));
    document.servers = servers;
    const json = `${JSON.stringify(document, null, 2)}\n`;
    // As text: to write YAML anew takes half as long as all the rest of a start. A URL in JSON is one in YAML.
    const list = servers.map(
      ({ url, description }) => `  - url: ${JSON.stringify(url)}\n    description: ${description}\n`,
    );
    const yaml = read(`${name}.yaml`)
      .replace(NOTE, "")
      .replace(SERVERS, () => `servers:\n${list.join("")}`);
    return [
      [`/${name}.json`, createAsset({ mediaType: "application/json; charset=utf-8", content: filled(json) })],
      [`/${name}.yaml`, createAsset({ mediaType: "application/yaml; charset=utf-8", content: filled(yaml) })],
    ];
  });
  return new Map(assets);
}
