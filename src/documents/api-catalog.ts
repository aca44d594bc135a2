import { contract } from "../../generated/operations.ts";
import { type Asset, createAsset } from "../http/assets.ts";

/** RFC 9727: the APIs of this service, as a linkset (RFC 9264) with the relations of RFC 8631 and the endpoint of each deployment as an anchor. */
export function apiCatalog(deploymentUrls: readonly string[]): Asset {
  const link = (href: string, type: string, title: string) => ({ href, type, title });
  const linkset = deploymentUrls.map((url) => ({
    anchor: `${url}/api/`,
    "service-desc": [
      link(`${url}/openapi.yaml`, "application/yaml", `${contract.title}: the contract of the wire`),
      link(`${url}/openapi.json`, "application/json", `${contract.title}: the contract of the wire`),
      link(`${url}/openapi.operations.yaml`, "application/yaml", `${contract.title}: the contract by operation`),
      link(`${url}/openapi.operations.json`, "application/json", `${contract.title}: the contract by operation`),
    ],
    "service-doc": [
      link(`${url}/reference`, "text/html", `${contract.title}: the reference, to be tried`),
      link(`${url}/api/?@=docs.get.reference`, "text/html", `${contract.title}: the reference`),
    ],
    status: [link(`${url}/api/?@=sysinfo`, "application/json", `${contract.title}: status and version`)],
  }));
  return createAsset({
    mediaType: 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
    content: `${JSON.stringify({ linkset }, null, 2)}\n`,
    // Section 2 requires it for HEAD; relative, so that it is right below a path prefix (D32).
    headers: { Link: '<api-catalog>; rel="api-catalog"' },
  });
}
