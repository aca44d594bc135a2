import { expect, it } from "vitest";
import { handlerContext } from "../test/services.ts";
import { docsGet } from "./docs-get.ts";
import { docsList } from "./docs-list.ts";

it("answers a document as the caller prefers it", async () => {
  const context = await handlerContext();
  const { representations = {} } = context.services.documents.get("README") ?? {};
  expect(Object.keys(representations)).toHaveLength(4);
  for (const [mediaType, asset] of Object.entries(representations))
    expect(await docsGet({ name: "README" }, { ...context, mediaType })).toEqual({ parts: { asset } });
});

it("rejects a name that no document has as document-not-found, and lists those that there are", async () => {
  const context = await handlerContext();
  expect(() => docsGet({ name: "nobody" }, context)).toThrow(expect.objectContaining({ code: "document-not-found" }));
  const items = [...context.services.documents.values()].map(({ entry }) => entry);
  expect(await docsList({}, context)).toEqual({ items });
});
