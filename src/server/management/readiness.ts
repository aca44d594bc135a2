import type { Log } from "../log/log.ts";
import type { Storage } from "../storage/storage.ts";
import type { Page } from "./server.ts";

/** The life of a service; after it there is nothing left that could be requested. */
export type Phase = "starting" | "ready" | "draining";

/** Whether requests should be sent here: it is neither starting nor stopping, and the storage would accept a write. */
export function readiness(phase: () => Phase, { tryWrite }: Pick<Storage, "tryWrite">, log: Log): () => Promise<Page> {
  let worked = true;
  const storageWorks = async () => {
    const cause: unknown = await tryWrite().then(
      () => null,
      (error: unknown) => error,
    );
    // Once for each change, not for each request.
    if (worked && cause) log.error("storage fails", {}, cause);
    else if (!worked && !cause) log.info("storage works");
    worked = !cause;
    return worked;
  };
  return async () => {
    const isReady = phase() === "ready" && (await storageWorks());
    const body = { status: isReady ? "ready" : phase() === "ready" ? "storage fails" : phase() };
    return { status: isReady ? 200 : 503, mediaType: "application/json", body: JSON.stringify(body) };
  };
}
