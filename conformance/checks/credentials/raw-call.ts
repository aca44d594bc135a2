import { type OperationId, operations } from "../../../generated/operations.ts";
import type { Api } from "../../client/api.ts";
import { nameOf } from "../../client/operation.ts";
import type { Reply } from "../../client/reply.ts";
import { credentialFields } from "../probe.ts";
import { queryWith } from "./calls.ts";

type Headers = readonly (readonly [name: string, value: string])[];

/**
 * Sends calls on one connection: with both credentials, with only the key, with only the platform, with none. Returns the
 * responses until the target closes the connection; the first call is valid.
 */
export async function onOneConnection(api: Api, id: OperationId): Promise<readonly Reply[]> {
  const [key, platform] = credentialFields(api);
  const turns = [[key, platform], [key], [platform], []];
  const bytes = turns.map((headers, at) => rawCall(api, id, headers, at === turns.length - 1 ? "close" : null));
  return (await api.raw(bytes, { answers: turns.length, inTurn: true })).replies;
}

/**
 * The bytes of a call that is accepted if its credentials are valid: a POST has no `data`, so that it creates nothing. With
 * `connection` null, the connection stays open.
 */
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
