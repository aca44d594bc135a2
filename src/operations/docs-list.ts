import type { Handler } from "../context.ts";

/** D31. */
export const docsList: Handler<"docs.list"> = (_, { documents }) => ({ items: [...documents.list()] });
