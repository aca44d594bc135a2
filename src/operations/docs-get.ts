import { Problem } from "../server/problem.ts";
import { HandlerResponse } from "../server/response/response.ts";
import type { Handler } from "./handler.ts";

/** D31: the representation that the caller prefers. */
export const docsGet: Handler<"docs.get"> = ({ name }, { services, mediaType }) => {
  const asset = services.documents.get(name)?.representations[mediaType];
  if (!asset) throw new Problem("document-not-found");
  return new HandlerResponse({ asset });
};
