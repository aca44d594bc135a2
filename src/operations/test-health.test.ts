import { expect, it } from "vitest";
import { handlerContext } from "../test/services.ts";
import { testHealth } from "./test-health.ts";

it("passes while the storage answers, and fails with the same document when it does not", async () => {
  const context = await handlerContext();
  const document = (status: string) => ({ status, version: "3.0.3", checks: { storage: status } });
  expect(await testHealth({}, context)).toMatchObject({
    parts: { status: 200, body: document("pass") },
  });
  await context.storage.close();
  expect(await testHealth({}, context)).toMatchObject({
    parts: { status: 503, body: document("fail") },
  });
});
