import { expect, it } from "vitest";
import { DOCUMENT_MEDIA_TYPES } from "../server/documents/documents.ts";
import { handlerContext } from "../test/services.ts";
import { docsGet } from "./docs-get.ts";
import { docsList } from "./docs-list.ts";

it("returns a document as the caller prefers it; rejects another name as document-not-found, and lists those that there are", async () => {
  const context = await handlerContext();
  const { documents } = context.services;
  for (const mediaType of DOCUMENT_MEDIA_TYPES) {
    const asset = documents.get("README")?.representations[mediaType];
    expect(asset).toBeDefined();
    expect(await docsGet({ name: "README" }, { ...context, mediaType })).toEqual({ parts: { asset } });
  }
  expect(() => docsGet({ name: "nobody" }, context)).toThrow(expect.objectContaining({ code: "document-not-found" }));
  expect(await docsList({}, context)).toEqual({ items: documents.list() });
});
