// The examples of the published documents are true: their requests are accepted, and their faults are those that the service
// reports.
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningService, startService } from "../conformance/test/service.test-kit.ts";
import { contract } from "../generated/contract.ts";
import type { Operation } from "../src/server/contract.ts";

const { operations } = contract;

interface Schema {
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly examples?: readonly unknown[];
}
interface Media {
  readonly example?: { readonly errors: readonly Record<string, string>[] };
  readonly schema: Schema;
}
type Content = Readonly<Record<string, Media>>;

const { components, paths } = JSON.parse(
  readFileSync(new URL("../generated/openapi.operations.json", import.meta.url), "utf8"),
);
const named = <T extends object>(part: T & { readonly $ref?: string }): T =>
  part.$ref === undefined ? part : components[part.$ref.split("/")[2] ?? ""][part.$ref.split("/")[3] ?? ""];

/** Whether there is an example, at the schema or at each of its alternatives. */
function isExemplified(schema: Schema): boolean {
  const { examples = [], anyOf = [] } = named(schema);
  return examples.length > 0 || (anyOf.length > 0 && anyOf.every(isExemplified));
}

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.stop());

describe.each(Object.values<Operation>(operations))("the examples of $id", ({ id, name, method, example }) => {
  const { responses, requestBody } = paths[`/api/${id}/../`][method.toLowerCase()];
  const contents = Object.entries<{ readonly content?: Content }>(responses).map(
    ([status, response]) => [status, named(response).content ?? {}] as const,
  );
  const rejection = Object.fromEntries(contents)["422"]?.["application/problem+json"];
  const [fault] = rejection?.example?.errors ?? [];

  it("stand at every media type of every answer", () => {
    for (const [status, content] of contents)
      for (const [type, { example, schema }] of Object.entries(content))
        if (example === undefined) expect(isExemplified(schema), `${status} ${type}`).toBe(true);
  });

  it("tell a fault of its own as the service does", async () => {
    const { full } = service.credentials;
    const headers = { "X-API-KEY": full.key, "X-PLATFORM": full.platform, "Content-Type": "application/json" };
    const called = name.replace(/\{(\w+)\}/g, (_, part) => String(example[part]));
    const query = new URLSearchParams({ "@": called, [fault?.parameter ?? "unknown"]: "0" });
    const body = JSON.stringify(requestBody?.content["application/json"].example);
    const member = fault?.pointer?.split("/").pop() ?? "";
    const sent = requestBody
      ? fetch(`${service.url}/api/`, { method: "POST", headers, body: body.replace(`"${member}"`, `"no-${member}"`) })
      : fetch(`${service.url}/api/?${query}`, { headers });
    expect(await (await sent).json()).toMatchObject({ code: "invalid-input", errors: expect.arrayContaining([fault]) });
  });
});
