import type { Exchange } from "../client/wire/exchange.ts";
import type { Request } from "../oracle/world.ts";

/** A request line, and a field line, by RFC 9112. */
const LINE = /^([!#$%&'*+.^_`|~\w-]+) (\S+) HTTP\/(1\.[01])$/;
const FIELD = /^([!#$%&'*+.^_`|~\w-]+):(.*)$/s;

/**
 * The one request that an exchange sent, as on the wire, its target below the deployment's path prefix. Null if it was not one
 * whole, readable request: the response to other bytes cannot be predicted.
 */
export function wireOf({ request }: Exchange, prefix: string): Request | null {
  if (request.raw) return readWire(request.raw.toString("latin1"), prefix);
  const hosted = request.headers.some(([name]) => name.toLowerCase() === "host");
  return {
    method: request.method,
    target: below(request.url.replace(/^https?:\/\/[^/?#]*/i, ""), prefix),
    fields: hosted
      ? request.headers
      : [["Host", /^https?:\/\/([^/?#]*)/i.exec(request.url)?.[1] ?? ""], ...request.headers],
    body: request.body.toString("latin1"),
  };
}

/** Also for a target in absolute form. */
function below(target: string, prefix: string): string {
  const [server = ""] = /^(?:https?:\/\/[^/?#]*)?/i.exec(target) ?? [];
  return target.startsWith(prefix, server.length) ? server + target.slice(server.length + prefix.length) : target;
}

function readWire(raw: string, prefix: string): Request | null {
  const end = raw.indexOf("\r\n\r\n");
  const [line = "", ...fields] = raw.slice(0, Math.max(end, 0)).split("\r\n");
  const [, method, target, version] = LINE.exec(line) ?? [];
  const headers = fields
    .map((field) => FIELD.exec(field))
    .map((match) => [match?.[1] ?? "", (match?.[2] ?? "").replace(/^[ \t]+|[ \t]+$/g, "")] as const);
  if (!method || !target || headers.some(([name]) => name === "")) return null;
  const values = (name: string) => headers.filter(([field]) => field.toLowerCase() === name).map(([, value]) => value);
  const body = raw.slice(end + 4);
  const length = values("content-length");
  // Chunked bodies are sent only by checks of framing.
  if (values("transfer-encoding").length > 0 || length.length > 1) return null;
  if (body.length !== Number(length[0] ?? 0)) return null;
  return { method, target: below(target, prefix), fields: headers, body, version: version === "1.0" ? "1.0" : "1.1" };
}
