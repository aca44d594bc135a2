import { expect, it } from "vitest";
import { serve } from "../../test/server.test-kit.ts";
import { apiFor } from "../../test/session.test-kit.ts";
import { echoes } from "./no-echo.ts";

/** The form of the words that the checks send. */
const WORD = /[qxzjkvw]{12}/;

it.each([
  [
    "in a member",
    (said: string) => JSON.stringify({ code: "operation-not-found", detail: `${"-".repeat(900)}${said}` }),
  ],
  ["in what is no JSON", (said: string) => `${"-".repeat(900)}${said}`],
])("a finding shows the word that is repeated, however late it comes: %s", async (_, body) => {
  const url = await serve((request, response) => {
    response.writeHead(404, { "Content-Type": "application/problem+json" }).end(body(request.url));
  });
  const check = echoes.find(({ id }) => id === "errors/no-echo#read");
  if (check?.kind !== "target") throw new Error("no such check");
  await expect(check.run(apiFor(url))).rejects.toMatchObject({ actual: expect.stringMatching(WORD) });
});
