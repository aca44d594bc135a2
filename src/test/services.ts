import { onTestFinished } from "vitest";
import { readConfig } from "../config.ts";
import { loadDocuments, packageRoot } from "../docs/documents.ts";
import type { Services } from "../operations/handler.ts";
import type { RequestFacts } from "../protocol/request.ts";
import { openStorage, type Storage } from "../storage/storage.ts";
import { sqlite } from "./databases.ts";

/** What a handler works with, on a new database, at noon: no HTTP. */
export async function handlerContext(
  facts: Partial<RequestFacts> = {},
): Promise<Services & RequestFacts & { readonly storage: Storage }> {
  const database = await sqlite.fresh();
  const storage = openStorage(readConfig({ DATABASE_URL: database.url }));
  onTestFinished(async () => {
    await storage.close();
    await database.drop();
  });
  await storage.migrate();
  return {
    ...storage.stores,
    storage,
    ping: storage.ping,
    documents: loadDocuments(packageRoot()),
    clock: { now: () => new Date("2026-01-31T12:00:00.000Z") },
    caller: null,
    clientAddress: "192.0.2.7",
    method: "GET",
    mediaType: "application/json",
    ...facts,
  };
}
