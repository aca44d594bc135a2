import {
  documentHandlers,
  type Handlers,
  newId,
  pageOf,
  type ServerServices,
} from "atpoint-server";
import type { Types } from "./generated/contract.ts";
import type { Notes } from "./notes.ts";

/** One for each operation of the spec: a missing one does not compile. */
export const handlers: Handlers<Types, ServerServices & { readonly notes: Notes }> = {
  "note.create": ({ text }, { services, now, once }) => {
    const note = { id: newId(), text, createdAt: now().toISOString() };
    return once({ record: note.id }, (tx) => services.notes.insert(note, tx));
  },

  "note.get": async ({ id }, { services, problem }) => {
    const note = await services.notes.find(id);
    if (!note) throw problem("note-not-found");
    return note;
  },

  "note.list": (input, { services, deadline }) =>
    pageOf("note.list", input, services.notes.page, deadline),

  ...documentHandlers,
};
