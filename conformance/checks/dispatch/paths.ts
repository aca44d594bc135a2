import type { Api } from "../../client/api.ts";
import { expectProblem, expectStatus, fail } from "../../client/expect.ts";
import { every, nameOf } from "../../client/operation.ts";
import type { Reply } from "../../client/reply.ts";
import { check } from "../check.ts";
import { expectAllow, inCase } from "../probe.ts";

/** OPTIONS, and the methods of the paths beside the endpoint (D4, D5). */

const ENDPOINT = ["GET", "HEAD", "POST", "OPTIONS"];
const READ = ["GET", "HEAD", "OPTIONS"];

const paths = [
  "/",
  "/openapi.json",
  "/openapi.yaml",
  "/openapi.operations.json",
  "/openapi.operations.yaml",
  "/robots.txt",
];
/** Whether they are served is a matter of configuration, and of other requirements. */
const optionalPaths = ["/reference", "/.well-known/api-catalog", "/.well-known/security.txt"];

const preflight = [
  ["Origin", "https://page.example"],
  ["Access-Control-Request-Method", "POST"],
  ["Access-Control-Request-Headers", "x-api-key, x-platform, content-type"],
] as const;

function expectOptions(reply: Reply, methods: readonly string[]): void {
  expectStatus(reply, 204);
  expectAllow(reply, ...methods);
  if (reply.body.length > 0) fail("status", "204 without a body", `${reply.body.length} bytes`);
}

async function expectReadOnly(api: Api, path: string): Promise<void> {
  for (const method of ["POST", "PUT", "PATCH", "DELETE", "TRACE"]) {
    // The method is judged before the body.
    const content = method === "TRACE" ? {} : { body: method === "POST" ? "{}" : "{" };
    const headers = method === "TRACE" ? [] : [["Content-Type", "application/json"] as const];
    const reply = await api.request({ method, target: path, headers, ...content });
    await inCase(`${method} ${path}`, () => {
      expectProblem(reply, 405, "method-not-allowed");
      expectAllow(reply, ...READ);
    });
  }
  expectStatus(await api.request({ method: "HEAD", target: path }), 200);
  for (const headers of [[], preflight]) {
    const reply = await api.request({ method: "OPTIONS", target: path, headers });
    await inCase(`OPTIONS ${path}`, () => expectOptions(reply, READ));
  }
}

export const pathMethods = [
  ...paths.map((path) =>
    check(`dispatch/other-paths-methods#${path}`, {}, async (api) => {
      expectStatus(await api.request({ method: "GET", target: path }), 200);
      await expectReadOnly(api, path);
    }),
  ),
  check("dispatch/other-paths-methods#optional", {}, async (api) => {
    for (const path of optionalPaths) {
      const { status } = await api.request({ method: "GET", target: path });
      if (status === 200) await expectReadOnly(api, path);
    }
    await expectReadOnly(api, "/?@=user.create");
  }),
  check("dispatch/other-paths-methods#/api", {}, async (api) => {
    for (const method of ["PUT", "PATCH", "DELETE", "TRACE"]) {
      const reply = await api.request({ method, target: "/api?@=sysinfo" });
      await inCase(`${method} /api`, () => {
        expectProblem(reply, 405, "method-not-allowed");
        expectAllow(reply, ...ENDPOINT);
      });
    }
    expectOptions(await api.request({ method: "OPTIONS", target: "/api" }), ENDPOINT);
  }),

  ...every.map((operation) =>
    check(`dispatch/options#${operation.id}`, {}, async (api) => {
      for (const credentials of ["none", "good", "query"] as const) {
        const reply = await api.call(operation.id, {
          method: "OPTIONS",
          credentials,
          input: operation.example,
        });
        await inCase(`credentials: ${credentials}`, () => expectOptions(reply, ENDPOINT));
      }
      const target = `/api/?@=${nameOf(operation)}`;
      expectOptions(await api.request({ method: "OPTIONS", target, headers: preflight }), ENDPOINT);
    }),
  ),
  check("dispatch/options#whatever-the-operation", {}, async (api) => {
    for (const rawQuery of [
      "",
      "@=",
      "@=no.such.operation",
      "@=constructor",
      "@=docs.get.",
      "limit=1",
      "@=sysinfo&@=docs.list",
      "@=sysinfo&%40=sysinfo",
      "@=%zz",
    ]) {
      await inCase(`?${rawQuery}`, async () =>
        expectOptions(await api.call("", { method: "OPTIONS", rawQuery }), ENDPOINT),
      );
    }
  }),
  check("dispatch/options#whatever-the-credentials", {}, async (api) => {
    const wrong = [
      { key: { header: "not-a-key" }, platform: { header: api.platform } },
      { key: { header: api.key }, platform: { query: "not-a-platform" } },
      { key: { header: api.key, query: "another" } },
      { key: { query: "" } },
    ];
    for (const credentials of wrong) {
      expectOptions(await api.call("user.list", { method: "OPTIONS", credentials }), ENDPOINT);
    }
    const fields = [
      ["X-API-KEY", api.key],
      ["X-API-KEY", "another"],
    ] as const;
    const target = "/api/?@=user.list";
    expectOptions(await api.request({ method: "OPTIONS", target, headers: fields }), ENDPOINT);
    const twice = `${target}&X-PLATFORM=${api.platform}&X-PLATFORM=another`;
    expectOptions(await api.request({ method: "OPTIONS", target: twice }), ENDPOINT);
  }),
  check("dispatch/options#whatever-the-headers", {}, async (api) => {
    expectOptions(await api.request({ method: "OPTIONS", target: "/api/", headers: preflight }), ENDPOINT);
    expectOptions(await api.request({ method: "OPTIONS", target: "/api/", headers: preflight.slice(0, 1) }), ENDPOINT);
    expectOptions(await api.call("", { method: "OPTIONS", rawQuery: "", accept: "image/png" }), ENDPOINT);
    expectOptions(await api.call("", { method: "OPTIONS", rawQuery: "", accept: "*/*;q=0" }), ENDPOINT);
    for (const body of [{ "@": "no.such.operation" }, "{"]) {
      expectOptions(await api.call("", { method: "OPTIONS", rawQuery: "", body }), ENDPOINT);
    }
  }),
  check("dispatch/options#whatever-the-body", { effect: "hostile" }, async (api) => {
    for (const [type, body] of [
      ["application/json", "x".repeat(66_000)],
      ["text/plain", "{"],
    ] as const) {
      const headers = { "Content-Type": type, "Content-Encoding": "gzip" };
      expectOptions(await api.call("", { method: "OPTIONS", rawQuery: "", headers, body }), ENDPOINT);
    }
  }),
  check("dispatch/options#no-body", {}, async (api) => {
    for (const target of ["/api/", "/api/?@=sysinfo", "/"]) {
      const bytes = api.rawRequest({ method: "OPTIONS", target: api.path(target), headers: preflight });
      const { replies, leftover } = await api.raw(bytes, { answers: Infinity });
      const [reply, ...more] = replies;
      if (reply) expectStatus(reply, 204);
      if (!reply || more.length > 0) fail("body", `one answer to OPTIONS ${target}`, String(replies.length));
      if (leftover.length > 0) fail("status", "204 without a body", `${leftover.length} bytes behind the head`);
    }
  }),
];
