import { type Framing, fieldsOf, type Request } from "../oracle/model-state.ts";

/** The bytes of a request: for the HTTP client, the socket, a report and curl alike. */

/** Where the path begins in a target in absolute form. */
const AUTHORITY = /^(?:https?:\/\/[^/?#]*(?=\/))?/i;

/**
 * A target below the path prefix of the deployment, in origin or absolute form; any other
 * unchanged.
 */
export function withPrefix(target: string, prefix: string): string {
  const [server = ""] = AUTHORITY.exec(target) ?? [];
  const path = target.slice(server.length);
  return path.startsWith("/") ? server + prefix + path : target;
}

const FRAMING = /^(?:content-length|transfer-encoding)$/i;

/**
 * All fields as they are sent: with the length of a body, or its coding in chunks, unless the
 * request says its own.
 */
export function sentFields({ fields, body, framing }: Request): Request["fields"] {
  if (fields.some(([name]) => FRAMING.test(name)) || (body === "" && !framing)) return fields;
  return [
    ...fields,
    framing ? ["Transfer-Encoding", "chunked"] : ["Content-Length", `${body.length}`],
  ];
}

function inChunks(
  body: string,
  { chunks, extensions = "", digits, trailers = [] }: Framing,
): string {
  const lineOf = (length: number) => {
    const hex = length.toString(16);
    const size = digits === "in capitals" ? hex.toUpperCase() : hex.padStart(digits ? 8 : 1, "0");
    return `${size}${extensions}\r\n`;
  };
  const parts: string[] = [];
  for (let from = 0; from < body.length; ) {
    const chunk = body.slice(
      from,
      from + (chunks[(parts.length / 2) % chunks.length] ?? body.length),
    );
    parts.push(lineOf(chunk.length), `${chunk}\r\n`);
    from += chunk.length;
  }
  return [
    ...parts,
    lineOf(0),
    ...trailers.map(([name, value]) => `${name}: ${value}\r\n`),
    "\r\n",
  ].join("");
}

export function write(request: Request, prefix: string): Buffer {
  const { method, target, version = "1.1", body, framing } = request;
  const lines = [
    `${method} ${withPrefix(target, prefix)} HTTP/${version}`,
    ...sentFields(request).map(([name, value]) => `${name}: ${value}`),
  ];
  return Buffer.from(
    `${lines.join("\r\n")}\r\n\r\n${framing ? inChunks(body, framing) : body}`,
    "latin1",
  );
}

/** Bytes that are no request, or might be two, as far as they can be read. */
export function requestIn(bytes: Buffer): Request {
  const [head = "", ...body] = bytes.toString("latin1").split("\r\n\r\n");
  const [first = "", ...lines] = head.split("\r\n");
  const [method = "", target = ""] = first.split(" ");
  const fields = lines.flatMap((line) => {
    const colon = line.indexOf(":");
    return colon < 0 ? [] : [[line.slice(0, colon), line.slice(colon + 1).trim()] as const];
  });
  return { method, target, fields, body: body.join("\r\n\r\n") };
}

/**
 * Whether these fields end their connection: one of the tokens of `Connection` is `close` (RFC
 * 9112, 9.6).
 */
export const endsConnection = (fields: Request["fields"]): boolean =>
  fieldsOf(fields, "Connection").some((value) => /(?:^|,)[ \t]*close[ \t]*(?:,|$)/i.test(value));

/** Whether the request ends its connection. */
export const isClosing = ({ version, fields }: Request): boolean =>
  version === "1.0" || endsConnection(fields);

/** Methods that may be sent again if their connection is lost (RFC 9110, 9.2.2). */
export const isIdempotent = ({ method }: Request): boolean =>
  /^(?:GET|HEAD|OPTIONS|TRACE|PUT|DELETE)$/.test(method);
