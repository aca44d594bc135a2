import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { codingWeights } from "../request/negotiation.ts";
import type { Reply } from "./send.ts";

/** Identity is acceptable without being named, but a coding that is named is preferred. */
const LEAST_WEIGHT = 0.0001;

/** The best quality would take forty times as long, for a seventh of the bytes. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };

/**
 * One representation as it is sent: the bytes in one coding and the strong entity tag of exactly
 * these bytes.
 */
export interface Variant {
  readonly coding: "br" | "gzip" | "identity";
  readonly bytes: Buffer;
  /** With its quotes, as in the header. */
  readonly etag: string;
}

/** Content that does not change while the process runs: documents, the contract, static files. */
export interface Asset {
  readonly mediaType: string;
  /** Sent with it, whatever the coding. */
  readonly headers: Readonly<Record<string, string>>;
  readonly identity: () => Variant;
  /** In our order of preference; without those that save nothing. */
  readonly compressed: () => readonly Variant[];
}

/**
 * Everything is created once, when it is first requested: most assets are never sent, and the
 * compressors alone would keep 6 MiB. The media type is part of the tag.
 */
export function createAsset(
  mediaType: string,
  content: string | Buffer | (() => string | Buffer),
  headers: Asset["headers"] = {},
): Asset {
  const identity = once((): Variant => {
    const whole = typeof content === "function" ? content() : content;
    const bytes = typeof whole === "string" ? Buffer.from(whole) : whole;
    const digest = createHash("sha256")
      .update(`${mediaType}\n`)
      .update(bytes)
      .digest("base64url")
      .slice(0, 22);
    return { coding: "identity", bytes, etag: `"${digest}"` };
  });
  const compressed = once((): readonly Variant[] => {
    const { bytes, etag } = identity();
    const coded = (coding: "br" | "gzip", of: Buffer): Variant => ({
      coding,
      bytes: of,
      etag: `${etag.slice(0, -1)}-${coding}"`,
    });
    const variants = [
      coded("br", brotliCompressSync(bytes, BROTLI)),
      coded("gzip", gzipSync(bytes)),
    ];
    return variants.filter((variant) => variant.bytes.length < bytes.length);
  });
  return { mediaType, headers, identity, compressed };
}

function once<T>(make: () => T): () => T {
  let value: T | undefined;
  return () => (value ??= make());
}

/**
 * The variant that `Accept-Encoding` prefers (RFC 9110 12.5.3), Brotli before gzip when it weighs
 * them equally. Identity when nothing else is acceptable, even if it is excluded: bytes that the
 * client can read are better than an error.
 */
export function chooseVariant(asset: Asset, acceptEncoding: string | undefined): Variant {
  const identity = asset.identity();
  if (!acceptEncoding) return identity;
  const weights = codingWeights(acceptEncoding);
  let best = identity;
  let bestWeight = 0;
  for (const variant of [...asset.compressed(), identity]) {
    const weight =
      weights.get(variant.coding) ?? weights.get("*") ?? (variant === identity ? LEAST_WEIGHT : 0);
    if (weight > bestWeight) [best, bestWeight] = [variant, weight];
  }
  return best;
}

/**
 * Whether `If-None-Match` names the entity tag, by weak comparison (RFC 9110 13.1.2), so that the
 * response is 304.
 */
export function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === "*") return true;
  return [...ifNoneMatch.matchAll(/"[^"]*"/g)].some(([tag]) => tag === etag);
}

/**
 * D31: the coding that the caller prefers, with its own entity tag; 304 when the caller already has
 * it. A cache may store it for `maxAgeS` seconds; `accept` is whether the header `Accept` selected
 * the asset.
 */
export function assetReply(
  asset: Asset,
  request: Pick<IncomingHttpHeaders, "accept-encoding" | "if-none-match">,
  maxAgeS: number,
  accept = false,
): Reply {
  const { coding, bytes, etag } = chooseVariant(asset, request["accept-encoding"]);
  const headers = {
    "Cache-Control": `public, max-age=${maxAgeS}`,
    Vary: accept ? "Accept, Accept-Encoding" : "Accept-Encoding",
    ETag: etag,
  };
  if (matches(request["if-none-match"] || undefined, etag)) return { status: 304, headers };
  const encoded = coding === "identity" ? {} : { "Content-Encoding": coding };
  const ofAsset = Object.assign({ "Content-Type": asset.mediaType }, encoded, asset.headers);
  return { status: 200, headers: Object.assign(headers, ofAsset), body: bytes };
}
