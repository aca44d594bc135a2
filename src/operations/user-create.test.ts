import { expect, it } from "vitest";
import { handlerContext } from "../test/services.ts";
import { userCreate } from "./user-create.ts";

it("answers the user, as sent and as of now", async () => {
  const data = { name: "Ada", email: "Ada@Example.com" };
  expect(await userCreate(data, await handlerContext())).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
    ...data,
    createdAt: "2026-01-31T12:00:00.000Z",
  });
});

it("rejects an address that is taken, in another letter case too, as email-taken", async () => {
  const context = await handlerContext();
  await userCreate({ name: "Ada", email: "ada@example.com" }, context);
  await expect(userCreate({ name: "Eda", email: "ADA@example.com" }, context)).rejects.toMatchObject({
    code: "email-taken",
  });
});
