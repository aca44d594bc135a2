import { describe, expectSuccess, fail } from "../../client/expect.ts";
import { every, queries } from "../../client/operation.ts";
import type { Reply } from "../../client/reply.ts";
import { type Check, check } from "../check.ts";
import { everyAnswer } from "./layers.ts";
import { listed } from "./support.ts";

const ORIGIN = "https://app.example";
const ALLOWED = ["X-API-KEY", "X-PLATFORM", "Content-Type", "X-Request-Id", "If-None-Match"];
const EXPOSED = ["X-Request-Id", "X-Operation", "ETag", "Link", "Retry-After", "Deprecation", "Sunset"];
const ALLOW_ORIGIN = "Access-Control-Allow-Origin";
const ALLOW_CREDENTIALS = "Access-Control-Allow-Credentials";

const originOf = ({ exchange }: Reply) =>
  exchange.request.headers.find(([name]) => name.toLowerCase() === "origin")?.[1];

/** `*`; or from a configured list the caller's origin, and none for an origin that is not in it. */
function expectOrigin(reply: Reply): void {
  const allowed = reply.header(ALLOW_ORIGIN);
  if (allowed === "*") return;
  if (allowed !== undefined && allowed !== originOf(reply))
    fail("header:vary", `${ALLOW_ORIGIN}: * or the caller's origin`, allowed);
  if (!listed(reply.header("vary")).has("origin"))
    fail(
      "header:vary",
      `${ALLOW_ORIGIN}: *, or Vary: Origin`,
      `${ALLOW_ORIGIN}: ${allowed ?? "none"}, Vary: ${reply.header("vary") ?? "none"}`,
    );
}

function expectNames(reply: Reply, header: string, names: readonly string[]): void {
  const sent = listed(reply.header(header));
  const missing = names.filter((name) => !sent.has(name.toLowerCase()));
  if (missing.length > 0) fail("body", `${header} with ${missing.join(", ")}`, reply.header(header) ?? "none");
}

/** The origin is not in the configured list: such a page has nothing to be exposed to, and may send nothing. */
const isShutOut = (reply: Reply) =>
  reply.header(ALLOW_ORIGIN) === undefined && listed(reply.header("vary")).has("origin");

function expectExposed(reply: Reply): void {
  if (isShutOut(reply)) return;
  expectNames(reply, "Access-Control-Expose-Headers", EXPOSED);
}

function expectNoCredentials(reply: Reply): void {
  const value = reply.header(ALLOW_CREDENTIALS);
  if (value !== undefined) fail("body", `no ${ALLOW_CREDENTIALS}`, value);
}

/** What a browser asks before it lets a page send the request itself. */
const preflight = (method: string, headers: readonly string[] = [], origin = ORIGIN) =>
  [
    ["Origin", origin],
    ["Access-Control-Request-Method", method],
    ...(headers.length > 0 ? [["Access-Control-Request-Headers", headers.join(",").toLowerCase()] as const] : []),
  ] as const;

function expectPreflight(reply: Reply, method: string): void {
  if (reply.status !== 204 && reply.status !== 200) fail("status", "a preflight answered with 204", describe(reply));
  expectOrigin(reply);
  expectNoCredentials(reply);
  if (isShutOut(reply)) return;
  expectNames(reply, "Access-Control-Allow-Headers", ALLOWED);
  const maxAge = reply.header("access-control-max-age");
  if (maxAge !== "600") fail("header:access-control-max-age", "Access-Control-Max-Age: 600", maxAge ?? "none");
  // Without the header, a browser lets GET, HEAD and POST pass.
  const methods = listed(reply.header("access-control-allow-methods"));
  if (methods.size > 0 && !methods.has("*") && !methods.has(method.toLowerCase()))
    fail("header:access-control-allow-methods", `Access-Control-Allow-Methods with ${method}`, [...methods].join(", "));
}

/** CORS (D15). */
export const cors: readonly Check[] = [
  ...everyAnswer("cors/any-origin", expectOrigin),
  ...everyAnswer("cors/no-credentials", expectNoCredentials),
  ...everyAnswer("cors/exposed", expectExposed),
  check("cors/any-origin#asked-with-an-origin", {}, async (api) => {
    const first = new Map<string, string | undefined>();
    for (const origin of [ORIGIN, "null", "http://localhost:3000", "https://evil.example"]) {
      const headers = { Origin: origin };
      const replies = [
        await api.call("sysinfo", { headers }),
        await api.call("user.list", { headers }),
        await api.call("user.list", { headers, credentials: "none" }),
        await api.call("user.create", { headers, body: "{" }),
        await api.call("no.such.operation", { headers }),
        await api.request({ method: "GET", target: "/no-such-path", headers: [["Origin", origin]] }),
        await api.request({ method: "GET", target: "/openapi.json", headers: [["Origin", origin]] }),
        await api.request({ method: "GET", target: "/", headers: [["Origin", origin]] }),
      ];
      for (const reply of replies) {
        expectOrigin(reply);
        const allowed = reply.header(ALLOW_ORIGIN);
        // What a page may read must not depend on whether it is a refusal.
        if (!first.has(origin)) first.set(origin, allowed);
        if (allowed !== first.get(origin))
          fail(
            "body",
            `${ALLOW_ORIGIN}: ${first.get(origin) ?? "none"} as before`,
            `${allowed ?? "none"} for ${origin}`,
          );
      }
    }
  }),
  check("cors/no-credentials#asked-with-an-origin", {}, async (api) => {
    const headers = { Origin: ORIGIN, Cookie: "session=1" };
    for (const { id } of queries) expectNoCredentials(await api.call(id, { input: api.example(id), headers }));
    expectNoCredentials(await api.call("user.list", { headers, credentials: "none" }));
    expectNoCredentials(await api.request({ method: "OPTIONS", target: "/api/", headers: preflight("GET") }));
  }),
  check("cors/exposed#asked-with-an-origin", {}, async (api) => {
    const headers = { Origin: ORIGIN };
    for (const { id } of queries) expectExposed(await api.call(id, { input: api.example(id), headers }));
    expectExposed(await api.call("user.create", { headers, body: "{" }));
  }),
  ...["GET", "HEAD", "POST"].map((method) =>
    check(`cors/preflight#${method.toLowerCase()}`, {}, async (api) => {
      for (const target of ["/api/", "/api"])
        for (const origin of [ORIGIN, "null", "http://localhost:5173"])
          expectPreflight(
            await api.request({ method: "OPTIONS", target, headers: preflight(method, ALLOWED, origin) }),
            method,
          );
    }),
  ),
  ...ALLOWED.map((name) =>
    check(`cors/preflight#${name.toLowerCase()}`, {}, async (api) => {
      const headers = preflight("POST", [name]);
      expectPreflight(await api.request({ method: "OPTIONS", target: "/api/", headers }), "POST");
    }),
  ),
  check("cors/preflight#every-operation", {}, async (api) => {
    for (const { name, method } of every) {
      const target = method === "POST" ? "/api/" : `/api/?@=${name.replace(/\{\w+\}/g, "README")}`;
      const headers = preflight(method, ALLOWED);
      expectPreflight(await api.request({ method: "OPTIONS", target, headers }), method);
    }
    // It is only a question: the same page without a key still gets nothing.
    const { status } = await api.call("user.list", { credentials: "none", headers: { Origin: ORIGIN } });
    if (status !== 401) fail("status", "401 after a preflight, without a key", String(status));
  }),
  check("cors/preflight#then-the-request", {}, async (api) => {
    expectPreflight(
      await api.request({ method: "OPTIONS", target: "/api/", headers: preflight("GET", ALLOWED) }),
      "GET",
    );
    expectSuccess(await api.call("user.list", { headers: { Origin: ORIGIN } }), "user.list");
  }),
];
