/** Which origins may read answers: every one, or a configured list. */
export type AllowedOrigins = "*" | readonly string[];

const ALLOWED_HEADERS = "X-API-KEY, X-PLATFORM, Content-Type, X-Request-Id, If-None-Match";
const EXPOSED_HEADERS = "X-Request-Id, X-Operation, ETag, Link, Retry-After, Deprecation, Sunset";
const MAX_AGE_SECONDS = 600;

/** The CORS headers of every answer, D15. Never credentials. */
export function corsHeaders(origin: string | undefined, allowed: AllowedOrigins): Record<string, string> {
  if (allowed === "*") return readableBy("*");
  // Also without an origin, or a cache would give that answer to a page that is allowed.
  const vary = { Vary: "Origin" };
  return origin !== undefined && allowed.includes(origin) ? { ...readableBy(origin), ...vary } : vary;
}

/** What a preflight learns beside `corsHeaders`: the methods of the path, D15. */
export function preflightHeaders(methods: readonly string[]): Record<string, string> {
  return {
    "Access-Control-Allow-Methods": methods.join(", "),
    "Access-Control-Allow-Headers": ALLOWED_HEADERS,
    "Access-Control-Max-Age": String(MAX_AGE_SECONDS),
  };
}

function readableBy(origin: string): Record<string, string> {
  return { "Access-Control-Allow-Origin": origin, "Access-Control-Expose-Headers": EXPOSED_HEADERS };
}
