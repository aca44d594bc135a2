import type { Services } from "../operations/handler.ts";
import { loadDocuments } from "../server/documents/documents.ts";
import type { RequestContext } from "../server/handler.ts";
import type { Storage } from "../server/storage/storage.ts";
import { definition } from "../service.ts";
import { migrated } from "./databases.ts";

// They never change, and are compressed when they are read.
const documents = loadDocuments(definition);

type Context = RequestContext<Services, Record<string, never>>;

/** What a handler works with, on a new database, at noon, without an idempotency key: no HTTP. */
export async function handlerContext(
  changes: Partial<Context> = {},
): Promise<Context & { readonly storage: Storage }> {
  const storage = await migrated();
  const { database, tryWrite } = storage;
  return {
    storage,
    services: definition.services(database, { tryWrite, documents }),
    now: () => new Date("2026-01-31T12:00:00.000Z"),
    createOnce: (creation) => creation.insert(),
    caller: null,
    headers: {},
    clientAddress: "192.0.2.7",
    method: "GET",
    mediaType: "application/json",
    deadline: Number.POSITIVE_INFINITY,
    signal: new AbortController().signal,
    ...changes,
  };
}
