import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { codingWeights } from "./negotiation.ts";
import type { Reply } from "./reply.ts";

/** A content coding we have. */
export type Coding = "br" | "gzip" | "identity";

/** Identity needs no mention to be acceptable, but anything mentioned goes before it. */
const LEAST_WEIGHT = 0.0001;

/** One representation as it is sent: the bytes in one coding and the strong entity tag of exactly these bytes. */
export interface Variant {
  readonly coding: Coding;
  readonly bytes: Buffer;
  /** With its quotes, as it stands in the header. */
  readonly etag: string;
}

/** Content that does not change while the process runs: documents, the contract, static files. */
export interface Asset<T = string> {
  readonly mediaType: string;
  /** Sent with it, whatever the coding. */
  readonly headers: Readonly<Record<string, string>>;
  readonly value: T;
  /** Identity is always there, and first; the others in the order we prefer them. */
  readonly variants: readonly [Variant, ...Variant[]];
}

/** Compresses content once, at start. A coding that saves nothing is left out. The media type is part of the tag. */
export function createAsset<T extends string | Buffer>({
  mediaType,
  content,
  headers = {},
}: {
  mediaType: string;
  content: T;
  headers?: Readonly<Record<string, string>>;
}): Asset<T> {
  const bytes = Buffer.from(content);
  const digest = createHash("sha256").update(`${mediaType}\n`).update(bytes).digest("base64url").slice(0, 22);
  const compressed: Variant[] = [
    { coding: "br", bytes: brotliCompressSync(bytes), etag: `"${digest}-br"` },
    { coding: "gzip", bytes: gzipSync(bytes, { level: 9 }), etag: `"${digest}-gzip"` },
  ];
  const identity: Variant = { coding: "identity", bytes, etag: `"${digest}"` };
  const smaller = compressed.filter((variant) => variant.bytes.length < bytes.length);
  return { mediaType, headers, value: content, variants: [identity, ...smaller] };
}

/**
 * The variant that `Accept-Encoding` prefers (RFC 9110 12.5.3), Brotli before gzip when it weighs them equally.
 * Identity when nothing else fits, even where it is refused: bytes that the client can read beat an error.
 */
export function chooseVariant<T>({ variants }: Asset<T>, acceptEncoding: string | undefined): Variant {
  const weights = codingWeights(acceptEncoding ?? "");
  const [identity, ...compressed] = variants;
  let best = identity;
  let bestWeight = 0;
  for (const variant of [...compressed, identity]) {
    const weight = weights.get(variant.coding) ?? weights.get("*") ?? (variant === identity ? LEAST_WEIGHT : 0);
    if (weight > bestWeight) [best, bestWeight] = [variant, weight];
  }
  return best;
}

/** Whether `If-None-Match` names the entity tag, by weak comparison (RFC 9110 13.1.2), so that 304 is the answer. */
export function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === "*") return true;
  return [...ifNoneMatch.matchAll(/"[^"]*"/g)].some(([tag]) => tag === etag);
}

/**
 * D31: the coding that the caller prefers, under its own entity tag; 304 when the caller has it already. Public for
 * `maxAgeS` seconds. `vary` names what else of the request has chosen it.
 */
export function assetReply(
  asset: Asset,
  asked: Pick<IncomingHttpHeaders, "accept-encoding" | "if-none-match">,
  { maxAgeS, vary = [], ...more }: Partial<Reply> & { readonly maxAgeS: number; readonly vary?: readonly string[] },
): Reply {
  const { coding, bytes, etag } = chooseVariant(asset, asked["accept-encoding"]);
  const headers = {
    ...more.headers,
    "Cache-Control": `public, max-age=${maxAgeS}`,
    Vary: [...vary, "Accept-Encoding"].join(", "),
    ETag: etag,
  };
  if (matches(asked["if-none-match"] || undefined, etag)) return { status: 304, headers };
  const encoded = coding === "identity" ? {} : { "Content-Encoding": coding };
  return {
    status: more.status ?? 200,
    headers: { ...headers, "Content-Type": asset.mediaType, ...encoded, ...asset.headers },
    body: bytes,
  };
}
