import type { OperationId } from "../../../generated/operations.ts";
import type { Api } from "../../client/api.ts";
import { buildCall, type CallOptions } from "../../client/call.ts";
import type { Reply } from "../../client/reply.ts";
import type { RawRequest } from "../../client/wire/raw-request.ts";
import { answered } from "../probe.ts";

/** Words for checks that write their own bytes. */

/** A path and query that every deployment serves without credentials. */
export const SYSINFO = "/api/?@=sysinfo";

/** The request that calls an operation, with its example as input, to be written on a socket. */
export function requestOf(api: Api, id: OperationId, options: CallOptions = {}): RawRequest & { method: string } {
  const wanted = { ...options, input: options.input ?? api.example(id) };
  const { method, path, headers, body } = buildCall(id, wanted, api.credentials, api.path(""));
  return { method, target: path, headers, ...(body ? { body } : {}) };
}

/** A POST that is refused for its input alone (422): it goes through every layer, and creates nothing. */
export function refusedPost(api: Api, options: CallOptions = {}): RawRequest & { method: string } {
  return requestOf(api, "user.create", { body: emptyCreate, ...options });
}

export const emptyCreate = '{"@":"user.create","data":{}}';

/** The same request with another body in chunks of `size` bytes. */
export function chunked(request: RawRequest, body: string, size: number): RawRequest {
  const chunks: string[] = [];
  for (let at = 0; at < body.length; at += size) {
    const chunk = body.slice(at, at + size);
    chunks.push(`${chunk.length.toString(16)}\r\n${chunk}\r\n`);
  }
  return {
    ...request,
    headers: [...(request.headers ?? []), ["Transfer-Encoding", "chunked"]],
    body: `${chunks.join("")}0\r\n\r\n`,
  };
}

/** Everything said ahead in one go on one connection; the last request ends it. */
export function pipeline(api: Api, requests: readonly RawRequest[]): Buffer {
  return Buffer.concat(
    requests.map((request, index) =>
      api.rawRequest(index < requests.length - 1 ? { connection: null, ...request } : request),
    ),
  );
}

/** Names in a list such as `Allow`, in lower case, several fields taken together. */
export function listed(value: string | undefined): Set<string> {
  const names = (value ?? "").split(",").map((name) => name.trim().toLowerCase());
  return new Set(names.filter((name) => name !== ""));
}

/** A request without credentials on a socket, since an HTTP client rewrites some of these. */
export async function ask(api: Api, method: string, target: string, body?: string): Promise<Reply> {
  const headers = body === undefined ? [] : ([["Content-Type", "application/json"]] as const);
  const request = { method, target: api.path(target), headers, ...(body === undefined ? {} : { body }) };
  return answered(await api.raw(api.rawRequest(request), { heads: [method === "HEAD"] }), `${method} ${target}`);
}
