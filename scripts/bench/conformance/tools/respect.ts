import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { contractFile, placeOf, requiredHeadersOf } from "../contract.ts";
import { type Probe, probes, targetOf } from "../probes.ts";
import type { Job, Tool } from "../tool.ts";

const cli = path.join(path.dirname(createRequire(import.meta.url).resolve("@redocly/cli/package.json")), "bin/cli.js");

function step(probe: Probe, url: string) {
  const { "Content-Type": contentType = "application/json", ...headers } = probe.headers;
  const parameters = (place: string, values: Readonly<Record<string, string>>) =>
    Object.entries(values).map(([name, value]) => ({ in: place, name, value }));
  // It rejects a name in two places, so such a query must be in the address, as for an unknown operation.
  const byAddress = probe.undocumented || Object.keys(probe.query).some((name) => name in headers);
  const pointer = placeOf(probe)
    .map((part) => part.replaceAll("/", "~1"))
    .join("/");
  return {
    stepId: probe.id,
    ...(byAddress
      ? { "x-operation": { url: url + targetOf(probe), method: probe.method.toLowerCase() } }
      : { operationPath: `{$sourceDescriptions.atpoint.url}#/paths/${pointer}` }),
    parameters: [...(byAddress ? [] : parameters("query", probe.query)), ...parameters("header", headers)],
    ...(probe.body === null ? {} : { requestBody: { contentType, payload: probe.body } }),
    successCriteria: [
      { condition: `$statusCode == ${probe.status}` },
      ...requiredHeadersOf(probe).map((header) => ({ condition: `$response.header.${header} != null` })),
      ...Object.entries(probe.members).map(([member, value]) => ({
        condition: `$response.body#/${member} == ${typeof value === "string" ? `'${value}'` : value}`,
      })),
    ],
  };
}

/** Redocly CLI's `respect`, with an Arazzo description of the probes over the by-operation document. */
export const respect: Tool = {
  name: "redocly respect",
  env: { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
  red: (exitCode) => exitCode === 1,
  async command({ url, credentials, run, folder }: Job) {
    const file = path.join(folder, "bench.arazzo.json");
    const description = {
      arazzo: "1.0.1",
      info: { title: "Every documented outcome", version: "1.0.0" },
      sourceDescriptions: [
        { name: "atpoint", type: "openapi", url: path.relative(folder, contractFile), "x-serverUrl": url },
      ],
      workflows: [{ workflowId: "probes", steps: probes(credentials, run).map((probe) => step(probe, url)) }],
    };
    await writeFile(file, JSON.stringify(description, null, 2));
    return [cli, "respect", file, "--verbose", "--max-fetch-timeout", "5000"];
  },
};
