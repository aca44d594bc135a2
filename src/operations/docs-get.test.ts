import { expect, it } from "vitest";
import { DOCUMENT_MEDIA_TYPES } from "../server/documents/documents.ts";
import { handlerContext } from "../test/services.ts";
import { docsGet } from "./docs-get.ts";
import { docsList } from "./docs-list.ts";

it("answers a document as the caller prefers it", async () => {
  const context = await handlerContext();
  for (const mediaType of DOCUMENT_MEDIA_TYPES) {
    const asset = context.services.documents.get("README")?.representations[mediaType];
    expect(asset).toBeDefined();
    expect(await docsGet({ name: "README" }, { ...context, mediaType })).toEqual({ parts: { asset } });
  }
});

it("rejects a name that no document has as document-not-found, and lists those that there are", async () => {
  const context = await handlerContext();
  expect(() => docsGet({ name: "nobody" }, context)).toThrow(expect.objectContaining({ code: "document-not-found" }));
  expect(await docsList({}, context)).toEqual({ items: context.services.documents.list() });
});
