import type { Own } from "../../oracle/own.ts";

/** D30: `docs.list` returns the existing documents. */
export const docsList: Own = {
  operation: "docs.list",
  names: (body) => {
    const { items } = Object(body);
    const names = Array.isArray(items) ? items.map((item: unknown) => String(Object(item).operation)) : [];
    return { "docs.get": names };
  },
};
