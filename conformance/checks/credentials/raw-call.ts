import { type OperationId, operations } from "../../../generated/operations.ts";
import type { Api } from "../../client/api.ts";
import { nameOf } from "../../client/operation.ts";
import type { Reply } from "../../client/reply.ts";
import { credentialFields } from "../probe.ts";
import { queryWith } from "./calls.ts";

type Headers = readonly (readonly [name: string, value: string])[];

/**
 * Behind a call with both credentials, on the same connection: with one of them, with the other, with none. The answer to the
 * first, which is let in, and those to the rest, as many as the target gives before it closes.
 */
export async function onOneConnection(api: Api, id: OperationId): Promise<readonly Reply[]> {
  const [key, platform] = credentialFields(api);
  const turns = [[key, platform], [key], [platform], []];
  const bytes = turns.map((headers, at) => rawCall(api, id, headers, at === turns.length - 1 ? "close" : null));
  return (await api.raw(bytes, { answers: turns.length, inTurn: true })).replies;
}

/** The bytes of a call that is let in when its credentials are good: a POST without `data`, so that nothing is created. `connection` null: it stays open. */
export function rawCall(api: Api, id: OperationId, headers: Headers, connection: "close" | null): Buffer {
  const operation = operations[id];
  const { method } = operation;
  const search = queryWith(api, operation);
  const target = api.path(search === "" ? "/api/" : `/api/?${search}`);
  if (method !== "POST") return api.rawRequest({ method, target, headers, connection });
  const typed = [...headers, ["Content-Type", "application/json"] as const];
  const body = JSON.stringify({ "@": nameOf(operation) });
  return api.rawRequest({ method, target, headers: typed, connection, body });
}
