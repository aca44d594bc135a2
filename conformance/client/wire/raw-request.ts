/** One request as bytes; every member is written unchanged, right or wrong. */
export interface RawRequest {
  readonly method?: string;
  /** The text between method and version; `api.path("/api/?@=sysinfo")` for a path of the target. */
  readonly target: string;
  readonly version?: string;
  /** After `Host` and `Connection: close`, each omitted if named here or null. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
  /** null sends no Host. */
  readonly host?: string | null;
  /** Default `close`; null sends no Connection. */
  readonly connection?: string | null;
  readonly body?: string | Buffer;
}

/** Strings are latin1, so that `"\xff"` is the byte 255; a body string is UTF-8. */
export function writeRequest(request: RawRequest, defaultHost: string): Buffer {
  const { method = "GET", target, version = "1.1", headers = [], host = defaultHost, connection = "close" } = request;
  const body = Buffer.from(request.body ?? "");
  const named = new Set(headers.map(([name]) => name.toLowerCase()));
  const fields = [...headers];
  if (host !== null && !named.has("host")) fields.unshift(["Host", host]);
  if (connection !== null && !named.has("connection")) fields.push(["Connection", connection]);
  if (request.body !== undefined && !named.has("content-length") && !named.has("transfer-encoding")) {
    fields.push(["Content-Length", String(body.length)]);
  }
  const head = [`${method} ${target} HTTP/${version}`, ...fields.map(([name, value]) => `${name}: ${value}`)];
  return Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`, "latin1"), body]);
}

/** The facts of a request that can be read from its bytes, for the record. */
export function readRequest(bytes: Buffer): {
  method: string;
  target: string;
  headers: [string, string][];
  body: Buffer;
} {
  const headEnd = bytes.indexOf("\r\n\r\n");
  const head = bytes.toString("latin1", 0, headEnd < 0 ? bytes.length : headEnd);
  const [first = "", ...lines] = head.split("\r\n");
  const [method = "", target = ""] = first.split(" ");
  const headers = lines.flatMap((line): [string, string][] => {
    const colon = line.indexOf(":");
    return colon < 0 ? [] : [[line.slice(0, colon), line.slice(colon + 1).trim()]];
  });
  return { method, target, headers, body: headEnd < 0 ? Buffer.alloc(0) : bytes.subarray(headEnd + 4) };
}
