import type { Services } from "../operations/handler.ts";
import { publication } from "../publication.ts";
import { loadDocuments } from "../server/documents/documents.ts";
import type { RequestFacts } from "../server/request/request.ts";
import type { Storage } from "../server/storage/storage.ts";
import { migrated } from "./databases.ts";

// They never change, and are compressed when they are read.
const documents = loadDocuments(publication);

/** What a handler works with, on a new database, at noon: no HTTP. */
export async function handlerContext(
  facts: Partial<RequestFacts<Record<string, never>>> = {},
): Promise<Services & RequestFacts<Record<string, never>> & { readonly storage: Storage }> {
  const storage = await migrated();
  return {
    ...storage.stores,
    storage,
    tryWrite: storage.tryWrite,
    documents,
    idempotencyTtlMs: 86_400_000,
    clock: { now: () => new Date("2026-01-31T12:00:00.000Z") },
    caller: null,
    headers: {},
    clientAddress: "192.0.2.7",
    method: "GET",
    idempotencyKey: "",
    mediaType: "application/json",
    deadline: Number.POSITIVE_INFINITY,
    ...facts,
  };
}
