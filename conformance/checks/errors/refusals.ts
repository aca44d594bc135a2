import { type ProblemCode, problems } from "../../../generated/operations.ts";
import { order } from "../../../generated/order.ts";
import type { Api } from "../../client/api.ts";
import type { CallOptions } from "../../client/call.ts";
import type { Reply } from "../../client/reply.ts";
import { nobodys } from "../probe.ts";

/** One request for a code, refused for that alone; no deployment, however lax, could create anything by it. */
export interface Refusal {
  readonly code: ProblemCode;
  /** More than one where the contract leaves the choice. */
  readonly statuses: readonly number[];
  readonly send: (api: Api, accept?: string) => Promise<Reply>;
}

type Options = CallOptions | ((api: Api) => CallOptions);

const refusal = (code: ProblemCode, send: Refusal["send"], ...or: readonly number[]): Refusal => ({
  ...{ code, send },
  statuses: [problems[code].status, ...or],
});

/** What is told in another language is told by the same code, under the same members. */
const LANGUAGE = { "Accept-Language": "fr-CH, fr;q=0.9, de;q=0.8" };

const calling = (code: ProblemCode, nameOrId: string | null, options: Options = {}) =>
  refusal(code, (api, accept) => {
    const given = typeof options === "function" ? options(api) : options;
    const headers = { ...LANGUAGE, ...given.headers };
    return api.call(nameOrId ?? `no.such.${nobodys(api)}`, { ...given, headers, ...(accept && { accept }) });
  });

const asking = (code: ProblemCode, method: string, target: string, ...or: readonly number[]) =>
  refusal(
    code,
    (api, accept) =>
      api.request({ method, target, headers: Object.entries({ ...LANGUAGE, ...(accept && { Accept: accept }) }) }),
    ...or,
  );

const wrong = (api: Api) => ({ header: nobodys(api) });

/** The codes that well-formed HTTP can ask for. */
export const refusals: readonly Refusal[] = [
  asking("path-not-found", "GET", "/no/such/path"),
  asking("method-not-allowed", "DELETE", "/api/?@=sysinfo"),
  asking("method-not-allowed", "POST", "/robots.txt"),
  calling("method-not-allowed", "sysinfo", { method: "POST" }),
  calling("malformed-query", "sysinfo", { rawQuery: "@=sysinfo&a=%" }),
  calling("parameter-repeated", "user.list", { rawQuery: "@=user.list&limit=1&limit=1" }),
  calling("unsupported-media-type", "user.create", { body: "a=b", headers: { "Content-Type": "text/plain" } }),
  calling("content-too-large", "user.create", { body: " ".repeat(70_000) }),
  calling("malformed-json", "user.create", { body: "[" }),
  asking("operation-missing", "GET", "/api/"),
  calling("operation-missing", "user.create", { body: {} }),
  calling("operation-ambiguous", "user.create", { query: [["@", "user.create"]] }),
  calling("operation-not-found", null),
  calling("credential-conflict", "user.list", (api) => ({
    credentials: { key: { header: api.key, query: nobodys(api) }, platform: { header: api.platform } },
  })),
  calling("credentials-missing", "test.health", { credentials: "none" }),
  calling("credentials-missing", "user.list", { credentials: "none" }),
  calling("credentials-invalid", "test.health", (api) => ({
    credentials: { key: wrong(api), platform: { header: api.platform } },
  })),
  calling("platform-not-allowed", "test.health", (api) => ({
    credentials: { key: { header: api.key }, platform: wrong(api) },
  })),
  calling("not-acceptable", "user.list", { accept: "image/png" }),
  calling("invalid-input", "user.create", { body: { "@": "user.create" } }),
  calling("invalid-input", "user.list", { input: { limit: "x", unknown: 1 } }),
  calling("invalid-cursor", "user.list", { input: { cursor: "none-of-yours" } }),
  calling("document-not-found", "docs.get", { input: { name: "no-such-document" } }),
  // 431 comes from a parser that counts both together.
  asking("uri-too-long", "GET", `/api/?@=sysinfo&a=${"a".repeat(9_000)}`, 431),
  calling("headers-too-large", "sysinfo", { headers: { "X-Padding": "x".repeat(20_000) } }),
];

/** Those that are refused before anybody asks what the caller accepts. */
const late: readonly string[] = order
  .slice(order.findIndex(({ step }) => step === "negotiate"))
  .flatMap(({ refuses }) => refuses);
export const early = refusals.filter(({ code }) => !late.includes(code));
