import { CANARY } from "../canary.ts";
import type { Difference, Memory } from "../exchange.ts";
import { mediaTypesOf } from "../oracle/contract.ts";
import { differs, firstOf } from "./difference.ts";
import { law, type ViewLaw } from "./law.ts";
import type { View } from "./view.ts";

/** Laws for the header fields of every response (D12, D15). */

const header = (view: View, name: string, expected: string) =>
  differs(`header:${name.toLowerCase()}`, expected, view.header(name) ?? "none");

const every = (view: View) => !view.isConnect;

/** Some proxies send the value several times. */
const value = (name: string, wanted: string) => (view: View) => {
  const said = view.listed(name);
  return said.size === 1 && said.has(wanted) ? null : header(view, name, `${name}: ${wanted}`);
};

const without =
  (...names: readonly string[]) =>
  (view: View) => {
    const name = names.find((one) => view.header(one) !== undefined);
    return name === undefined ? null : differs(`header:${name.toLowerCase()}`, `no ${name}`, view.header(name) ?? "");
  };

/** Documents and files, not the landing page. Of bytes that are no request, it is not known which it responds to. */
function isCacheable({ status, isPredicted, operation, request, exchange }: View): boolean {
  if (status !== 200 && status !== 304) return false;
  // A success where a rejection is right is of something that nobody knows.
  if (!isPredicted || (exchange.prediction?.code ?? null) !== null) return true;
  if (operation) return mediaTypesOf(operation).length > 1;
  return !/\/(?:api)?$/.test(request.target.replace(/\?.*$/s, ""));
}

const notStored = (view: View) =>
  view.listed("cache-control").has("no-store") ? null : header(view, "Cache-Control", "Cache-Control: no-store");

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
    return header(view, ALLOW_ORIGIN, `${ALLOW_ORIGIN}: * or the caller's`);
  if (allowed !== "*" && !varies(view)) return header(view, "Vary", "Vary: Origin beside the caller's own origin");
  if (origin === undefined) return null;
  if (allowed === origin && CANARY.test(origin))
    return header(view, ALLOW_ORIGIN, "* or none for an origin of nobody's list");
  // Whether a page may read a response must not depend on whether it is an error.
  const said = allowed ?? "none";
  const before = memory.get(`what ${origin} may read`) ?? said;
  memory.set(`what ${origin} may read`, before);
  return said === before ? null : header(view, ALLOW_ORIGIN, `${before} to ${origin}, as in another response`);
}

function names(view: View, name: string, wanted: readonly string[]): Difference | null {
  const said = view.listed(name);
  const missing = wanted.filter((one) => !said.has(one.toLowerCase()));
  return missing.length === 0 ? null : header(view, name, `${name} with ${missing.join(", ")}`);
}

const ALLOWED =
  "X-API-KEY X-PLATFORM Content-Type Idempotency-Key X-Request-Id If-None-Match traceparent tracestate".split(" ");
const EXPOSED =
  "X-Request-Id X-Operation ETag Link RateLimit RateLimit-Policy Retry-After Idempotent-Replayed Deprecation Sunset".split(
    " ",
  );

const isPreflight = (view: View) =>
  view.request.method === "OPTIONS" &&
  view.sent("Access-Control-Request-Method").length > 0 &&
  Boolean(view.sent("Origin")[0]) &&
  view.status < 300 &&
  !isShutOut(view);

/** All header fields are allowed, also those that a preflight does not name. */
function preflight(view: View): Difference | null {
  const found = names(view, "Access-Control-Allow-Headers", ALLOWED);
  if (found) return found;
  if (view.header("access-control-max-age") !== "600")
    return header(view, "Access-Control-Max-Age", "Access-Control-Max-Age: 600");
  // Without the header, a browser allows GET, HEAD and POST.
  const methods = view.listed("access-control-allow-methods");
  const [method = ""] = view.sent("Access-Control-Request-Method");
  const isServed = view.listed("allow").has(method.toLowerCase());
  if (methods.size === 0 || !isServed || methods.has("*") || methods.has(method.toLowerCase())) return null;
  return header(view, "Access-Control-Allow-Methods", `Access-Control-Allow-Methods with ${method}`);
}

/** D6: a 415 names what is accepted instead. */
const rejectsBy = (id: string) => (view: View) => view.status === 415 && view.exchange.prediction?.by === id;

type Limits = ReadonlyMap<string, Readonly<Record<string, number>>>;

/** An Item of a List of RFC 9651: a String and its parameters. The parameters of a limit are Integers. */
const ITEM =
  /^"([\x20\x21\x23-\x5b\x5d-\x7e]*)"((?:; *[a-z*][\w.*-]*(?:=(?:-?\d+|"[^"]*"|:[\w+/=]*:|[a-z*][^;, ]*))?)*)$/i;

/** The limits that a header lists, by name; null if it does not have that form. */
export function limitsIn(value: string): Limits | null {
  const items = value.split(",").map((item) => ITEM.exec(item.trim()));
  const limits = items.flatMap((item) => {
    const integers = [...(item?.[2] ?? "").matchAll(/; *([^=;]+)=(-?\d+)/g)];
    const parameters = Object.fromEntries(integers.map(([, name, integer]) => [name, Number(integer)]));
    return item?.[1] === undefined ? [] : [[item[1], parameters] as const];
  });
  return limits.length === items.length ? new Map(limits) : null;
}

const isCount = (value: number | undefined): value is number => value !== undefined && value >= 0;
const [LEFT, POLICY] = ["RateLimit", "RateLimit-Policy"] as const;

/** D21: what is left of each limit, no more than its policy allows. */
function rateLimits(view: View): Difference | null {
  const [left, policies] = [LEFT, POLICY].map((name) => limitsIn(view.header(name) ?? ""));
  if (!left) return header(view, LEFT, "a list of limits beside RateLimit-Policy");
  if (!policies) return header(view, POLICY, "a list of policies beside RateLimit");
  const unclear = firstOf(policies, ([name, { q }]) =>
    isCount(q) ? null : header(view, POLICY, `the quota (q) of "${name}"`),
  );
  return (
    unclear ??
    firstOf(left, ([name, { r, t = 0 }]) => {
      const q = policies.get(name)?.q;
      const isRight = isCount(r) && isCount(t) && q !== undefined && r <= q;
      return isRight ? null : header(view, LEFT, `what is left (r) of the policy "${name}"`);
    })
  );
}

export const headerLaws: readonly ViewLaw[] = [
  law("http/nosniff", every, value("X-Content-Type-Options", "nosniff")),
  law("http/referrer-policy", every, value("Referrer-Policy", "no-referrer")),
  law("http/no-store", (view) => every(view) && !isCacheable(view), notStored),
  law("http/no-banner", every, without("Server", "X-Powered-By", "Set-Cookie")),
  law("cors/any-origin", every, anyOrigin),
  law("cors/no-credentials", every, without("Access-Control-Allow-Credentials")),
  law(
    "cors/exposed",
    (view) => every(view) && !isShutOut(view),
    (view) => names(view, "Access-Control-Expose-Headers", EXPOSED),
  ),
  law("cors/preflight", isPreflight, preflight),
  law("http/media-type", rejectsBy("http/media-type"), (view) => names(view, "Accept", ["application/json"])),
  law("http/content-encoding", rejectsBy("http/content-encoding"), (view) =>
    view.header("accept-encoding") === undefined ? header(view, "Accept-Encoding", "Accept-Encoding beside 415") : null,
  ),
  law("limits/headers", (view) => [LEFT, POLICY].some((name) => view.header(name) !== undefined), rateLimits),
];
