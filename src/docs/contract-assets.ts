import { readFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { type Asset, createAsset } from "../http/assets.ts";
import { PLACEHOLDER } from "./documents.ts";

interface Published {
  servers: { url: string; description: string }[];
}

/** The published contract by path, its placeholders replaced by the deployments' base URLs (D11, D32). */
export function loadContract(root: string, deploymentUrls: readonly string[]): ReadonlyMap<string, Asset> {
  const assets = ["openapi", "openapi.operations"].flatMap((name): [string, Asset][] => {
    const document: Published = JSON.parse(readFileSync(join(root, "generated", `${name}.json`), "utf8"));
    document.servers = deploymentUrls.map((url, index) => ({ url, description: `Deployment ${index + 1}` }));
    const filled: unknown = JSON.parse(
      JSON.stringify(document).replaceAll(PLACEHOLDER, deploymentUrls[0] ?? PLACEHOLDER),
    );
    const yaml = stringify(filled, { lineWidth: 0, aliasDuplicateObjects: false, compat: "yaml-1.1" });
    return [
      [
        `/${name}.json`,
        createAsset({ mediaType: "application/json; charset=utf-8", content: `${JSON.stringify(filled, null, 2)}\n` }),
      ],
      [`/${name}.yaml`, createAsset({ mediaType: "application/yaml; charset=utf-8", content: yaml })],
    ];
  });
  return new Map(assets);
}
