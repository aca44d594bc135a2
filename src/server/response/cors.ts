import type { Config } from "../settings/config.ts";

/** Values by name. */
export type Headers = Readonly<Record<string, string>>;

/** Browsers that trace send the last two; the service reads only `traceparent`. */
const ALLOWED_HEADERS =
  "X-API-KEY, X-PLATFORM, Content-Type, Idempotency-Key, X-Request-Id, If-None-Match, traceparent, tracestate";
const EXPOSED_HEADERS =
  "X-Request-Id, X-Operation, ETag, Link, RateLimit, RateLimit-Policy, Retry-After, Idempotent-Replayed, Deprecation, Sunset";
const MAX_AGE_SECONDS = 600;

/** The headers of a response to OPTIONS: the methods of the path, for browsers too (D5, D15). */
export const optionsHeaders = (methods: readonly string[]): Headers => ({
  Allow: methods.join(", "),
  "Access-Control-Allow-Methods": methods.join(", "),
  "Access-Control-Allow-Headers": ALLOWED_HEADERS,
  "Access-Control-Max-Age": String(MAX_AGE_SECONDS),
});

/** The headers of every response that depend on the origin of the page (D15). Never credentials. */
export function corsHeaders(origin: string | undefined, allowed: Config["corsOrigins"]): Headers {
  const readableBy = (readers: string) => ({
    "Access-Control-Allow-Origin": readers,
    "Access-Control-Expose-Headers": EXPOSED_HEADERS,
  });
  if (allowed === "*") return readableBy("*");
  // Also without an origin, or a cache would send that response to a page that is allowed.
  const vary = { Vary: "Origin" };
  return origin !== undefined && allowed.includes(origin) ? { ...readableBy(origin), ...vary } : vary;
}
