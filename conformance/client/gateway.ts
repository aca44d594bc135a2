import { Withheld } from "./expectation.ts";
import { MOST } from "./harm.ts";
import type { Secret } from "./redact/redact.ts";

type Field = readonly [name: string, value: string];

/** What a gateway in front of a deployment requires of every connection and request. */
export interface Gateway {
  readonly headers: readonly Field[];
  /** PEM, and its files; null if there is no client certificate. */
  readonly certificate: Certificate | null;
}

export interface Certificate {
  readonly cert: Buffer;
  readonly key: Buffer;
  readonly files: readonly [cert: string, key: string];
}

export const noGateway: Gateway = { headers: [], certificate: null };

/** How reports show the value of a field: `HEADER_X_GATE`. */
export const secretName = (name: string): string => `HEADER_${name.replace(/\W/g, "_").toUpperCase()}`;

/** The values that no report shows. */
export const secretsOfGateway = ({ headers }: Gateway): Secret[] =>
  headers.map(([name, value]) => ({ name: secretName(name), value }));

const bytesOf = (fields: readonly Field[]) =>
  fields.reduce((sum, [name, value]) => sum + name.length + value.length + ": \r\n".length, 0);

/** `Host` and `Connection`, which the HTTP client may still add. */
const ADDED = 2;

/**
 * The fields of a request, and those of the gateway. Throws `Withheld` if the gateway's fields would change the purpose of the
 * request: its fields are at a limit, or it has a field of that name.
 */
export function withGateway(fields: readonly Field[], { headers }: Gateway): readonly Field[] {
  if (headers.length === 0) return fields;
  const names = new Set(fields.map(([name]) => name.toLowerCase()));
  const twice = headers.find(([name]) => names.has(name.toLowerCase()));
  if (twice) throw new Withheld(`it sends its own ${twice[0]}, which --header sends`, null);
  const all = [...fields, ...headers];
  const crosses = (before: number, after: number, most: number) => before <= most && after > most;
  if (
    crosses(fields.length, all.length + ADDED, MOST.count) ||
    crosses(bytesOf(fields), bytesOf(all) + ADDED * 100, MOST.fields)
  )
    throw new Withheld("it sends as many fields as are allowed, and --header adds to them", null);
  return all;
}

/**
 * For raw bytes: the gateway's fields follow the request line. Bytes that have them already, or have no request line, stay
 * unchanged.
 */
export function withGatewayInBytes(pieces: readonly Buffer[], { headers }: Gateway): readonly Buffer[] {
  const lines = Buffer.from(headers.map(([name, value]) => `${name}: ${value}\r\n`).join(""), "latin1");
  const has = ([name, value]: Field) => Buffer.concat(pieces).includes(`${name}: ${value}`, 0, "latin1");
  const at = pieces.findIndex((piece) => piece.includes("\r\n"));
  if (at < 0 || headers.every(has)) return pieces;
  return pieces.map((piece, index) => {
    if (index !== at) return piece;
    const end = piece.indexOf("\r\n") + 2;
    return Buffer.concat([piece.subarray(0, end), lines, piece.subarray(end)]);
  });
}
