import { expect, it } from "vitest";
import { encodeCursor } from "../server/resources/pages.ts";
import { HandlerResponse } from "../server/response/response.ts";
import { handlerContext } from "../test/services.ts";
import { userCreate } from "./user-create.ts";
import { userList } from "./user-list.ts";

/** What is answered, and the headers beside it. */
async function listed(...call: Parameters<typeof userList>) {
  const answer = await userList(...call);
  if (!(answer instanceof HandlerResponse) || !("json" in answer.parts))
    return expect.unreachable("a page is JSON text");
  return { body: JSON.parse(answer.parts.json), headers: answer.parts.headers };
}

const names = async (count: number) => {
  const context = await handlerContext();
  for (let each = 1; each <= count; each += 1)
    await userCreate({ name: `User ${each}`, email: `${each}@example.com` }, context);
  return context;
};

it("answers the bare list when no other user follows", async () => {
  const items = [expect.objectContaining({ name: "User 1" }), expect.objectContaining({ name: "User 2" })];
  expect(await listed({ limit: 2 }, await names(2))).toEqual({ body: { items }, headers: undefined });
});

it("says where the next page is, in the body and as a link without credentials, and goes on there", async () => {
  const context = await names(3);
  const { body, headers } = await listed({ limit: 2 }, context);
  const cursor = String(body.nextCursor);
  expect(headers).toEqual({ Link: `<?@=user.list&limit=2&cursor=${cursor}>; rel="next"` });
  const next = await listed({ limit: 2, cursor }, context);
  expect(next).toEqual({ body: { items: [expect.objectContaining({ name: "User 3" })] }, headers: undefined });
});

it("rejects the cursor of another operation as invalid-cursor, and takes the same place in one of its own", async () => {
  const context = await handlerContext();
  const id = "019c1395-e200-7000-8000-0123456789ab";
  const page = (operation: "user.list" | "docs.list") =>
    userList({ limit: 1, cursor: encodeCursor(operation, id) }, context);
  await expect(page("docs.list")).rejects.toMatchObject({ code: "invalid-cursor" });
  await expect(page("user.list")).resolves.toBeInstanceOf(HandlerResponse);
});

it("rejects what is no cursor as invalid-cursor", async () => {
  const context = await handlerContext();
  for (const cursor of ["", "x", "AAAA"])
    await expect(userList({ limit: 1, cursor }, context)).rejects.toMatchObject({ code: "invalid-cursor" });
});
