import { expectStatus, expectSuccess, fail } from "../../client/expect.ts";
import { check } from "../check.ts";
import { answered, credentialFields, expectRefusedAs, inCase, inEach } from "../probe.ts";

/** Dispatch on sockets: chunked bodies, responses without a body, several requests on one connection (D4, D5, D12). */

/** Paths that every deployment serves in addition to the endpoint. */
export const PATHS = [
  ...["/", "/openapi.json", "/openapi.yaml", "/openapi.operations.json", "/openapi.operations.yaml", "/robots.txt"],
  ...["/reference", "/.well-known/api-catalog"],
];

export const sockets = [
  check("dispatch/options#no-body", {}, (api) =>
    inEach(["/api/", "/api/?@=sysinfo", "/"], async (target) => {
      const headers = [["Origin", "https://page.example"] as const];
      const request = { method: "OPTIONS", target: api.path(target), headers };
      const raw = await api.raw(api.rawRequest(request), { answers: Infinity });
      expectStatus(answered(raw, `OPTIONS ${target}`), 204);
      if (raw.leftover.length > 0 || raw.replies.length > 1)
        fail("body", "204 without a body", `${raw.leftover.length} bytes and ${raw.replies.length} answers`);
    }),
  ),
  check("dispatch/body-on-get#in-chunks", {}, async (api) => {
    const headers = [["Content-Type", "application/json"] as const, ["Transfer-Encoding", "chunked"] as const];
    const body = '11\r\n{"@":"docs.list"}\r\n0\r\n\r\n';
    const raw = await api.raw(api.rawRequest({ target: api.path("/api/?@=sysinfo"), headers, body }));
    expectSuccess(answered(raw, "a GET with a body in chunks"), "sysinfo");
  }),
  check("dispatch/unknown-method#TRACE-does-not-echo", {}, async (api) => {
    const mark = `zq${api.runId}`;
    const headers = [...credentialFields(api), ["X-Echo", mark] as const];
    const reply = answered(
      await api.raw(api.rawRequest({ method: "TRACE", target: api.path("/api/"), headers })),
      "TRACE",
    );
    const echoes = (text: string) => text.includes(api.key) || text.includes(mark);
    const [field] = reply.headers.find((each) => echoes(each.join())) ?? [];
    if (field !== undefined || echoes(reply.text))
      fail(field ? `header:${field.toLowerCase()}` : "body", "TRACE not to send the request back", "it does");
    expectRefusedAs(reply, "method-not-allowed");
  }),
  check("dispatch/x-operation#same-connection", {}, async (api) => {
    const names = ["sysinfo", `no.${api.runId}`, "docs.list"];
    const requests = names.map((name) => api.rawRequest({ target: api.path(`/api/?@=${name}`), connection: null }));
    const { replies } = await api.raw(requests, { answers: names.length, inTurn: true });
    for (const [at, expected] of ["sysinfo", "", "docs.list"].entries())
      await inCase(`request ${at + 1} of a connection`, () => {
        // A target may close a connection after any response.
        const named = replies[at]?.header("x-operation") ?? "";
        if (replies[at] && named !== expected)
          fail("header:x-operation", `X-Operation: ${expected || "none"}`, named || "none");
      });
  }),
];
