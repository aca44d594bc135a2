import type { Contract } from "../oracle/contract.ts";
import type { Request } from "../oracle/model-state.ts";

/** What a gateway in front of a deployment wants of every connection and request. */
export interface Gateway {
  readonly fields: Request["fields"];
  /** PEM, and its files; null if there is no client certificate. */
  readonly certificate: Certificate | null;
}

interface Certificate {
  readonly cert: Buffer;
  readonly key: Buffer;
  readonly files: readonly [cert: string, key: string];
}

export const noGateway: Gateway = { fields: [], certificate: null };

/** A request that this run cannot, or may not, send, and why. */
export class SkippedByPolicy extends Error {
  override readonly name = "Withheld";
}

const bytesOf = (fields: Request["fields"]) =>
  fields.reduce((sum, [name, value]) => sum + name.length + value.length + ": \r\n".length, 0);
/** The HTTP client may still add `Content-Length`. */
const ADDED = { fields: 1, bytes: 50 };

/**
 * Why the fields of the gateway would change what a request is for: its head is at a limit, or it
 * has a field of that name.
 */
export function gatewayReason(
  { fields }: Request,
  gateway: Gateway,
  { headFields, headBytes }: Contract["limits"],
): string | null {
  if (gateway.fields.length === 0) return null;
  const names = new Set(fields.map(([name]) => name.toLowerCase()));
  const twice = gateway.fields.find(([name]) => names.has(name.toLowerCase()));
  if (twice) return `it sends its own ${twice[0]}, which --header sends`;
  const all = [...fields, ...gateway.fields];
  const crosses = (before: number, after: number, most: number) => before <= most && after > most;
  return crosses(fields.length, all.length + ADDED.fields, headFields) ||
    crosses(bytesOf(fields), bytesOf(all) + ADDED.bytes, headBytes)
    ? "it sends as many fields as are allowed, and --header adds to them"
    : null;
}

/**
 * A request with the fields of the gateway. Throws `SkippedByPolicy` if these would change what it
 * is for. They come first: a server may stop reading where there are more fields than it takes.
 */
export function withGateway(
  request: Request,
  gateway: Gateway,
  limits: Contract["limits"],
): Request {
  const reason = gatewayReason(request, gateway, limits);
  if (reason !== null) throw new SkippedByPolicy(reason);
  return gateway.fields.length === 0
    ? request
    : { ...request, fields: [...gateway.fields, ...request.fields] };
}
