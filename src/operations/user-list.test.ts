import { expect, it } from "vitest";
import { encodeCursor } from "../server/resources/pages.ts";
import { HandlerResponse } from "../server/response/response.ts";
import { handlerContext } from "../test/services.ts";
import { userCreate } from "./user-create.ts";
import { userList } from "./user-list.ts";

it("says where the next page is, in the body and as a link without credentials, and goes on there", async () => {
  const context = await handlerContext();
  for (const name of ["1", "2", "3"])
    await userCreate({ name, email: `${name}@example.com` }, context);
  const listed = async (input: Parameters<typeof userList>[0]) => {
    const response = await userList(input, context);
    if (!(response instanceof HandlerResponse) || !("json" in response.parts))
      return expect.unreachable();
    return { ...JSON.parse(response.parts.json), headers: response.parts.headers };
  };
  const items = (...names: string[]) => names.map((name) => expect.objectContaining({ name }));
  const { nextCursor: cursor, ...first } = await listed({ limit: 2 });
  const Link = `<?@=user.list&limit=2&cursor=${cursor}>; rel="next"`;
  expect(first).toEqual({ items: items("1", "2"), headers: { Link } });
  expect(await listed({ limit: 2, cursor })).toEqual({ items: items("3"), headers: undefined });
  expect(await listed({ limit: 3 })).toEqual({ items: items("1", "2", "3"), headers: undefined });
});

it("rejects the cursor of another operation, and what is no cursor, as invalid-cursor", async () => {
  const context = await handlerContext();
  const cursorOf = (id: string) => encodeCursor(id, "019c1395-e200-7000-8000-0123456789ab");
  for (const cursor of [cursorOf("docs.list"), "", "x", "AAAA", `${cursorOf("user.list")}A`])
    await expect(userList({ limit: 1, cursor }, context)).rejects.toMatchObject({
      code: "invalid-cursor",
    });
  const own = userList({ limit: 1, cursor: cursorOf("user.list") }, context);
  await expect(own).resolves.toBeInstanceOf(HandlerResponse);
});
