import type { RequirementId } from "../../../generated/requirements.ts";
import type { Api } from "../../client/api.ts";
import { expectStatus, fail } from "../../client/expect.ts";
import { every, guarded, queries } from "../../client/operation.ts";
import type { Reply } from "../../client/reply.ts";
import { type Check, check } from "../check.ts";
import { expectAllow, expectReached, inCase, reach } from "../probe.ts";
import { everyAnswer } from "./layers.ts";
import { answerTo, expectOutcome, listed, reachOf } from "./support.ts";

const ORIGIN = "https://app.example";
const ENDPOINTS = ["/api/", "/api"];
const PATHS = ["/", "/openapi.json", "/openapi.operations.yaml", "/robots.txt"];
const ALLOWED = ["X-API-KEY", "X-PLATFORM", "Content-Type", "Idempotency-Key", "X-Request-Id", "If-None-Match"];
const EXPOSED =
  "X-Request-Id X-Operation ETag Link RateLimit RateLimit-Policy Retry-After Idempotent-Replayed Deprecation Sunset".split(
    " ",
  );

const allowedBy = (reply: Reply) => reply.header("access-control-allow-origin");
const varies = (reply: Reply) => listed(reply.header("vary")).has("origin");

const originOf = ({ exchange }: Reply) =>
  exchange.request.headers.find(([name]) => name.toLowerCase() === "origin")?.[1];

/** `*`; or, with a configured list, the caller's origin if it is in the list, and no header otherwise. */
function expectOrigin(reply: Reply): void {
  const allowed = allowedBy(reply);
  if (allowed === "*" || (allowed === undefined && varies(reply))) return;
  if (allowed === undefined || allowed !== originOf(reply))
    fail("header:access-control-allow-origin", "Access-Control-Allow-Origin: * or the caller's", allowed ?? "none");
  if (!varies(reply))
    fail("header:vary", "Vary: Origin beside the caller's own origin", reply.header("vary") ?? "none");
}

function expectNames(reply: Reply, header: string, names: readonly string[]): void {
  const sent = listed(reply.header(header));
  const missing = names.filter((name) => !sent.has(name.toLowerCase()));
  if (missing.length > 0)
    fail(`header:${header.toLowerCase()}`, `${header} with ${missing.join(", ")}`, reply.header(header) ?? "none");
}

/** Whether the origin is not in the configured list: browsers then block the page's requests and responses. */
const isShutOut = (reply: Reply) => allowedBy(reply) === undefined && varies(reply);

function expectExposed(reply: Reply): void {
  if (!isShutOut(reply)) expectNames(reply, "Access-Control-Expose-Headers", EXPOSED);
}

function expectNoCredentials(reply: Reply): void {
  const value = reply.header("access-control-allow-credentials");
  if (value !== undefined)
    fail("header:access-control-allow-credentials", "no Access-Control-Allow-Credentials", value);
}

/** The header fields of the request that a browser sends before a page's own request. */
const preflight = (method: string, headers: readonly string[], origin = ORIGIN) =>
  [
    ["Origin", origin],
    ["Access-Control-Request-Method", method],
    ...(headers.length > 0 ? [["Access-Control-Request-Headers", headers.join(",").toLowerCase()] as const] : []),
  ] as const;

function expectPreflight(reply: Reply, method: string): void {
  expectStatus(reply, 204, 200);
  expectOrigin(reply);
  if (!isShutOut(reply)) expectAllowed(reply, method);
  expectNoCredentials(reply);
}

function expectAllowed(reply: Reply, method: string): void {
  expectNames(reply, "Access-Control-Allow-Headers", ALLOWED);
  const maxAge = reply.header("access-control-max-age");
  if (maxAge !== "600") fail("header:access-control-max-age", "Access-Control-Max-Age: 600", maxAge ?? "none");
  // Without the header, a browser allows GET, HEAD and POST.
  const methods = listed(reply.header("access-control-allow-methods"));
  if (methods.size > 0 && !methods.has("*") && !methods.has(method.toLowerCase()))
    fail("header:access-control-allow-methods", `Access-Control-Allow-Methods with ${method}`, [...methods].join(", "));
}

/** The responses to a page of this origin: of operations, rejections, other paths, and a preflight. */
async function answersTo(api: Api, origin: string): Promise<readonly Reply[]> {
  const headers = { Origin: origin, Cookie: "session=1" };
  const paths = ["/", "/openapi.json", `/${api.runId}`];
  return Promise.all([
    ...queries.map((operation) => reach(api, operation, { headers })),
    ...guarded.map((one) => reach(api, one, { headers, credentials: "none" })),
    api.call("user.create", { headers, body: "{" }),
    api.call(`no.${api.runId}`, { headers }),
    ...paths.map((target) => api.request({ method: "GET", target, headers: Object.entries(headers) })),
    api.request({ method: "OPTIONS", target: "/api/", headers: preflight("GET", [], origin) }),
  ]);
}

const asked = (requirement: RequirementId, judge: (reply: Reply) => void) =>
  check(`${requirement}#asked-with-an-origin`, {}, async (api) => {
    for (const reply of await answersTo(api, ORIGIN)) judge(reply);
  });

/** CORS (D15). */
export const cors: readonly Check[] = [
  ...everyAnswer("cors/any-origin", expectOrigin),
  ...everyAnswer("cors/no-credentials", expectNoCredentials),
  ...everyAnswer("cors/exposed", expectExposed),
  asked("cors/no-credentials", expectNoCredentials),
  asked("cors/exposed", expectExposed),
  check("cors/any-origin#asked-with-an-origin", {}, async (api) => {
    // The last origin is in no list: if a list is configured, no response allows it.
    const stranger = `https://${api.runId}.example`;
    for (const origin of [ORIGIN, "null", "http://localhost:3000", stranger]) {
      const replies = await answersTo(api, origin);
      for (const reply of replies) expectOrigin(reply);
      // Whether a page may read a response must not depend on whether it is an error.
      const allowed = [...new Set(replies.map((reply) => allowedBy(reply) ?? "none"))];
      if (allowed.length > 1)
        fail("header:access-control-allow-origin", `one answer to ${origin} everywhere`, allowed.join(", "));
      if (allowed.includes(stranger))
        fail("header:access-control-allow-origin", "* or none for an origin of nobody's list", stranger);
    }
  }),
  check("cors/preflight#asked", {}, async (api) => {
    const calls = every.map((one) => reachOf(api, one, { credentials: "none" }));
    const asked = ["GET", "HEAD", "POST"].flatMap((method) =>
      [...ENDPOINTS, ...(method === "GET" ? PATHS : [])].map((path) => ({ method, target: api.path(path) })),
    );
    for (const { method, target } of [...calls, ...asked])
      for (const origin of [ORIGIN, "null", "http://localhost:5173"])
        await inCase(`${method} ${target} from ${origin}`, async () => {
          // All headers are allowed, also those that the preflight does not name.
          const headers = preflight(method, origin === "null" ? [] : ALLOWED, origin);
          expectPreflight(await answerTo(api, { method: "OPTIONS", target, headers }), method);
        });
  }),
  check("cors/preflight#then-the-request", {}, async (api) => {
    // A preflight grants nothing: a page still needs a key.
    for (const operation of guarded)
      for (const origin of [ORIGIN, "null"])
        await inCase(`${operation.id} from ${origin}`, async () => {
          const headers = { Origin: origin, "Sec-Fetch-Site": "cross-site" };
          expectReached(await reach(api, operation, { headers }), operation);
          expectOutcome(await reach(api, operation, { credentials: "none", headers }), "credentials-missing");
        });
  }),
  check("dispatch/options#preflight", {}, async (api) => {
    for (const target of [...ENDPOINTS, ...PATHS])
      for (const method of ["GET", "POST", "DELETE"])
        await inCase(`${method} ${target}`, async () => {
          const reply = await api.request({ method: "OPTIONS", target, headers: preflight(method, []) });
          expectStatus(reply, 204);
          expectAllow(reply, "GET", "HEAD", "OPTIONS", ...(ENDPOINTS.includes(target) ? ["POST"] : []));
        });
  }),
];
