import type { Context } from "koa";
import { CONTENT_SECURITY_POLICY } from "../pages/page.ts";
import { type Asset, chooseVariant, matches } from "./asset.ts";

/** D9. Koa would write the same; the charset is said in one place. */
export function sendJson(ctx: Context, body: unknown): void {
  sendText(ctx, "application/json", JSON.stringify(body));
}

export function sendText(ctx: Context, mediaType: string, text: string): void {
  ctx.set("Content-Type", `${mediaType}; charset=utf-8`);
  ctx.body = text;
}

/** A page that runs no script and loads nothing: see the policy. */
export function sendHtml(ctx: Context, html: string): void {
  ctx.set("Content-Security-Policy", CONTENT_SECURITY_POLICY);
  sendText(ctx, "text/html", html);
}

/**
 * D31: the coding that the caller prefers, under its own entity tag; 304 when the caller has it already. Public for
 * `maxAgeS` seconds. `negotiated` says that `Accept` chose the media type.
 */
export function sendAsset(ctx: Context, asset: Asset, maxAgeS: number, negotiated = true): void {
  const { coding, bytes, etag } = chooseVariant(asset, ctx.get("Accept-Encoding"));
  ctx.set("Cache-Control", `public, max-age=${maxAgeS}`);
  if (negotiated) ctx.vary("Accept");
  ctx.vary("Accept-Encoding");
  ctx.set("ETag", etag);
  if (matches(ctx.get("If-None-Match") || undefined, etag)) {
    ctx.status = 304;
    return;
  }
  ctx.set("Content-Type", asset.mediaType);
  if (coding !== "identity") ctx.set("Content-Encoding", coding);
  if (asset.mediaType.startsWith("text/html")) ctx.set("Content-Security-Policy", CONTENT_SECURITY_POLICY);
  ctx.body = bytes;
}
