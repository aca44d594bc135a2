// The examples of the published documents are true: their requests are accepted, and their faults are those that the service
// reports.
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningService, startService } from "../conformance/test/service.test-kit.ts";
import { contract as generated } from "../generated/contract.ts";
import type { Operation as Facts } from "../src/server/contract.ts";

const { operations: table } = generated;

interface Schema {
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly examples?: readonly unknown[];
}
interface Media {
  readonly example?: { readonly errors: readonly Record<string, string>[] };
  readonly schema: Schema;
}
interface Operation {
  readonly responses: Readonly<
    Record<string, { readonly $ref?: string; readonly content?: Readonly<Record<string, Media>> }>
  >;
  readonly requestBody?: { readonly content: { readonly "application/json": { readonly example: unknown } } };
}
const contract: {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly responses: Operation["responses"];
    readonly schemas: Readonly<Record<string, Schema>>;
  };
} = JSON.parse(readFileSync(new URL("../generated/openapi.operations.json", import.meta.url), "utf8"));
const operations = Object.entries(contract.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: path.split("/")[2] ?? "", method, operation })),
);
const { responses, schemas } = contract.components;

const named = <T>(all: Readonly<Record<string, T>>, { $ref }: { readonly $ref?: string }): T | undefined =>
  $ref === undefined ? undefined : all[$ref.split("/").pop() ?? ""];

/** Whether there is an example, at the schema or at each of its alternatives. */
function isExemplified(schema: Schema): boolean {
  const { examples = [], anyOf = [] } = named(schemas, schema) ?? schema;
  return examples.length > 0 || (anyOf.length > 0 && anyOf.every(isExemplified));
}

/** As called: with the values of its example for the parts of its name. */
function calledName(id: string): string {
  const found = Object.values<Facts>(table).find((one) => one.id === id);
  return found?.name.replace(/\{(\w+)\}/g, (_, part) => String(found.example[part])) ?? id;
}

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.stop());

describe.each(operations)("the examples of $name", ({ name, operation: { responses: answers, requestBody } }) => {
  const contentOf = (answer = answers["422"]) => (answer && (named(responses, answer) ?? answer))?.content;
  const media = contentOf();
  const [fault] = media?.["application/problem+json"]?.example?.errors ?? [];

  it("stand at every media type of every answer", () => {
    for (const [status, answer] of Object.entries(answers))
      for (const [type, { example, schema }] of Object.entries(contentOf(answer) ?? {}))
        if (example === undefined) expect(isExemplified(schema), `${status} ${type}`).toBe(true);
  });

  it("tell a fault of its own as the service does", async () => {
    const { full } = service.credentials;
    const headers = { "X-API-KEY": full.key, "X-PLATFORM": full.platform, "Content-Type": "application/json" };
    const called = calledName(name);
    const query = new URLSearchParams({ "@": called, [fault?.parameter ?? "unknown"]: "0" });
    const body = JSON.stringify(requestBody?.content["application/json"].example);
    const member = fault?.pointer?.split("/").pop() ?? "";
    const sent = requestBody
      ? fetch(`${service.url}/api/`, { method: "POST", headers, body: body.replace(`"${member}"`, `"no-${member}"`) })
      : fetch(`${service.url}/api/?${query}`, { headers });
    expect(await (await sent).json()).toMatchObject({ code: "invalid-input", errors: expect.arrayContaining([fault]) });
  });
});
