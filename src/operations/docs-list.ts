import type { Handler } from "./handler.ts";

/** D31. */
export const docsList: Handler<"docs.list"> = (_, { documents }) => ({ items: [...documents.list()] });
