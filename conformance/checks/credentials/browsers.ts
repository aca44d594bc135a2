import { operations } from "../../../generated/operations.ts";
import { describe, expectProblem, expectStatus, expectSuccess, fail } from "../../client/expect.ts";
import type { Reply } from "../../client/reply.ts";
import { type Check, check } from "../check.ts";
import { expectAllow, inCase } from "../probe.ts";
import { closed, effectOf, expectLetIn } from "./probe.ts";

const ORIGIN = "https://app.example";
const ENDPOINT = ["GET", "HEAD", "POST", "OPTIONS"];
const READ = ["GET", "HEAD", "OPTIONS"];
const PATHS = [
  ["/api/", ENDPOINT],
  ["/api", ENDPOINT],
  ["/", READ],
  ["/openapi.json", READ],
  ["/openapi.operations.yaml", READ],
  ["/robots.txt", READ],
] as const;

/** What a browser asks before it sends a request with a header of the page's own. */
const preflight = (method: string) =>
  [
    ["Origin", ORIGIN],
    ["Access-Control-Request-Method", method],
    ["Access-Control-Request-Headers", "if-none-match,x-request-id"],
  ] as const;

const names = (value: string | undefined) => new Set((value ?? "").toLowerCase().split(/\s*,\s*/));

/** `*`, or the origin of a list; for one that is on no list, none. */
function expectOrigin(reply: Reply, listed: string | undefined): void {
  const allowed = reply.header("access-control-allow-origin");
  if (allowed === "*") return;
  if (!names(reply.header("vary")).has("origin") || (allowed !== undefined && allowed !== listed))
    fail(
      "header:access-control-allow-origin",
      `Access-Control-Allow-Origin: *${listed ? ", or Vary: Origin" : " or none"}`,
      allowed ?? "none",
    );
}

function expectAllowed(reply: Reply): void {
  expectStatus(reply, 204, 200);
  expectOrigin(reply, ORIGIN);
  // An origin that is not in the configured list may send nothing.
  if (reply.header("access-control-allow-origin") === undefined) return;
  const allowed = names(reply.header("access-control-allow-headers"));
  const missing = ["if-none-match", "x-request-id"].filter((name) => !allowed.has(name));
  if (missing.length > 0)
    fail(
      "header:access-control-allow-headers",
      `Access-Control-Allow-Headers with ${missing.join(", ")}`,
      [...allowed].join(", ") || "none",
    );
  const maxAge = reply.header("access-control-max-age");
  if (maxAge !== "600") fail("header:access-control-max-age", "Access-Control-Max-Age: 600", maxAge ?? "none");
}

/** What a page of another origin learns and may do (D5, D11, D15). */
export const browsers: readonly Check[] = [
  check("cors/any-origin#made-up", {}, async (api) => {
    // Nobody can have configured it.
    const origin = `https://${api.runId}.example`;
    const headers = { Origin: origin };
    const replies = [
      await api.call("sysinfo", { headers }),
      await api.call("user.list", { headers }),
      await api.call("user.list", { headers, credentials: "none" }),
      await api.request({
        method: "OPTIONS",
        target: "/api/",
        headers: [...preflight("GET").slice(1), ["Origin", origin]],
      }),
    ];
    for (const reply of replies) expectOrigin(reply, undefined);
  }),
  check("cors/preflight#every-path", {}, async (api) => {
    for (const [target] of PATHS)
      await inCase(target, async () =>
        expectAllowed(await api.request({ method: "OPTIONS", target, headers: preflight("GET") })),
      );
  }),
  ...closed.map((id) =>
    check(`cors/preflight#then-from-anywhere-${id}`, { effect: effectOf(id) }, async (api) => {
      const headers = preflight(operations[id].method);
      expectAllowed(await api.request({ method: "OPTIONS", target: "/api/", headers }));
      for (const origin of [ORIGIN, "null"])
        await inCase(`from ${origin}`, () =>
          expectLetIn(api, id, { headers: { Origin: origin, "Sec-Fetch-Site": "cross-site" } }),
        );
    }),
  ),
  check("http/request-id#created", { effect: "write" }, async (api) => {
    const id = `created-${api.runId}`;
    const input = api.example("user.create");
    const reply = await api.call("user.create", { input, headers: { Origin: ORIGIN, "X-Request-Id": id } });
    expectSuccess(reply, "user.create");
    const sent = reply.header("x-request-id");
    if (sent !== id) fail("header:x-request-id", `the caller's X-Request-Id ${id} with the user`, sent ?? "none");
  }),
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
    for (const target of ["/no-such-path", "/API/", "/api/user.list"]) {
      const reply = await api.request({ method: "OPTIONS", target, headers: preflight("GET") });
      if (reply.status !== 404) fail("status", `404 to a preflight of ${target}`, describe(reply));
      expectProblem(reply, 404, "path-not-found");
    }
  }),
];
