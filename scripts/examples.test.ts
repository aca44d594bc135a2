// The examples of the published documents are true: what they send is accepted, and their faults are what the service says.
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningService, startService } from "../conformance/test/service.test-kit.ts";

interface Media {
  readonly example?: { readonly errors: readonly Record<string, string>[] };
}
interface Operation {
  readonly responses: Readonly<
    Record<string, { readonly $ref?: string; readonly content?: Readonly<Record<string, Media>> }>
  >;
  readonly requestBody?: { readonly content: { readonly "application/json": { readonly example: unknown } } };
}
const contract: {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly responses: Operation["responses"] };
} = JSON.parse(readFileSync(new URL("../generated/openapi.operations.json", import.meta.url), "utf8"));
const operations = Object.entries(contract.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: path.split("/")[2] ?? "", method, operation })),
);
const { responses } = contract.components;

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.stop());

describe.each(operations)("the examples of $name", ({ name, operation: { responses: answers, requestBody } }) => {
  const answer = answers["422"];
  const media = (answer?.$ref ? responses[answer.$ref.split("/").pop() ?? ""] : answer)?.content;
  const [fault] = media?.["application/problem+json"]?.example?.errors ?? [];

  it("stand at every media type of a success", () => {
    for (const [type, { example }] of Object.entries(answers["200"]?.content ?? answers["201"]?.content ?? {}))
      expect(example, type).toBeDefined();
  });

  it("tell a fault of its own as the service does", async () => {
    const { full } = service.credentials;
    const headers = { "X-API-KEY": full.key, "X-PLATFORM": full.platform, "Content-Type": "application/json" };
    const called = name === "docs.get" ? "docs.get.README" : name;
    const query = new URLSearchParams({ "@": called, [fault?.parameter ?? "unknown"]: "0" });
    const body = JSON.stringify(requestBody?.content["application/json"].example);
    const member = fault?.pointer?.split("/").pop() ?? "";
    const sent = requestBody
      ? fetch(`${service.url}/api/`, { method: "POST", headers, body: body.replace(`"${member}"`, `"no-${member}"`) })
      : fetch(`${service.url}/api/?${query}`, { headers });
    expect(await (await sent).json()).toMatchObject({ code: "invalid-input", errors: expect.arrayContaining([fault]) });
  });
});
