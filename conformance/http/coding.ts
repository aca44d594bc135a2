import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";
import { fieldsOf, type Request } from "../oracle/model-state.ts";
import { MOST_FILE } from "./limits.ts";

/** Content codings (RFC 9110, 8.4.1). */
const DECODERS: ReadonlyMap<string, typeof gunzipSync | typeof brotliDecompressSync> = new Map([
  ["gzip", gunzipSync],
  ["x-gzip", gunzipSync],
  ["deflate", inflateSync],
  ["br", brotliDecompressSync],
]);

/** What `node:zlib` returns with `info`, which its types do not have. */
interface Decoded {
  readonly buffer: Buffer;
  /** How many bytes it has read. */
  readonly engine: { readonly bytesWritten: number };
}

/** The coding of a response, in lower case; `identity` if it names none. */
export const codingOf = (fields: Request["fields"]): string =>
  fieldsOf(fields, "Content-Encoding").join(", ").toLowerCase() || "identity";

/**
 * A body without a coding; null if it is not in that coding as a whole, the coding is unknown, or
 * decoding yields more than is read of any response.
 */
export function decodedFrom(coding: string, body: Buffer): Buffer | null {
  if (coding === "identity") return body;
  try {
    const decoded: unknown = DECODERS.get(coding)?.(body, {
      maxOutputLength: MOST_FILE,
      info: true,
    });
    if (decoded === undefined) return null;
    const { buffer, engine } = decoded as Decoded;
    // Decoders ignore what is behind the end of their data.
    return engine.bytesWritten === body.length ? buffer : null;
  } catch {
    return null;
  }
}

/** The body of a response without the coding that its fields name. */
export const withoutCoding = (fields: Request["fields"], body: Buffer): Buffer | null =>
  decodedFrom(codingOf(fields), body);
