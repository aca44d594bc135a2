import type { Agent } from "node:http";
import type { Request } from "../oracle/world.ts";
import type { Api, LiteralRequest } from "./api.ts";
import { Expectation } from "./expectation.ts";
import type { Reply } from "./reply.ts";
import type { RawReply } from "./transport.ts";

/** A hand-written request of a list. */
export const wireOfLiteral = (api: Api, { method, target, headers = [], body = "" }: LiteralRequest): Request => ({
  ...{ method, target, fields: [["Host", api.host], ...headers] },
  body: Buffer.from(body).toString("latin1"),
});

/** Targets that the HTTP client sends unchanged: any other is written on a socket. */
const PLAIN_TARGET = /^\/(?!.*\?$)[!$%&()*+,\-./0-9:;=?@A-Z_a-z~[\]]*$/;
const PLAIN_FIELD = /^[\x20-\x7e]*$/;

/** Where the path begins in an absolute-form target. */
const AUTHORITY = /^(?:https?:\/\/[^/?#]*(?=\/))?/i;

/** A target below the path prefix of the deployment, as a path or as an address; any other unchanged. */
const placed = (api: Api, target: string): string => {
  const [server = ""] = AUTHORITY.exec(target) ?? [];
  const path = target.slice(server.length);
  return path.startsWith("/") ? server + api.path(path) : target;
};

/** Byte for byte; `connection` null: it stays open. */
export function bytesOf(
  api: Api,
  { method, target, fields, body, version }: Request,
  connection: "close" | null,
): Buffer {
  const further = { ...(version && { version }), ...(body !== "" && { body: Buffer.from(body, "latin1") }) };
  return api.rawRequest({ method, target: placed(api, target), headers: fields, host: null, connection, ...further });
}

/** Nothing may follow a response with `Connection: close`, if the connection is read to its end. */
function expectEnd({ replies: [reply, ...more], leftover }: RawReply): void {
  if (leftover.length === 0 && more.length === 0) return;
  const aspect = reply?.status === 304 || reply?.exchange.request.method === "HEAD" ? "body" : "connection";
  throw new Expectation(aspect, "nothing behind the response", `${leftover.length} bytes`, null, reply?.exchange);
}

/** A field that the HTTP client writes by itself. */
const isImplied = ([name, value]: Request["fields"][number], body: string, closes: boolean): boolean =>
  (name === "Connection" && value === "close" && closes) ||
  (name === "Content-Length" && value === `${body.length}` && body !== "");

/**
 * Sends a request unchanged: through the HTTP client if possible, otherwise byte for byte. `whole`: reads a long response
 * completely, and to the end of a connection that the request closes.
 */
export async function send(api: Api, request: Request, whole = false, agent?: Agent): Promise<Reply | null> {
  const { method, target, body, version } = request;
  // For a POST without a body the client would add a length.
  const closes = !whole && !agent && (body !== "" || /^(GET|HEAD|OPTIONS)$/.test(method));
  const headers = request.fields.filter((field) => !isImplied(field, body, closes));
  const named = headers.map(([name]) => name.toLowerCase());
  const plain =
    version !== "1.0" &&
    /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/.test(method) &&
    !(method === "HEAD" && body !== "") &&
    PLAIN_TARGET.test(target) &&
    headers.every(([name, value]) => name.toLowerCase() !== "host" || value === api.host) &&
    headers.every(([, value]) => PLAIN_FIELD.test(value) && value === value.trim()) &&
    named.filter((name) => name === "host").length === 1 &&
    new Set(named).size === named.length &&
    !/(?:^|,)(?:expect|transfer-encoding|content-length|connection|te|upgrade)(?:,|$)/.test(named.join());
  if (plain) {
    const own = headers.filter(([name]) => name.toLowerCase() !== "host");
    const bytes = { ...(body !== "" && { body: Buffer.from(body, "latin1") }) };
    return api.request({ method, target, headers: own, large: whole, agent, ...bytes });
  }
  const ends = request.fields.some(([name, value]) => /^connection$/i.test(name) && value === "close");
  const raw = await api.raw(bytesOf(api, request, "close"), {
    heads: [method === "HEAD"],
    ...(whole && ends && { answers: Number.POSITIVE_INFINITY }),
  });
  if (whole && ends) expectEnd(raw);
  return raw.replies[0] ?? null;
}
