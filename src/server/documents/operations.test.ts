import { expect, it } from "vitest";
import { handlerContext } from "../../test/services.ts";
import { documentHandlers } from "./operations.ts";

it("returns a document as the caller prefers it; rejects another name as document-not-found, and lists those that there are", async () => {
  const { "docs.get": get, "docs.list": list } = documentHandlers;
  const context = await handlerContext();
  const { documents } = context.services;
  const { representations = {} } = documents.get("README") ?? {};
  expect(Object.keys(representations)).toHaveLength(4);
  for (const [mediaType, asset] of Object.entries(representations))
    expect(get({ name: "README" }, { ...context, mediaType })).toEqual({ parts: { asset } });
  expect(() => get({ name: "nobody" }, context)).toThrow(
    expect.objectContaining({ code: "document-not-found" }),
  );
  expect(list({}, context)).toEqual({ items: [...documents.values()].map(({ entry }) => entry) });
});
