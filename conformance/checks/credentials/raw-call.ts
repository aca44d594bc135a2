import { type OperationId, operations } from "../../../generated/operations.ts";
import type { Api } from "../../client/api.ts";
import { queryOf } from "../../client/operation.ts";
import type { Reply } from "../../client/reply.ts";
import { answered } from "../probe.ts";
import { invalidBody } from "./probe.ts";

/** The query that calls an operation, with parameters behind it that are spelled as they are. */
export function queryWith(api: Api, id: OperationId, ...parameters: readonly string[]): string {
  const own = operations[id].method === "POST" ? [] : [queryOf(operations[id], api.example(id))];
  return [...own, ...parameters].join("&");
}

/** An HTTP client may change the case of a name: these headers are written byte for byte. */
export async function callRaw(
  api: Api,
  id: OperationId,
  headers: readonly (readonly [name: string, value: string])[],
): Promise<Reply> {
  return answered(await api.raw(rawCall(api, id, headers, "close")), id);
}

/** The bytes of a call that is let in when its credentials are good. `connection` null: it stays open. */
export function rawCall(
  api: Api,
  id: OperationId,
  headers: readonly (readonly [name: string, value: string])[],
  connection: "close" | null,
): Buffer {
  const { method } = operations[id];
  const search = queryWith(api, id);
  const target = api.path(search === "" ? "/api/" : `/api/?${search}`);
  if (method !== "POST") return api.rawRequest({ method, target, headers, connection });
  const typed = [...headers, ["Content-Type", "application/json"] as const];
  return api.rawRequest({ method, target, headers: typed, connection, body: JSON.stringify(invalidBody(id)) });
}
