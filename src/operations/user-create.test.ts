import { expect, it } from "vitest";
import { handlerContext } from "../test/services.ts";
import { userCreate } from "./user-create.ts";

it("returns the user, as sent and as of now; an address that is taken, in another letter case too, is email-taken", async () => {
  const context = await handlerContext();
  const data = { name: "Ada", email: "Ada@Example.com" };
  const id = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
  expect(await userCreate(data, context)).toEqual({
    id,
    ...data,
    createdAt: "2026-01-31T12:00:00.000Z",
  });
  const again = userCreate({ name: "Eda", email: "ADA@example.com" }, context);
  await expect(again).rejects.toMatchObject({ code: "email-taken" });
});
