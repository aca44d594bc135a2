import { expect, it } from "vitest";
import { handlerContext } from "../test/services.ts";
import { docsGet } from "./docs-get.ts";
import { docsList } from "./docs-list.ts";

it("returns a document as the caller prefers it; rejects another name as document-not-found, and lists those that there are", async () => {
  const context = await handlerContext();
  const { documents } = context.services;
  const { representations = {} } = documents.get("README") ?? {};
  expect(Object.keys(representations)).toHaveLength(4);
  for (const [mediaType, asset] of Object.entries(representations))
    expect(await docsGet({ name: "README" }, { ...context, mediaType })).toEqual({ parts: { asset } });
  expect(() => docsGet({ name: "nobody" }, context)).toThrow(expect.objectContaining({ code: "document-not-found" }));
  expect(await docsList({}, context)).toEqual({ items: [...documents.values()].map(({ entry }) => entry) });
});
