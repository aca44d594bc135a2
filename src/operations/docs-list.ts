import type { Handler } from "./handler.ts";

/** D31. */
export const docsList: Handler<"docs.list"> = (_, { services }) => ({
  items: [...services.documents.values()].map(({ entry }) => entry),
});
