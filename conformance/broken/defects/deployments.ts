import { caught } from "../caught.ts";
import type { Defect, ProxyRequest } from "../defect.ts";
import { header, namedIn, operationOf, pathOf, problemCode } from "../look.ts";
import {
  letIn,
  withAddedHeader,
  withBody,
  withHeader,
  withJson,
  withoutHeader,
  withQuery,
  withStatus,
} from "../shape.ts";
import { answerOf, problemsWith } from "../when.ts";
import { deploymentRefusalDefects } from "./deployments-refusals.ts";

const same = (...variants: readonly string[]) => variants.map((variant) => `deployments/same#${variant}`);
const isFile = (request: ProxyRequest, file: string) => pathOf(request).endsWith(file);

/** Each of these would be right, or nearly so, on its own: it is the other deployment that it differs from. */
export const deploymentDefects: readonly Defect[] = [
  ...deploymentRefusalDefects,
  caught(
    "deployments/another-header",
    "Sends a header on every answer that the other deployment does not send.",
    ["deployments/same"],
    /header\/x-served-by/,
    { answer: (answer) => withAddedHeader(answer, "X-Served-By", "two") },
  ),
  caught(
    "deployments/another-charset",
    "Writes the charset of JSON otherwise.",
    same("sysinfo-call", "user.list-call", "docs.list-call", "landing", "README-application-json"),
    /header\/content-type/,
    {
      answer: (answer) =>
        header(answer, "Content-Type")?.startsWith("application/json")
          ? withHeader(answer, "Content-Type", "application/json; charset=UTF-8")
          : answer,
    },
  ),
  caught(
    "deployments/another-version",
    "Reports another version than the other deployment.",
    same("sysinfo-call", "sysinfo-without-credentials"),
    /#\/version/,
    { answer: answerOf("sysinfo", (answer) => withJson(answer, (json) => ({ ...json, version: "3.0.4" }))) },
  ),
  caught(
    "deployments/another-version-of-health",
    "Reports another version by test.health.",
    same("test.health-call", "test.health-in-query"),
    /#\/version/,
    {
      answer: answerOf("test.health", (answer) =>
        answer.status === 200 ? withJson(answer, (json) => ({ ...json, version: "3.0.4" })) : answer,
      ),
    },
  ),
  caught("deployments/another-status", "Reports another status.", same("sysinfo-call"), /#\/status/, {
    answer: answerOf("sysinfo", (answer) => withJson(answer, (json) => ({ ...json, status: "Degraded" }))),
  }),
  caught(
    "deployments/another-server",
    "Calls the server software otherwise.",
    same("sysinfo-call", "landing"),
    /#\/server/,
    {
      answer: (answer) =>
        answer.status === 200
          ? withJson(answer, (json) => (json.server ? { ...json, server: "Atpoint 2" } : json))
          : answer,
    },
  ),
  caught(
    "deployments/one-member-more",
    "Answers a user with one member more.",
    same("test.health-call"),
    /shape #\/uptime/,
    {
      answer: answerOf("test.health", (answer) =>
        answer.status === 200 ? withJson(answer, (json) => ({ ...json, uptime: 1 })) : answer,
      ),
    },
  ),
  caught(
    "deployments/needs-no-key",
    "Lets everybody in.",
    same(
      "user.list-without-credentials",
      "test.health-without-credentials",
      "user.list-invalid-key",
      "user.list-without-platform",
      "user.list-invalid-platform",
    ),
    /status: 4\d\d \| 200|status: "4\d\d" \| "200"/,
    {
      request: (request, context) =>
        namedIn(request)?.match(/^(user\.list|test\.health)$/) ? letIn(request, context) : request,
    },
  ),
  caught(
    "deployments/key-by-header-only",
    "Takes a key from the header only.",
    same("user.list-in-query", "test.health-in-query"),
    /status/,
    { request: (request) => withQuery(request, (query) => query.delete("X-API-KEY")) },
  ),
  caught(
    "deployments/any-platform",
    "Takes any platform.",
    same("user.list-invalid-platform", "test.health-invalid-platform"),
    /status/,
    {
      request: (request) =>
        header(request, "X-PLATFORM") === "not-a-platform" ? withHeader(request, "X-PLATFORM", "web") : request,
    },
  ),
  caught(
    "deployments/403-for-401",
    "Refuses invalid keys with 403.",
    same("user.list-invalid-key", "test.health-invalid-key", "user.create-invalid-key"),
    /status/,
    { answer: problemsWith("credentials-invalid", (answer) => withStatus(answer, 403)) },
  ),
  caught("deployments/another-code", "Calls an unknown operation otherwise.", same("unknown-operation"), /#\/code/, {
    answer: problemsWith("operation-not-found", (answer) =>
      withJson(answer, (json) => ({ ...json, code: "path-not-found" })),
    ),
  }),
  caught(
    "deployments/another-wording",
    "Has other words for what is not found.",
    same("unknown-operation"),
    /#\/title/,
    {
      answer: (answer) =>
        problemCode(answer) ? withJson(answer, (json) => ({ ...json, title: `${json.title}.` })) : answer,
    },
  ),
  caught(
    "deployments/another-type",
    "Names the problem by its own address.",
    same("unknown-path", "unknown-document", "limit"),
    /#\/type/,
    {
      answer: (answer) =>
        problemCode(answer)
          ? withJson(answer, (json) => ({ ...json, type: `https://two.example/#${json.code}` }))
          : answer,
    },
  ),
  caught(
    "deployments/another-readme",
    "Serves an older README.",
    same(
      "README-application-json",
      "README-text-markdown",
      "README-text-plain",
      "README-text-html",
      "docs.get-call",
      "compressed",
    ),
    /#|etag/,
    {
      answer: answerOf("docs.get.README", (answer) =>
        answer.status === 200
          ? withHeader(
              withBody(answer, '{"name":"README","title":"Old","mediaType":"text/markdown","content":""}'),
              "ETag",
              '"old"',
            )
          : answer,
      ),
    },
  ),
  caught(
    "deployments/no-changelog",
    "Has no changelog.",
    same("changelog-application-json", "changelog-text-html", "changelog-text-markdown", "changelog-text-plain"),
    /status/,
    {
      request: (request) =>
        withQuery(request, (query) => query.get("@") === "docs.get.changelog" && query.set("@", "docs.get.changes")),
    },
  ),
  caught(
    "deployments/one-document-more",
    "Lists one document more.",
    same("docs.list-call", "docs.list-without-credentials"),
    /#\/items/,
    {
      answer: answerOf("docs.list", (answer) =>
        answer.status === 200
          ? withJson(answer, (json) => ({
              items: [...(Array.isArray(json.items) ? json.items : []), { name: "LICENSE" }],
            }))
          : answer,
      ),
    },
  ),
  caught(
    "deployments/another-contract",
    "Publishes another contract.",
    same("openapi.json", "openapi.yaml", "openapi.operations.json", "openapi.operations.yaml"),
    /3\.0\.4|#/,
    {
      answer: (answer, request) =>
        isFile(request, ".json") || isFile(request, ".yaml")
          ? withBody(answer, answer.body.toString().replace("3.0.3", "3.0.4"))
          : answer,
    },
  ),
  caught("deployments/does-not-compress", "Does not compress.", same("compressed"), /content-encoding/, {
    request: (request) => withoutHeader(request, "Accept-Encoding"),
  }),
  caught(
    "deployments/kept-longer",
    "Lets documents be kept for an hour.",
    same("README-text-html", "docs.get-call"),
    /cache-control/,
    { answer: answerOf("docs.get.", (answer) => withHeader(answer, "Cache-Control", "public, max-age=3600")) },
  ),
  caught(
    "deployments/another-origin",
    "Allows one origin only.",
    same("preflight", "sysinfo-call", "unknown-path"),
    /access-control-allow-origin/,
    { answer: (answer) => withHeader(answer, "Access-Control-Allow-Origin", "https://app.example") },
  ),
  caught("deployments/no-redirect", "Serves /api as well.", same("redirect"), /status/, {
    request: (request) =>
      isFile(request, "/api") ? { ...request, target: request.target.replace("/api", "/api/") } : request,
  }),
  caught("deployments/another-limit", "Takes a larger page.", same("limit"), /status/, {
    request: (request) => withQuery(request, (query) => query.get("limit") === "201" && query.set("limit", "200")),
  }),
  caught("deployments/wrong-method-served", "Serves sysinfo by POST.", same("sysinfo-wrong-method"), /status/, {
    request: (request) =>
      operationOf(request) === "sysinfo" && request.method === "POST"
        ? { ...request, method: "GET", target: `${pathOf(request)}?@=sysinfo`, body: Buffer.alloc(0) }
        : request,
  }),
];
