import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { components, placeOf, requiredHeadersOf, schemaOf } from "../contract.ts";
import { type Probe, probes, targetOf } from "../probes.ts";
import type { Job, Tool } from "../tool.ts";

const cli = path.join(path.dirname(createRequire(import.meta.url).resolve("dredd/package.json")), "bin/dredd");

/**
 * Dredd supports only OpenAPI 3.0 and parts of it, so it gets its transactions (one for each operation and status that a probe
 * expects) in that version, and the schemas of 3.1 through the hooks.
 */
function document(given: readonly Probe[]) {
  const paths: Record<string, Record<string, { responses: Record<string, unknown> } & Record<string, unknown>>> = {};
  for (const probe of given) {
    const [place, method] = placeOf(probe);
    paths[place] ??= {};
    paths[place][method] ??= {
      operationId: probe.operation,
      responses: {},
    };
    paths[place][method].responses[probe.status] ??= { description: probe.id };
  }
  return { openapi: "3.0.3", info: { title: "Atpoint", version: "3.0.3" }, paths };
}

/** Its validator throws for unknown formats; this one adds nothing to `type`. */
const withoutUnknownFormats = (name: string, value: unknown) =>
  name === "format" && value === "int32" ? undefined : value;

/** What the hooks set for a transaction of the same operation and status. */
function transaction(probe: Probe) {
  const { body } = probe;
  const json = body !== null && typeof body !== "string";
  const constants = Object.entries(probe.members).map(([name, value]) => [name, { const: value }]);
  const schema = { components, allOf: [schemaOf(probe), { properties: Object.fromEntries(constants) }] };
  // It compares the whole value; problems are sent without a charset.
  const contentType =
    probe.mediaType === "application/problem+json" ? probe.mediaType : `${probe.mediaType}; charset=utf-8`;
  const headers = requiredHeadersOf(probe).map((name) => [name, ""]);
  return {
    name: probe.id,
    like: [...placeOf(probe), String(probe.status)],
    fullPath: targetOf(probe),
    request: {
      method: probe.method,
      headers: { ...(json ? { "Content-Type": "application/json" } : {}), ...probe.headers },
      body: json ? JSON.stringify(body) : (body ?? ""),
    },
    expected: {
      statusCode: String(probe.status),
      headers: { "Content-Type": contentType, ...Object.fromEntries(headers) },
      ...(probe.mediaType.endsWith("json") ? { bodySchema: JSON.stringify(schema, withoutUnknownFormats) } : {}),
    },
  };
}

/** Dredd, with hooks that set credentials, inputs and expectations. */
export const dredd: Tool = {
  name: "dredd",
  red: (exitCode) => exitCode === 1,
  async command({ url, credentials, run, folder }: Job) {
    const given = probes(credentials, run);
    const files = { document: document(given), transactions: given.map(transaction) };
    for (const [name, content] of Object.entries(files)) {
      await writeFile(path.join(folder, `${name}.json`), JSON.stringify(content, null, 2));
    }
    const hooks = path.join(import.meta.dirname, "dredd-hooks.cjs");
    return [cli, "document.json", url, "--hookfiles", hooks, "--loglevel", "warning"];
  },
};
