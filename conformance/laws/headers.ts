import { CANARY, type Difference, type Memory } from "../exchange.ts";
import { mediaTypesOf } from "../oracle/contract.ts";
import { differs, excerpt } from "./difference.ts";
import { law, type ViewLaw } from "./law.ts";
import type { View } from "./view.ts";

/** Laws for the header fields of every response (D12, D15). */

const every = (view: View) => !view.isConnect;

/** Some proxies send the value several times. */
const value = (name: string, wanted: string) => (view: View) =>
  [...view.listed(name)].join() === wanted
    ? null
    : view.headerDifference(name, `${name}: ${wanted}`);

function missingIn(view: View, name: string, wanted: readonly string[]): readonly string[] {
  const said = view.listed(name);
  return wanted.filter((one) => !said.has(one.toLowerCase()));
}

/** The header field lists these values, among others. */
export const lists = (name: string, wanted: string) => (view: View) =>
  missingIn(view, name, wanted.split(", ")).length === 0
    ? null
    : view.headerDifference(name, `${name}: ${wanted}`);

const without = (names: string) => (view: View) => {
  const name = names.split(" ").find((one) => view.header(one) !== undefined);
  return name === undefined ? null : view.headerDifference(name, `no ${name}`);
};

/** Documents and files, not the landing page. Of bytes that are no request, it is not known which it responds to. */
function isCacheable({ status, isPredicted, operation, request, exchange }: View): boolean {
  if (status !== 200 && status !== 304) return false;
  // A success where a rejection is right is of something that nobody knows.
  if (!isPredicted || (exchange.prediction?.code ?? null) !== null) return true;
  if (operation) return mediaTypesOf(operation).length > 1;
  return !/\/(?:api)?$/.test(request.target.replace(/\?.*$/s, ""));
}

const ALLOW_ORIGIN = "Access-Control-Allow-Origin";
const varies = (view: View) => view.listed("vary").has("origin");
/** Whether the origin is not in the configured list: browsers then block the page's requests and responses. */
const isShutOut = (view: View) => view.header(ALLOW_ORIGIN) === undefined && varies(view);

/** `*`; or, with a configured list, the caller's origin if it is in the list, and no header otherwise. */
function anyOrigin(view: View, memory: Memory): Difference | null {
  const [origin] = view.isPredicted ? view.sent("Origin") : [];
  const allowed = view.header(ALLOW_ORIGIN);
  const isOwn = allowed !== undefined && (!view.isPredicted || allowed === origin);
  if (allowed !== "*" && !isShutOut(view) && !isOwn)
    return view.headerDifference(ALLOW_ORIGIN, `${ALLOW_ORIGIN}: * or the caller's`);
  if (allowed !== "*" && !varies(view))
    return view.headerDifference("Vary", "Vary: Origin beside the caller's own origin");
  if (origin === undefined) return null;
  if (allowed === origin && CANARY.test(origin))
    return view.headerDifference(ALLOW_ORIGIN, "* or none for an origin of nobody's list");
  // Whether a page may read a response must not depend on whether it is an error.
  const said = allowed ?? "none";
  const before = memory.get(`what ${origin} may read`) ?? said;
  memory.set(`what ${origin} may read`, before);
  return said === before
    ? null
    : view.headerDifference(ALLOW_ORIGIN, `${before} to ${origin}, as in another response`);
}

const names = (name: string, wanted: string) => (view: View) => {
  const missing = missingIn(view, name, wanted.split(" "));
  return missing.length === 0
    ? null
    : view.headerDifference(name, `${name} with ${missing.join(", ")}`);
};

/** All header fields are allowed, also those that a preflight does not name. */
const allowsAll = names(
  "Access-Control-Allow-Headers",
  "X-API-KEY X-PLATFORM Content-Type Idempotency-Key X-Request-Id If-None-Match traceparent tracestate",
);
const exposesAll = names(
  "Access-Control-Expose-Headers",
  "X-Request-Id X-Operation ETag Link RateLimit RateLimit-Policy Retry-After Idempotent-Replayed Deprecation Sunset",
);

const isPreflight = (view: View) =>
  view.request.method === "OPTIONS" &&
  view.sent("Access-Control-Request-Method").length > 0 &&
  Boolean(view.sent("Origin")[0]) &&
  view.status < 300 &&
  !isShutOut(view);

function preflight(view: View): Difference | null {
  const found = allowsAll(view);
  if (found) return found;
  if (view.header("access-control-max-age") !== "600")
    return view.headerDifference("Access-Control-Max-Age", "Access-Control-Max-Age: 600");
  // Without the header, a browser allows GET, HEAD and POST.
  const methods = view.listed("access-control-allow-methods");
  const [method = ""] = view.sent("Access-Control-Request-Method");
  const isServed = view.listed("allow").has(method.toLowerCase());
  if (methods.size === 0 || !isServed || methods.has("*") || methods.has(method.toLowerCase()))
    return null;
  return view.headerDifference(
    "Access-Control-Allow-Methods",
    `Access-Control-Allow-Methods with ${method}`,
  );
}

/** D6: a 415 names what is accepted instead. */
const rejectsBy = (id: string) => (view: View) =>
  view.status === 415 && view.exchange.prediction?.by === id;

type Limits = ReadonlyMap<string, Readonly<Record<string, number>>>;

/** An Item of a List of RFC 9651: a String and its parameters. The parameters of a limit are Integers. */
const ITEM =
  /^"([\x20\x21\x23-\x5b\x5d-\x7e]*)"((?:; *[a-z*][\w.*-]*(?:=(?:-?\d+|"[^"]*"|:[\w+/=]*:|[a-z*][^;, ]*))?)*)$/i;

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
function rateLimits(view: View): Difference | null {
  const [left, policies] = [LEFT, POLICY].map((name) => limitsIn(view.header(name) ?? ""));
  if (!left) return view.headerDifference(LEFT, "a list of limits beside RateLimit-Policy");
  if (!policies) return view.headerDifference(POLICY, "a list of policies beside RateLimit");
  const [unclear] = [...policies].find(([, { q }]) => !isCount(q)) ?? [];
  if (unclear !== undefined) return view.headerDifference(POLICY, `the quota (q) of "${unclear}"`);
  const isRight = (name: string, { r, t = 0 }: Readonly<Record<string, number>>) =>
    isCount(r) && isCount(t) && r <= (policies.get(name)?.q ?? -1);
  const [wrong] = [...left].find(([name, limit]) => !isRight(name, limit)) ?? [];
  return wrong === undefined
    ? null
    : view.headerDifference(LEFT, `what is left (r) of the policy "${wrong}"`);
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
const idOf = (view: View) => view.header("x-request-id") ?? "";
/** A response with an `ETag` may come from a shared cache: it has an id of the service, which other responses may have too. */
const isStored = (view: View) => view.header("etag") !== undefined;

/** Whether a response has the caller's id: it holds nothing of the form of a key. */
function isGood({ contract }: View, sent: readonly string[]): boolean {
  const [own = ""] = sent;
  const isKey = new RegExp(`${contract.keys.prefix}[0-9a-f]|[0-9a-f]{40}`, "i").test(own);
  return sent.length === 1 && FORM.test(own) && !isKey;
}

function formed(view: View, memory: Memory): Difference | null {
  const said = idOf(view);
  if (!FORM.test(said)) return id("one X-Request-Id in [A-Za-z0-9._-]{1,64}", said || "none");
  const { prediction } = view.exchange;
  if (!prediction || isStored(view)) return null;
  const sent = view.sent("X-Request-Id");
  const [own = ""] = sent;
  if (isGood(view, sent)) {
    const codes = [view.member("code"), prediction.code, ...(prediction.or ?? [])];
    const isRight = said === own || codes.some((code) => UNREAD.has(code));
    return isRight ? null : id(`the caller's X-Request-Id ${own}`, said);
  }
  const given = [view.request.target, ...view.request.fields.map(([, value]) => value)];
  const repeated = sent.find(
    (one) => one.length > 3 && view.head.some(([, line]) => line.includes(one)),
  );
  if (repeated !== undefined || given.some((text) => text.includes(said)))
    return id("a new X-Request-Id, and nothing of the caller's", excerpt(repeated ?? said));
  if (memory.has(`the id ${said}`))
    return id("a new X-Request-Id for each response", `the same again: ${said}`);
  memory.set(`the id ${said}`, "");
  return null;
}

const stored = (view: View) =>
  view.sent("X-Request-Id").includes(idOf(view))
    ? id("an id of the service's own beside an ETag", idOf(view))
    : null;

export const headerLaws: readonly ViewLaw[] = [
  law("http/nosniff", every, value("X-Content-Type-Options", "nosniff")),
  law("http/referrer-policy", every, value("Referrer-Policy", "no-referrer")),
  law(
    "http/no-store",
    (view) => every(view) && !isCacheable(view),
    lists("Cache-Control", "no-store"),
  ),
  law("http/no-banner", every, without("Server X-Powered-By Set-Cookie")),
  law("cors/any-origin", every, anyOrigin),
  law("cors/no-credentials", every, without("Access-Control-Allow-Credentials")),
  law("cors/exposed", (view) => every(view) && !isShutOut(view), exposesAll),
  law("cors/preflight", isPreflight, preflight),
  law("http/media-type", rejectsBy("http/media-type"), names("Accept", "application/json")),
  law("http/content-encoding", rejectsBy("http/content-encoding"), (view) =>
    view.values("accept-encoding").length > 0
      ? null
      : view.headerDifference("Accept-Encoding", "Accept-Encoding beside 415"),
  ),
  law(
    "limits/headers",
    (view) => [LEFT, POLICY].some((name) => view.header(name) !== undefined),
    rateLimits,
  ),
  law("http/request-id", (view) => !view.isConnect, formed),
  law("http/request-id-stored", (view) => view.isPredicted && isStored(view), stored),
];
