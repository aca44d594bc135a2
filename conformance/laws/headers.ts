import { CANARY, type Difference, type Memory } from "../exchange.ts";
import { mediaTypesOf } from "../oracle/contract.ts";
import { differs, excerpt } from "./difference.ts";
import { type Law, law } from "./law.ts";
import type { ParsedExchange } from "./parsed-exchange.ts";

/** Laws for the header fields of every response (D12, D15). */

const every = (parsed: ParsedExchange) => !parsed.isConnect;

/** Some proxies send the value several times. */
const value = (name: string, wanted: string) => (parsed: ParsedExchange) =>
  [...parsed.listed(name)].join() === wanted
    ? null
    : parsed.headerDifference(name, `${name}: ${wanted}`);

function missingIn(
  parsed: ParsedExchange,
  name: string,
  wanted: readonly string[],
): readonly string[] {
  const said = parsed.listed(name);
  return wanted.filter((one) => !said.has(one.toLowerCase()));
}

/** The header field lists these values, among others. */
export const lists = (name: string, wanted: string) => (parsed: ParsedExchange) =>
  missingIn(parsed, name, wanted.split(", ")).length === 0
    ? null
    : parsed.headerDifference(name, `${name}: ${wanted}`);

const without = (names: string) => (parsed: ParsedExchange) => {
  const name = names.split(" ").find((one) => parsed.header(one) !== undefined);
  return name === undefined ? null : parsed.headerDifference(name, `no ${name}`);
};

/**
 * Documents and files, not the landing page. Of bytes that are no request, it is not known which it
 * responds to.
 */
function isCacheable({
  status,
  isPredicted,
  operation,
  request,
  exchange,
}: ParsedExchange): boolean {
  if (status !== 200 && status !== 304) return false;
  // A success where a rejection is right is of something that nobody knows.
  if (!isPredicted || (exchange.prediction?.code ?? null) !== null) return true;
  if (operation) return mediaTypesOf(operation).length > 1;
  return !/\/(?:api)?$/.test(request.target.replace(/\?.*$/s, ""));
}

const ALLOW_ORIGIN = "Access-Control-Allow-Origin";
const varies = (parsed: ParsedExchange) => parsed.listed("vary").has("origin");
/**
 * Whether the origin is not in the configured list: browsers then block the page's requests and
 * responses.
 */
const isShutOut = (parsed: ParsedExchange) =>
  parsed.header(ALLOW_ORIGIN) === undefined && varies(parsed);

/**
 * `*`; or, with a configured list, the caller's origin if it is in the list, and no header
 * otherwise.
 */
function anyOrigin(parsed: ParsedExchange, memory: Memory): Difference | null {
  const [origin] = parsed.isPredicted ? parsed.sent("Origin") : [];
  const allowed = parsed.header(ALLOW_ORIGIN);
  const isOwn = allowed !== undefined && (!parsed.isPredicted || allowed === origin);
  if (allowed !== "*" && !isShutOut(parsed) && !isOwn)
    return parsed.headerDifference(ALLOW_ORIGIN, `${ALLOW_ORIGIN}: * or the caller's`);
  if (allowed !== "*" && !varies(parsed))
    return parsed.headerDifference("Vary", "Vary: Origin beside the caller's own origin");
  if (origin === undefined) return null;
  if (allowed === origin && CANARY.test(origin))
    return parsed.headerDifference(ALLOW_ORIGIN, "* or none for an origin of nobody's list");
  // Whether a page may read a response must not depend on whether it is an error.
  const said = allowed ?? "none";
  const before = memory.get(`what ${origin} may read`) ?? said;
  memory.set(`what ${origin} may read`, before);
  return said === before
    ? null
    : parsed.headerDifference(ALLOW_ORIGIN, `${before} to ${origin}, as in another response`);
}

const names = (name: string, wanted: string) => (parsed: ParsedExchange) => {
  const missing = missingIn(parsed, name, wanted.split(" "));
  return missing.length === 0
    ? null
    : parsed.headerDifference(name, `${name} with ${missing.join(", ")}`);
};

/** All header fields are allowed, also those that a preflight does not name. */
const allowsAll = names(
  "Access-Control-Allow-Headers",
  "X-API-KEY X-PLATFORM Content-Type Idempotency-Key X-Request-Id If-None-Match " +
    "traceparent tracestate",
);
const exposesAll = names(
  "Access-Control-Expose-Headers",
  "X-Request-Id X-Operation ETag Link RateLimit RateLimit-Policy Retry-After " +
    "Idempotent-Replayed Deprecation Sunset",
);

const isPreflight = (parsed: ParsedExchange) =>
  parsed.request.method === "OPTIONS" &&
  parsed.sent("Access-Control-Request-Method").length > 0 &&
  Boolean(parsed.sent("Origin")[0]) &&
  parsed.status < 300 &&
  !isShutOut(parsed);

function preflight(parsed: ParsedExchange): Difference | null {
  const difference = allowsAll(parsed);
  if (difference) return difference;
  if (parsed.header("access-control-max-age") !== "600")
    return parsed.headerDifference("Access-Control-Max-Age", "Access-Control-Max-Age: 600");
  // Without the header, a browser allows GET, HEAD and POST.
  const methods = parsed.listed("access-control-allow-methods");
  const [method = ""] = parsed.sent("Access-Control-Request-Method");
  const isServed = parsed.listed("allow").has(method.toLowerCase());
  if (methods.size === 0 || !isServed || methods.has("*") || methods.has(method.toLowerCase()))
    return null;
  return parsed.headerDifference(
    "Access-Control-Allow-Methods",
    `Access-Control-Allow-Methods with ${method}`,
  );
}

/** D6: a 415 names what is accepted instead. */
const rejectsBy = (id: string) => (parsed: ParsedExchange) =>
  parsed.status === 415 && parsed.exchange.prediction?.by === id;

type Limits = ReadonlyMap<string, Readonly<Record<string, number>>>;

/**
 * An Item of a List of RFC 9651: a String and its parameters. The parameters of a limit are
 * Integers.
 */
const BARE_ITEM = String.raw`(?:-?\d+|"[^"]*"|:[\w+/=]*:|[a-z*][^;, ]*)`;
const ITEM = new RegExp(
  String.raw`^"([\x20\x21\x23-\x5b\x5d-\x7e]*)"((?:; *[a-z*][\w.*-]*(?:=${BARE_ITEM})?)*)$`,
  "i",
);

/** The limits that a header lists, by name; null if it does not have that form. */
export function limitsIn(value: string): Limits | null {
  const items = value.split(",").map((item) => ITEM.exec(item.trim()));
  const limits = items.flatMap((item) => {
    const integers = [...(item?.[2] ?? "").matchAll(/; *([^=;]+)=(-?\d+)/g)];
    const parameters = Object.fromEntries(
      integers.map(([, name, integer]) => [name, Number(integer)]),
    );
    return item?.[1] === undefined ? [] : [[item[1], parameters] as const];
  });
  return limits.length === items.length ? new Map(limits) : null;
}

const isCount = (value: number | undefined): value is number => value !== undefined && value >= 0;
const [LEFT, POLICY] = ["RateLimit", "RateLimit-Policy"] as const;

/** D21: what is left of each limit, no more than its policy allows. */
function rateLimits(parsed: ParsedExchange): Difference | null {
  const [left, policies] = [LEFT, POLICY].map((name) => limitsIn(parsed.header(name) ?? ""));
  if (!left) return parsed.headerDifference(LEFT, "a list of limits beside RateLimit-Policy");
  if (!policies) return parsed.headerDifference(POLICY, "a list of policies beside RateLimit");
  const [unclear] = [...policies].find(([, { q }]) => !isCount(q)) ?? [];
  if (unclear !== undefined)
    return parsed.headerDifference(POLICY, `the quota (q) of "${unclear}"`);
  const isRight = (name: string, { r, t = 0 }: Readonly<Record<string, number>>) =>
    isCount(r) && isCount(t) && r <= (policies.get(name)?.q ?? -1);
  const [wrong] = [...left].find(([name, limit]) => !isRight(name, limit)) ?? [];
  return wrong === undefined
    ? null
    : parsed.headerDifference(LEFT, `what is left (r) of the policy "${wrong}"`);
}

/** The id of every response (D12): the caller's, or a new one. */

const FORM = /^[A-Za-z0-9._-]{1,64}$/;

/** Rejections before the header is read: an id of the service is right too. */
const UNREAD = new Set<string | null>([
  "malformed-request",
  "request-timeout",
  "uri-too-long",
  "headers-too-large",
]);

const id = (expected: string, actual: string) => differs("header:x-request-id", expected, actual);
const idOf = (parsed: ParsedExchange) => parsed.header("x-request-id") ?? "";
/**
 * A response with an `ETag` may come from a shared cache: it has an id of the service, which other
 * responses may have too.
 */
const isStored = (parsed: ParsedExchange) => parsed.header("etag") !== undefined;

/** Whether a response has the caller's id: it holds nothing of the form of a key. */
function isGood({ contract }: ParsedExchange, sent: readonly string[]): boolean {
  const [sentId = ""] = sent;
  const isKey = new RegExp(`${contract.keys.prefix}[0-9a-f]|[0-9a-f]{40}`, "i").test(sentId);
  return sent.length === 1 && FORM.test(sentId) && !isKey;
}

function formed(parsed: ParsedExchange, memory: Memory): Difference | null {
  const said = idOf(parsed);
  if (!FORM.test(said)) return id("one X-Request-Id in [A-Za-z0-9._-]{1,64}", said || "none");
  const { prediction } = parsed.exchange;
  if (!prediction || isStored(parsed)) return null;
  const sent = parsed.sent("X-Request-Id");
  const [sentId = ""] = sent;
  if (isGood(parsed, sent)) {
    const codes = [parsed.member("code"), prediction.code, ...(prediction.or ?? [])];
    const isRight = said === sentId || codes.some((code) => UNREAD.has(code));
    return isRight ? null : id(`the caller's X-Request-Id ${sentId}`, said);
  }
  const given = [parsed.request.target, ...parsed.request.fields.map(([, value]) => value)];
  const repeated = sent.find(
    (one) => one.length > 3 && parsed.head.some(([, line]) => line.includes(one)),
  );
  if (repeated !== undefined || given.some((text) => text.includes(said)))
    return id("a new X-Request-Id, and nothing of the caller's", excerpt(repeated ?? said));
  if (memory.has(`the id ${said}`))
    return id("a new X-Request-Id for each response", `the same again: ${said}`);
  memory.set(`the id ${said}`, "");
  return null;
}

const stored = (parsed: ParsedExchange) =>
  parsed.sent("X-Request-Id").includes(idOf(parsed))
    ? id("an id of the service's own beside an ETag", idOf(parsed))
    : null;

export const headerLaws: readonly Law[] = [
  law("http/nosniff", every, value("X-Content-Type-Options", "nosniff")),
  law("http/referrer-policy", every, value("Referrer-Policy", "no-referrer")),
  law(
    "http/no-store",
    (parsed) => every(parsed) && !isCacheable(parsed),
    lists("Cache-Control", "no-store"),
  ),
  law("http/no-banner", every, without("Server X-Powered-By Set-Cookie")),
  law("cors/any-origin", every, anyOrigin),
  law("cors/no-credentials", every, without("Access-Control-Allow-Credentials")),
  law("cors/exposed", (parsed) => every(parsed) && !isShutOut(parsed), exposesAll),
  law("cors/preflight", isPreflight, preflight),
  law("http/media-type", rejectsBy("http/media-type"), names("Accept", "application/json")),
  law("http/content-encoding", rejectsBy("http/content-encoding"), (parsed) =>
    parsed.values("accept-encoding").length > 0
      ? null
      : parsed.headerDifference("Accept-Encoding", "Accept-Encoding beside 415"),
  ),
  law(
    "limits/headers",
    (parsed) => [LEFT, POLICY].some((name) => parsed.header(name) !== undefined),
    rateLimits,
  ),
  law("http/request-id", (parsed) => !parsed.isConnect, formed),
  law("http/request-id-stored", (parsed) => parsed.isPredicted && isStored(parsed), stored),
];
