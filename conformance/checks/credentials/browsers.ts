import { describe, expectObject, expectProblem, expectStatus, expectSuccess, fail } from "../../client/expect.ts";
import { commands, guarded } from "../../client/operation.ts";
import type { Reply } from "../../client/reply.ts";
import { type Check, check } from "../check.ts";
import { expectAllow, inCase } from "../probe.ts";
import { effectOf, expectLetIn } from "./calls.ts";

const ORIGIN = "https://app.example";
const ENDPOINT = ["GET", "HEAD", "POST", "OPTIONS"];
const READ = ["GET", "HEAD", "OPTIONS"];
const PATHS = [
  ["/api/", ENDPOINT],
  ["/api", ENDPOINT],
  ...["/", "/openapi.json", "/openapi.operations.yaml", "/robots.txt"].map((path) => [path, READ] as const),
] as const;

/** What a browser asks before it sends a request with a header of the page's own. */
const preflight = (method: string, origin = ORIGIN) =>
  [
    ["Origin", origin],
    ["Access-Control-Request-Method", method],
    ["Access-Control-Request-Headers", "if-none-match,x-request-id"],
  ] as const;

const names = (value: string | undefined) => new Set((value ?? "").toLowerCase().split(/\s*,\s*/));

/** `*`, or the origin of a list; for one that is on no list, none. */
function expectOrigin(reply: Reply, listed: string | undefined): void {
  const allowed = reply.header("access-control-allow-origin");
  if (allowed === "*") return;
  if (allowed !== undefined && allowed !== listed)
    fail("header:access-control-allow-origin", `Access-Control-Allow-Origin: * or ${listed ?? "none"}`, allowed);
  if (!names(reply.header("vary")).has("origin"))
    fail("header:vary", "Access-Control-Allow-Origin: *, or Vary: Origin", `${allowed ?? "none"} without Vary`);
}

function expectAllowed(reply: Reply): void {
  expectStatus(reply, 204, 200);
  expectOrigin(reply, ORIGIN);
  // An origin that is not in the configured list may send nothing.
  if (reply.header("access-control-allow-origin") === undefined) return;
  const allowed = reply.header("access-control-allow-headers");
  const missing = ["if-none-match", "x-request-id"].filter((name) => !names(allowed).has(name));
  if (missing.length > 0)
    fail("header:access-control-allow-headers", `the header with ${missing.join(", ")}`, allowed ?? "none");
  const maxAge = reply.header("access-control-max-age");
  if (maxAge !== "600") fail("header:access-control-max-age", "Access-Control-Max-Age: 600", maxAge ?? "none");
}

/** Names of a header, known from proxies and hosts, beside those that one thinks of first. */
const FORWARDED = [
  ...["X-Cluster-Client-IP", "X-Forwarded", "Forwarded-For", "Client-IP", "Fastly-Client-IP", "Fly-Client-IP"],
  ...["X-Appengine-User-IP", "X-Azure-ClientIP", "X-Remote-Addr", "X-ProxyUser-Ip"],
];

/** What a page of another origin learns and may do (D5, D11, D15), and whose address is taken for the caller's (D22). */
export const browsers: readonly Check[] = [
  check("cors/any-origin#made-up", {}, async (api) => {
    // Nobody can have configured it.
    const origin = `https://${api.runId}.example`;
    const headers = { Origin: origin };
    expectOrigin(await api.call("sysinfo", { headers }), undefined);
    expectOrigin(await api.call("user.list", { headers }), undefined);
    expectOrigin(await api.call("user.list", { headers, credentials: "none" }), undefined);
    const asked = { method: "OPTIONS", target: "/api/", headers: preflight("GET", origin) };
    expectOrigin(await api.request(asked), undefined);
  }),
  check("cors/preflight#every-path", {}, async (api) => {
    for (const [target] of PATHS)
      await inCase(target, async () =>
        expectAllowed(await api.request({ method: "OPTIONS", target, headers: preflight("GET") })),
      );
  }),
  ...guarded.map((operation) =>
    check(`cors/preflight#then-from-anywhere-${operation.id}`, { effect: effectOf(operation) }, async (api) => {
      expectAllowed(await api.request({ method: "OPTIONS", target: "/api/", headers: preflight(operation.method) }));
      for (const origin of [ORIGIN, "null"])
        await inCase(`from ${origin}`, () =>
          expectLetIn(api, operation, { headers: { Origin: origin, "Sec-Fetch-Site": "cross-site" } }),
        );
    }),
  ),
  ...commands.map((operation) =>
    check(`http/request-id#success-of-${operation.id}`, { effect: "write" }, async (api) => {
      const id = `success-${api.runId}`;
      const input = api.example(operation.id);
      const reply = await api.call(operation.id, { input, headers: { Origin: ORIGIN, "X-Request-Id": id } });
      expectSuccess(reply, operation.id);
      const sent = reply.header("x-request-id");
      if (sent !== id) fail("header:x-request-id", `the caller's X-Request-Id ${id} with a success`, sent ?? "none");
    }),
  ),
  check("dispatch/options#preflight", {}, async (api) => {
    for (const [target, methods] of PATHS)
      for (const method of ["GET", "POST", "DELETE"])
        await inCase(`${method} ${target}`, async () => {
          const reply = await api.request({ method: "OPTIONS", target, headers: preflight(method) });
          expectStatus(reply, 204);
          expectAllow(reply, ...methods);
        });
  }),
  check("http/unknown-path#preflight", {}, async (api) => {
    for (const target of [`/${api.runId}`, "/API/", "/api/user.list"]) {
      const reply = await api.request({ method: "OPTIONS", target, headers: preflight("GET") });
      if (reply.status !== 404) fail("status", `404 to a preflight of ${target}`, describe(reply));
      expectProblem(reply, 404, "path-not-found");
    }
  }),
  check("sysinfo/forwarded-for#further-names", {}, async (api) => {
    // All at once, each with an address of its own: one that comes back says which header was believed.
    const further = FORWARDED.map((name, at) => [name, `203.0.113.${at + 1}`] as const);
    const usual = [
      ...["X-Forwarded-For", "X-Real-IP"].map((name, at) => [name, `198.51.100.${at + 1}`] as const),
      ["Forwarded", "for=198.51.100.3"] as const,
    ];
    for (const [target, made] of [
      ["/api/?@=sysinfo", further],
      ["/", [...further, ...usual]],
    ] as const) {
      const headers = [["Accept", "application/json"] as const, ...made];
      const { clientAddress } = expectObject((await api.request({ method: "GET", target, headers })).json());
      const believed = made.find(([, value]) => value.endsWith(String(clientAddress)));
      if (believed)
        fail(
          "body:/clientAddress",
          `the caller's own clientAddress at ${target}`,
          `${clientAddress}, of ${believed[0]}`,
        );
    }
  }),
];
