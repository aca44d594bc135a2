import { Problem } from "../protocol/problem.ts";
import { HandlerResponse } from "../protocol/response.ts";
import type { Handler } from "./handler.ts";

/** D31: the representation that the caller prefers. */
export const docsGet: Handler<"docs.get"> = ({ name }, { documents, mediaType }) => {
  const document = documents.get(name);
  if (!document) throw new Problem("document-not-found");
  const { representations } = document;
  switch (mediaType) {
    case "text/markdown":
      return new HandlerResponse({ status: 200, mediaType: "text/markdown", asset: representations["text/markdown"] });
    case "text/plain":
      return new HandlerResponse({ status: 200, mediaType: "text/plain", asset: representations["text/plain"] });
    case "text/html":
      return new HandlerResponse({ status: 200, mediaType: "text/html", asset: representations["text/html"] });
    default:
      return new HandlerResponse({
        status: 200,
        mediaType: "application/json",
        asset: representations["application/json"],
      });
  }
};
