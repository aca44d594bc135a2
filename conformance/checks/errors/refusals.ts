import { type ProblemCode, problems } from "../../../generated/operations.ts";
import type { Api } from "../../client/api.ts";
import type { CallOptions } from "../../client/call.ts";
import type { Reply } from "../../client/reply.ts";

/** One request for a code, refused for that alone. */
export interface Refusal {
  readonly code: ProblemCode;
  /** More than one where the contract leaves the choice. */
  readonly statuses: readonly number[];
  readonly send: (api: Api) => Promise<Reply>;
}

const refusal = (code: ProblemCode, send: Refusal["send"], or: readonly number[] = []): Refusal => ({
  code,
  statuses: [problems[code].status, ...or],
  send,
});

const calling = (code: ProblemCode, nameOrId: string, options: (api: Api) => CallOptions = () => ({})) =>
  refusal(code, (api) => api.call(nameOrId, options(api)));

const create = (data: unknown) => ({ body: { "@": "user.create", data } });

/** The codes that well-formed HTTP can ask for, and that leave nothing behind. */
export const refusals: readonly Refusal[] = [
  calling("operation-missing", "user.create", () => ({ body: {} })),
  calling("operation-ambiguous", "user.create", () => ({ ...create({}), query: [["@", "user.create"]] })),
  calling("parameter-repeated", "user.list", () => ({ rawQuery: "@=user.list&limit=1&limit=1" })),
  calling("malformed-query", "sysinfo", () => ({ rawQuery: "@=sysinfo&a=%" })),
  calling("malformed-json", "user.create", () => ({ body: "[" })),
  calling("credential-conflict", "user.list", ({ key, platform }) => ({
    credentials: { key: { header: key, query: "another" }, platform: { header: platform } },
  })),
  calling("invalid-cursor", "user.list", () => ({ input: { cursor: "none-of-yours" } })),
  calling("credentials-missing", "test.health", () => ({ credentials: "none" })),
  calling("credentials-invalid", "test.health", ({ platform }) => ({
    credentials: { key: { header: "no-key-of-anyone" }, platform: { header: platform } },
  })),
  calling("platform-not-allowed", "test.health", ({ key }) => ({
    credentials: { key: { header: key }, platform: { header: "no-platform" } },
  })),
  calling("operation-not-found", "no.such.operation"),
  calling("document-not-found", "docs.get", () => ({ input: { name: "no-such-document" } })),
  refusal("path-not-found", (api) => api.request({ method: "GET", target: "/no/such/path" })),
  calling("method-not-allowed", "sysinfo", () => ({ method: "POST" })),
  refusal("method-not-allowed", (api) => api.request({ method: "DELETE", target: "/api/?@=sysinfo" })),
  calling("not-acceptable", "user.list", () => ({ accept: "image/png" })),
  calling("content-too-large", "user.create", () => ({ body: " ".repeat(70_000) })),
  // 431 comes from a parser that counts both together.
  refusal(
    "uri-too-long",
    (api) => api.request({ method: "GET", target: `/api/?@=sysinfo&a=${"a".repeat(9_000)}` }),
    [431],
  ),
  calling("unsupported-media-type", "user.create", () => ({
    ...create({}),
    headers: { "Content-Type": "text/plain" },
  })),
  calling("invalid-input", "user.create", () => create({ name: "", email: "x", unknown: 1 })),
  calling("invalid-input", "user.list", () => ({ input: { limit: "x", unknown: 1 } })),
  calling("headers-too-large", "sysinfo", () => ({ headers: { "X-Padding": "x".repeat(20_000) } })),
];
