import { expect, it } from "vitest";
import { Answer } from "../protocol/answer.ts";
import { handlerContext } from "../test/services.ts";
import { userCreate } from "./user-create.ts";
import { userList } from "./user-list.ts";

const names = async (count: number) => {
  const context = await handlerContext();
  for (let each = 1; each <= count; each += 1)
    await userCreate({ name: `User ${each}`, email: `${each}@example.com` }, context);
  return context;
};

it("answers the bare list when no other user follows", async () => {
  const list = await userList({ limit: 2 }, await names(2));
  expect(list).toEqual({
    items: [expect.objectContaining({ name: "User 1" }), expect.objectContaining({ name: "User 2" })],
  });
});

it("says where the next page is, in the body and as a link without credentials, and goes on there", async () => {
  const context = await names(3);
  const first = await userList({ limit: 2 }, context);
  if (!(first instanceof Answer) || !("body" in first.parts)) return expect.unreachable("another user follows");
  const { body, headers } = first.parts;
  const cursor = String(body.nextCursor);
  expect(headers).toEqual({ Link: `<?@=user.list&limit=2&cursor=${cursor}>; rel="next"` });
  expect(await userList({ limit: 2, cursor }, context)).toEqual({
    items: [expect.objectContaining({ name: "User 3" })],
  });
});

it.each(["", "x", "AAAA"])("refuses the cursor %j as invalid-cursor", async (cursor) => {
  await expect(userList({ limit: 1, cursor }, await handlerContext())).rejects.toMatchObject({
    code: "invalid-cursor",
  });
});
