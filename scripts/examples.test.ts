// The examples of the published documents are true: their requests are accepted, and their faults
// are those that the service reports.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { contract } from "../generated/contract.ts";
import type { Operation } from "../src/server/contract.ts";
import { start } from "../src/test/running-service.ts";

interface Schema {
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly examples?: readonly unknown[];
}
type Content = Readonly<Record<string, { readonly example?: unknown; readonly schema: Schema }>>;

const { components, paths } = JSON.parse(
  readFileSync(new URL("../generated/openapi.operations.json", import.meta.url), "utf8"),
);
function named<T extends object>(part: T & { readonly $ref?: string }): T {
  const [, , kind = "", name = ""] = part.$ref?.split("/") ?? [];
  return components[kind]?.[name] ?? part;
}

/** Whether there is an example, at the schema or at each of its alternatives. */
function isExemplified(schema: Schema): boolean {
  const { examples = [], anyOf = [] } = named(schema);
  return examples.length > 0 || (anyOf.length > 0 && anyOf.every(isExemplified));
}

describe.each(Object.values<Operation>(contract.operations))(
  "the examples of $id",
  ({ id, name, method, example }) => {
    const { responses, requestBody } = paths[`/api/${id}/../`][method.toLowerCase()];

    it("stand at every media type of every answer", () => {
      for (const [status, response] of Object.entries<{ readonly content?: Content }>(responses))
        for (const [type, { example, schema }] of Object.entries(named(response).content ?? {}))
          if (example === undefined) expect(isExemplified(schema), `${status} ${type}`).toBe(true);
    });

    it("tell a fault of its own as the service does", async () => {
      const { service, key } = await start();
      const [fault] = named(responses["422"]).content["application/problem+json"].example.errors;
      const headers = { "X-API-KEY": key, "X-PLATFORM": "web", "Content-Type": "application/json" };
      const called = name.replace(/\{(\w+)\}/g, (_, part) => String(example[part]));
      const query = new URLSearchParams({ "@": called, [fault.parameter]: "0" });
      const body = JSON.stringify(requestBody?.content["application/json"].example);
      const member = fault.pointer?.split("/").pop();
      const sent = requestBody
        ? fetch(`${service.url}/api/`, {
            method: "POST",
            headers,
            body: body.replace(`"${member}"`, `"no-${member}"`),
          })
        : fetch(`${service.url}/api/?${query}`, { headers });
      expect(await (await sent).json()).toMatchObject({
        code: "invalid-input",
        errors: expect.arrayContaining([fault]),
      });
    });
  },
);
