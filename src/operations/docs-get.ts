import { DOCUMENT_MEDIA_TYPES } from "../server/documents/documents.ts";
import { Problem } from "../server/problem.ts";
import { HandlerResponse } from "../server/response/response.ts";
import type { Handler } from "./handler.ts";

/** D31: the representation that the caller prefers. */
export const docsGet: Handler<"docs.get"> = ({ name }, { documents, mediaType: preferred }) => {
  const document = documents.get(name);
  if (!document) throw new Problem("document-not-found");
  const mediaType = DOCUMENT_MEDIA_TYPES.find((one) => one === preferred) ?? "application/json";
  return new HandlerResponse({ asset: document.representations[mediaType] });
};
