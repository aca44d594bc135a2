import { createHash } from "node:crypto";
import { brotliCompressSync, gzipSync } from "node:zlib";

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
  readonly value: T;
  /** Identity is always there, and first; the others in the order we prefer them. */
  readonly variants: readonly [Variant, ...Variant[]];
}

/** Compresses content once, at start. A coding that saves nothing is left out. The media type is part of the tag. */
export function createAsset<T extends string | Buffer>({
  mediaType,
  content,
}: {
  mediaType: string;
  content: T;
}): Asset<T> {
  const bytes = Buffer.from(content);
  const digest = createHash("sha256").update(`${mediaType}\n`).update(bytes).digest("base64url").slice(0, 22);
  const compressed: Variant[] = [
    { coding: "br", bytes: brotliCompressSync(bytes), etag: `"${digest}-br"` },
    { coding: "gzip", bytes: gzipSync(bytes, { level: 9 }), etag: `"${digest}-gzip"` },
  ];
  const identity: Variant = { coding: "identity", bytes, etag: `"${digest}"` };
  const smaller = compressed.filter((variant) => variant.bytes.length < bytes.length);
  return { mediaType, value: content, variants: [identity, ...smaller] };
}

/**
 * The variant that `Accept-Encoding` prefers (RFC 9110 12.5.3), Brotli before gzip when it weighs them equally.
 * Identity when nothing else fits, even where it is refused: bytes that the client can read beat an error.
 */
export function chooseVariant<T>({ variants }: Asset<T>, acceptEncoding: string | undefined): Variant {
  const weights = weightsOf(acceptEncoding ?? "");
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

function weightsOf(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const element of header.toLowerCase().split(",")) {
    const [, coding, weight = "1"] =
      /^\s*([\w*-]+)\s*(?:;\s*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?$/.exec(element) ?? [];
    if (coding !== undefined) weights.set(coding, Number(weight));
  }
  return weights;
}
