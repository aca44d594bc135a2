import type { RequestContext } from "../handler.ts";
import { Problem } from "../problem.ts";
import { HandlerResponse } from "../response/response.ts";
import type { DocumentEntry, Documents } from "./documents.ts";

type Context = RequestContext<{ readonly documents: Documents }>;

/**
 * The handlers of `ListDocuments` and `GetDocument` of the spec library (D30, D31), for services
 * that have `documents`.
 */
export const documentHandlers = {
  "docs.list": (_: unknown, { services }: Context): { items: DocumentEntry[] } => ({
    items: [...services.documents.values()].map(({ entry }) => entry),
  }),
  /** The representation that the caller prefers. */
  "docs.get": ({ name }: { readonly name: string }, { services, mediaType }: Context) => {
    const asset = services.documents.get(name)?.representations[mediaType];
    if (!asset) throw new Problem("document-not-found");
    return new HandlerResponse<never>({ asset });
  },
};
