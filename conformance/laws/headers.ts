import { type Check, checkAll } from "../checks/check.ts";
import { fail } from "../client/expect.ts";
import { Reply } from "../client/reply.ts";
import { WORD } from "../client/word.ts";
import { mediaTypesOf, type Operation } from "../oracle/contract.ts";
import { fieldsOf, type Request } from "../oracle/world.ts";

/** Laws for the header fields of every response (D12, D15). */

/** The names in a list such as `Vary`, in lower case; several fields are combined. */
export function listed(value: string | undefined): Set<string> {
  const names = (value ?? "").split(",").map((name) => name.trim().toLowerCase());
  return new Set(names.filter((name) => name !== ""));
}

/** What a law reads of an exchange. `request` and `operation` are null if it was not one readable request. */
interface Answered {
  readonly reply: Reply;
  readonly request: Request | null;
  readonly operation: Operation | null;
  readonly memory: Map<string, string>;
}

/** CONNECT is for proxies: a server may close the connection with a response of any form. */
const everyAnswer = (id: string, judge: (answered: Answered) => void): Check =>
  checkAll(id, (exchange, _, { predicted, memory }) => {
    if (!exchange.answer || exchange.request.method === "CONNECT") return;
    const reply = new Reply(exchange, exchange.answer);
    judge({ reply, request: predicted?.request ?? null, operation: predicted?.prediction.operation ?? null, memory });
  });

/** Some proxies send the value several times. */
const expectValue = (name: string, value: string) =>
  function expect({ reply }: Answered): void {
    const sent = listed(reply.header(name));
    if (sent.size !== 1 || !sent.has(value))
      fail(`header:${name.toLowerCase()}`, `${name}: ${value}`, reply.header(name) ?? "none");
  };

/** Documents and files, not the landing page. Of several requests on one connection, it is not known which it responds to. */
function isCacheable({ reply, request, operation }: Answered): boolean {
  if (reply.status !== 200 && reply.status !== 304) return false;
  if (!request) return true;
  if (operation) return mediaTypesOf(operation).length > 1;
  return !/\/(?:api)?$/.test(request.target.replace(/\?.*$/s, ""));
}

function notStored(answered: Answered): void {
  const value = answered.reply.header("cache-control");
  if (!isCacheable(answered) && !listed(value).has("no-store"))
    fail("header:cache-control", "Cache-Control: no-store", value ?? "none");
}

const without = (...names: readonly string[]) =>
  function expect({ reply }: Answered): void {
    for (const name of names) {
      const value = reply.header(name);
      if (value !== undefined) fail(`header:${name.toLowerCase()}`, `no ${name}`, `${name}: ${value}`);
    }
  };

const ALLOW_ORIGIN = "access-control-allow-origin";
const originOf = (request: Request | null) => fieldsOf(request?.fields ?? [], "Origin")[0];
const varies = (reply: Reply) => listed(reply.header("vary")).has("origin");

/** Whether the origin is not in the configured list: browsers then block the page's requests and responses. */
const isShutOut = (reply: Reply) => reply.header(ALLOW_ORIGIN) === undefined && varies(reply);

/** `*`; or, with a configured list, the caller's origin if it is in the list, and no header otherwise. */
function anyOrigin({ reply, request, memory }: Answered): void {
  const [origin, allowed] = [originOf(request), reply.header(ALLOW_ORIGIN)];
  if (allowed !== "*" && !isShutOut(reply) && (allowed === undefined || (request && allowed !== origin)))
    fail(`header:${ALLOW_ORIGIN}`, "Access-Control-Allow-Origin: * or the caller's", allowed ?? "none");
  if (allowed !== "*" && !varies(reply))
    fail("header:vary", "Vary: Origin beside the caller's own origin", reply.header("vary") ?? "none");
  if (origin === undefined) return;
  if (allowed === origin && WORD.test(origin))
    fail(`header:${ALLOW_ORIGIN}`, "* or none for an origin of nobody's list", origin);
  // Whether a page may read a response must not depend on whether it is an error.
  const before = memory.get(origin) ?? allowed ?? "none";
  memory.set(origin, before);
  if ((allowed ?? "none") !== before)
    fail(`header:${ALLOW_ORIGIN}`, `${before} to ${origin}, as in another response`, allowed ?? "none");
}

function expectNames(reply: Reply, header: string, names: readonly string[]): void {
  const sent = listed(reply.header(header));
  const missing = names.filter((name) => !sent.has(name.toLowerCase()));
  if (missing.length > 0)
    fail(`header:${header.toLowerCase()}`, `${header} with ${missing.join(", ")}`, reply.header(header) ?? "none");
}

const ALLOWED =
  "X-API-KEY X-PLATFORM Content-Type Idempotency-Key X-Request-Id If-None-Match traceparent tracestate".split(" ");
const EXPOSED =
  "X-Request-Id X-Operation ETag Link RateLimit RateLimit-Policy Retry-After Idempotent-Replayed Deprecation Sunset";

function exposed({ reply }: Answered): void {
  if (!isShutOut(reply)) expectNames(reply, "Access-Control-Expose-Headers", EXPOSED.split(" "));
}

/** All header fields are allowed, also those that a preflight does not name. */
function preflight({ reply, request }: Answered): void {
  const [method] = fieldsOf(request?.fields ?? [], "Access-Control-Request-Method");
  if (request?.method !== "OPTIONS" || method === undefined || !originOf(request) || reply.status >= 300) return;
  if (isShutOut(reply)) return;
  expectNames(reply, "Access-Control-Allow-Headers", ALLOWED);
  const age = reply.header("access-control-max-age");
  if (age !== "600") fail("header:access-control-max-age", "Access-Control-Max-Age: 600", age ?? "none");
  // Without the header, a browser allows GET, HEAD and POST.
  const methods = listed(reply.header("access-control-allow-methods"));
  const isServed = listed(reply.header("allow")).has(method.toLowerCase());
  if (methods.size > 0 && isServed && !methods.has("*") && !methods.has(method.toLowerCase()))
    fail("header:access-control-allow-methods", `Access-Control-Allow-Methods with ${method}`, [...methods].join(", "));
}

export const headerLaws: readonly Check[] = [
  everyAnswer("http/nosniff", expectValue("X-Content-Type-Options", "nosniff")),
  everyAnswer("http/referrer-policy", expectValue("Referrer-Policy", "no-referrer")),
  everyAnswer("http/no-store", notStored),
  everyAnswer("http/no-banner", without("Server", "X-Powered-By", "Set-Cookie")),
  everyAnswer("cors/any-origin", anyOrigin),
  everyAnswer("cors/no-credentials", without("Access-Control-Allow-Credentials")),
  everyAnswer("cors/exposed", exposed),
  everyAnswer("cors/preflight", preflight),
];
