import type { Api } from "../../client/api.ts";
import { expectStatus, fail } from "../../client/expect.ts";
import { every, nameOf } from "../../client/operation.ts";
import type { Reply } from "../../client/reply.ts";
import { check } from "../check.ts";
import { faulty, refusals, written } from "../faults.ts";
import { answered, askEach, expectAllow, expectRefusedAs, inCase, inEach, toJudge } from "../probe.ts";

/** OPTIONS, and the methods of the paths beside the endpoint (D4, D5). */

export const ENDPOINT = ["GET", "HEAD", "POST", "OPTIONS"];
const READ = ["GET", "HEAD", "OPTIONS"];

/** What every deployment serves beside the endpoint. */
export const PATHS = [
  ...["/", "/openapi.json", "/openapi.yaml", "/openapi.operations.json", "/openapi.operations.yaml", "/robots.txt"],
  ...["/reference", "/.well-known/api-catalog"],
];
/** Whether they are served is a matter of configuration, and of other requirements. */
const OPTIONAL = ["/.well-known/security.txt"];

const PREFLIGHT = {
  Origin: "https://page.example",
  "Access-Control-Request-Method": "POST",
  "Access-Control-Request-Headers": "x-api-key, x-platform, content-type",
};

function expectOptions(reply: Reply, methods: readonly string[] = ENDPOINT): void {
  expectStatus(reply, 204);
  expectAllow(reply, ...methods);
  if (reply.body.length > 0) fail("body", "204 without a body", `${reply.body.length} bytes`);
}

function expectRefused(reply: Reply, methods: readonly string[]): void {
  expectRefusedAs(reply, "method-not-allowed");
  expectAllow(reply, ...methods);
}

async function expectReadOnly(api: Api, target: string): Promise<void> {
  // The method is judged before the body.
  const headers = [["Content-Type", "application/json"] as const];
  const bodies = { POST: "{}", PUT: "{", PATCH: "{", DELETE: "{" };
  for (const [method, body] of Object.entries(bodies))
    await inCase(method, async () => expectRefused(await api.request({ method, target, headers, body }), READ));
  await inCase("TRACE", async () => expectRefused(await api.request({ method: "TRACE", target }), READ));
  expectStatus(await api.request({ method: "HEAD", target }), 200);
  for (const headers of [[], Object.entries(PREFLIGHT)])
    await inCase("OPTIONS", async () => expectOptions(await api.request({ method: "OPTIONS", target, headers }), READ));
}

/** What OPTIONS is not asked: all that is judged behind the method as such. */
const unread = refusals.filter(({ of, step }) => of !== "path" && of !== "method" && step !== "readHead");

export const pathMethods = [
  ...PATHS.map((target) =>
    check(`dispatch/other-paths-methods#${target}`, {}, async (api) => {
      expectStatus(await api.request({ method: "GET", target }), 200);
      await expectReadOnly(api, target);
    }),
  ),
  check("dispatch/other-paths-methods#optional", {}, async (api) => {
    for (const target of OPTIONAL) {
      const { status } = await api.request({ method: "GET", target });
      if (status === 200) await inCase(target, () => expectReadOnly(api, target));
    }
    await expectReadOnly(api, "/?@=user.create");
  }),
  check("dispatch/other-paths-methods#/api", {}, async (api) => {
    await inEach(["PUT", "PATCH", "DELETE", "TRACE"], async (method) =>
      expectRefused(await api.request({ method, target: "/api?@=sysinfo" }), ENDPOINT),
    );
    expectOptions(await api.request({ method: "OPTIONS", target: "/api" }));
  }),

  check("dispatch/options#whatever-the-query", {}, async (api) => {
    const method = "OPTIONS";
    const named = every.map((operation) => `@=${nameOf(operation)}`);
    const wrong = ["", "@=", "@=constructor", "@=docs.get.", "limit=1", "@=sysinfo&%40=sysinfo"];
    await askEach(api, [...named, ...wrong], expectOptions, { method });
    await askEach(api, named, expectOptions, { method, headers: PREFLIGHT, credentials: "none" });
    await inEach(every, async ({ id, example }) =>
      expectOptions(await api.call(id, { method, input: example, credentials: "query" })),
    );
  }),
  check("dispatch/options#whatever-else", {}, async (api) => {
    for (const one of toJudge(unread, "fault"))
      await inCase(one.code, async () =>
        expectOptions(await api.request({ ...written(faulty(api, one)), method: "OPTIONS" })),
      );
  }),
  check("dispatch/options#whatever-the-body", { effect: "hostile" }, (api) =>
    inEach([["application/json", "x".repeat(66_000)] as const, ["text/plain", "{"] as const], async ([type, body]) => {
      const headers = { "Content-Type": type, "Content-Encoding": "gzip" };
      expectOptions(await api.call("", { method: "OPTIONS", rawQuery: "", headers, body }));
    }),
  ),
  check("dispatch/options#no-body", {}, (api) =>
    inEach(["/api/", "/api/?@=sysinfo", "/"], async (target) => {
      const request = { method: "OPTIONS", target: api.path(target), headers: Object.entries(PREFLIGHT) };
      const raw = await api.raw(api.rawRequest(request), { answers: Infinity });
      expectStatus(answered(raw, `OPTIONS ${target}`), 204);
      if (raw.leftover.length > 0 || raw.replies.length > 1)
        fail("body", "204 without a body", `${raw.leftover.length} bytes and ${raw.replies.length} answers`);
    }),
  ),
];
