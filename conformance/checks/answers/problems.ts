import { operations, type ProblemCode } from "../../../generated/operations.ts";
import type { Api } from "../../client/api.ts";
import { expectProblem } from "../../client/expect.ts";
import { queries } from "../../client/operation.ts";
import type { Reply } from "../../client/reply.ts";
import { check } from "../check.ts";
import { inCase, reach } from "../probe.ts";

/** Problems are sent whatever `Accept` says (D10). */

/** Refusals, each of another step; sent whatever may be accepted. */
const refusals: Readonly<
  Record<string, readonly [status: number, code: ProblemCode, send: (api: Api, accept: string) => Promise<Reply>]>
> = {
  "operation-missing": [400, "operation-missing", (api, accept) => api.call("", { rawQuery: "", accept })],
  "parameter-repeated": [
    400,
    "parameter-repeated",
    (api, accept) => api.call("", { rawQuery: "@=sysinfo&@=sysinfo", accept }),
  ],
  "operation-not-found": [404, "operation-not-found", (api, accept) => api.call("no.such.operation", { accept })],
  "path-not-found": [
    404,
    "path-not-found",
    (api, accept) => api.request({ method: "GET", target: "/no-such-path", headers: [["Accept", accept]] }),
  ],
  "method-not-allowed": [
    405,
    "method-not-allowed",
    (api, accept) => api.call("user.create", { method: "GET", accept }),
  ],
  "method-not-allowed-here": [
    405,
    "method-not-allowed",
    (api, accept) => api.request({ method: "DELETE", target: "/", headers: [["Accept", accept]] }),
  ],
  "credentials-missing": [
    401,
    "credentials-missing",
    (api, accept) => api.call("user.list", { credentials: "none", accept }),
  ],
  "unsupported-media-type": [
    415,
    "unsupported-media-type",
    (api, accept) => api.call("user.create", { body: "a", headers: { "Content-Type": "text/plain" }, accept }),
  ],
  "malformed-query": [400, "malformed-query", (api, accept) => api.call("", { rawQuery: "@=sysinfo&x=%zz", accept })],
  "operation-ambiguous": [
    400,
    "operation-ambiguous",
    (api, accept) => api.call("user.create", { query: [["@", "user.create"]], accept }),
  ],
  "credential-conflict": [
    400,
    "credential-conflict",
    (api, accept) => api.call("user.list", { credentials: { key: { header: api.key, query: "another" } }, accept }),
  ],
  "credentials-invalid": [
    401,
    "credentials-invalid",
    (api, accept) =>
      api.call("test.health", {
        credentials: { key: { header: "not-a-key" }, platform: { header: api.platform } },
        accept,
      }),
  ],
  "platform-not-allowed": [
    403,
    "platform-not-allowed",
    (api, accept) =>
      api.call("test.health", {
        credentials: { key: { header: api.key }, platform: { header: "not-a-platform" } },
        accept,
      }),
  ],
  "content-too-large": [
    413,
    "content-too-large",
    (api, accept) => api.call("user.create", { body: " ".repeat(70_000), accept }),
  ],
  "malformed-json": [400, "malformed-json", (api, accept) => api.call("user.create", { body: "{", accept })],
};

const unwanted = [
  "application/json",
  "text/html",
  "application/xml",
  "image/png",
  "*/*;q=0",
  "application/problem+json;q=0",
  "application/problem+xml",
  "application/json, */*;q=0",
];

export const problems = [
  ...Object.entries(refusals).map(([variant, [status, code, send]]) =>
    check(`answers/problems-whatever-accept#${variant}`, {}, async (api) => {
      for (const value of unwanted) {
        const reply = await send(api, value);
        await inCase(`Accept: ${value}`, () => expectProblem(reply, status, code));
      }
    }),
  ),
  check("answers/problems-whatever-accept#invalid-input", {}, async (api) => {
    for (const value of ["application/json", "application/json, text/html", "*/*"]) {
      const reply = await api.call("user.list", { input: { limit: 0 }, accept: value });
      await inCase(`Accept: ${value}`, () => expectProblem(reply, 422, "invalid-input", "user.list"));
    }
  }),
  check("answers/problems-whatever-accept#document-not-found", {}, async (api) => {
    for (const value of operations["docs.get"].answers[0].mediaTypes) {
      const reply = await api.call("docs.get.no-such-document", { accept: value });
      await inCase(`Accept: ${value}`, () => expectProblem(reply, 404, "document-not-found", "docs.get"));
    }
  }),
  check("answers/problems-whatever-accept#not-acceptable", {}, async (api) => {
    for (const operation of queries) {
      for (const value of ["image/png", "application/problem+xml", "*/*;q=0"]) {
        const reply = await reach(api, operation, { accept: value });
        await inCase(`${operation.id}, Accept: ${value}`, () =>
          expectProblem(reply, 406, "not-acceptable", operation.id),
        );
      }
    }
  }),
];
