import type { Defect, ProxyRequest } from "../../defect.ts";
import { header, jsonBody, namedIn, queryOf } from "../../look.ts";
import { respondProblem, withJson, withJsonBody, withQuery, withStatus } from "../../shape.ts";
import { problemsWith } from "../../when.ts";
import { isPost, secretly, withoutAt } from "./words.ts";

const area = "dispatch";

const unnamed = (request: ProxyRequest) => !isPost(request) && request.method !== "OPTIONS" && !namedIn(request);

function bodyNamedByQuery(request: ProxyRequest): ProxyRequest {
  const named = queryOf(request).get("@");
  const own = jsonBody(request)?.["@"];
  if (!isPost(request) || !named || (typeof own === "string" && own !== "")) return request;
  return withJsonBody(withoutAt(request), (body) => ({ ...body, "@": named }));
}

export const namingDefects: readonly Defect[] = [
  {
    id: "dispatch/missing-is-sysinfo",
    area,
    description: "Answers a request without `@` with sysinfo.",
    requirements: ["dispatch/missing"],
    catches: ["absent", "nearly-at", "credentials-do-not-matter", "HEAD"].map((each) => `dispatch/missing#${each}`),
    reason: /400/,
    request: (request) => (unnamed(request) ? { ...request, target: "/api/?@=sysinfo" } : request),
  },
  {
    id: "dispatch/empty-is-unknown",
    area,
    description: "Answers 404 to an empty `@`.",
    requirements: ["dispatch/missing"],
    catches: ["dispatch/missing#absent", "dispatch/missing#HEAD"],
    reason: /400/,
    request: (request) => (queryOf(request).get("@") === "" ? respondProblem(404, "operation-not-found") : request),
  },
  {
    id: "dispatch/missing-asks-for-a-key",
    area,
    description: "Judges credentials before it misses the operation.",
    requirements: ["dispatch/missing"],
    catches: ["dispatch/missing#absent", "dispatch/missing#credentials-do-not-matter"],
    reason: /400/,
    request: (request, { credentials }) =>
      unnamed(request) && header(request, "X-API-KEY") !== credentials?.key
        ? respondProblem(401, "credentials-missing")
        : request,
  },
  {
    id: "dispatch/parameter-names-cleaned",
    area,
    description: "Takes a parameter for `@` when blanks, brackets or a second escape stand beside it.",
    requirements: ["dispatch/missing"],
    catches: ["dispatch/missing#nearly-at"],
    reason: /400/,
    request: (request) =>
      isPost(request)
        ? request
        : withQuery(request, (query) => {
            const [name, value] = [...query].find(([each]) => /^(%40| ?@ ?|@\[\d*\])$/.test(each)) ?? [];
            if (name !== undefined && value !== undefined) query.set("@", value);
          }),
  },
  {
    id: "dispatch/missing-422",
    area,
    description: "Answers 422 to a body without `@`.",
    requirements: ["dispatch/missing-in-body"],
    catches: ["absent", "not-a-string", "nearly-at", "only-in-query", "only-in-header", "empty-object"].map(
      (each) => `dispatch/missing-in-body#${each}`,
    ),
    reason: /400/,
    answer: problemsWith("operation-missing", (answer, request) =>
      isPost(request)
        ? withStatus(
            withJson(answer, (body) => ({ ...body, status: 422, code: "invalid-input" })),
            422,
          )
        : answer,
    ),
  },
  {
    id: "dispatch/body-defaults-to-create",
    area,
    description: "Takes a body without `@` for user.create.",
    requirements: ["dispatch/missing-in-body"],
    catches: ["dispatch/missing-in-body#absent"],
    reason: /400/,
    request: (request) => withJsonBody(request, (body) => (body["@"] ? body : { ...body, "@": "user.create" })),
  },
  {
    id: "dispatch/empty-at-unknown-in-body",
    area,
    description: "Answers 404 to an empty `@` in a body.",
    requirements: ["dispatch/missing-in-body"],
    catches: ["dispatch/missing-in-body#absent"],
    reason: /400/,
    request: (request) => (jsonBody(request)?.["@"] === "" ? respondProblem(404, "operation-not-found") : request),
  },
  {
    id: "dispatch/at-made-text",
    area,
    description: 'Makes text of an `@` that is none: `["user.create"]` is user.create.',
    requirements: ["dispatch/missing-in-body"],
    catches: ["dispatch/missing-in-body#not-a-string"],
    reason: /400/,
    request: (request) =>
      withJsonBody(request, (body) => (Array.isArray(body["@"]) ? { ...body, "@": String(body["@"]) } : body)),
  },
  {
    id: "dispatch/at-no-text-crashes",
    area,
    description: "Fails on an `@` that is no text.",
    requirements: ["dispatch/missing-in-body"],
    catches: ["dispatch/missing-in-body#not-a-string"],
    reason: /400/,
    request: (request) => {
      const name = jsonBody(request)?.["@"];
      return typeof name === "object" || typeof name === "number" ? respondProblem(500, "internal-error") : request;
    },
  },
  {
    id: "dispatch/body-members-cleaned",
    area,
    description: "Takes `op`, and `@` with blanks, for `@` in a body.",
    requirements: ["dispatch/missing-in-body"],
    catches: ["dispatch/missing-in-body#nearly-at"],
    reason: /400/,
    request: (request) =>
      withJsonBody(request, (body) =>
        Object.fromEntries(Object.entries(body).map(([name, value]) => [name === "op" ? "@" : name.trim(), value])),
      ),
  },
  {
    id: "dispatch/post-reads-query",
    area,
    description: "Takes the operation of a POST from the query when the body has none.",
    requirements: ["dispatch/missing-in-body"],
    catches: ["dispatch/missing-in-body#only-in-query"],
    reason: /400/,
    request: bodyNamedByQuery,
  },
  {
    id: "dispatch/post-reads-query-secretly",
    area,
    description: "Refuses a POST whose operation stands in the query, and carries it out.",
    requirements: ["dispatch/missing-in-body"],
    catches: ["dispatch/missing-in-body#only-in-query"],
    reason: /is a user now/,
    request: secretly(bodyNamedByQuery),
  },
  {
    id: "dispatch/post-reads-header",
    area,
    description: "Takes the operation of a POST from a header.",
    requirements: ["dispatch/missing-in-body"],
    catches: ["dispatch/missing-in-body#only-in-header"],
    reason: /400/,
    request: (request) => {
      const named = header(request, "X-Operation");
      return named === null ? request : withJsonBody(request, (body) => ({ "@": named, ...body }));
    },
  },
  {
    id: "dispatch/empty-body-422",
    area,
    description: "Takes an empty object for one whose input is missing.",
    requirements: ["dispatch/missing-in-body"],
    catches: ["dispatch/missing-in-body#empty-object"],
    reason: /400/,
    request: (request) => (request.body.toString() === "{}" ? respondProblem(422, "invalid-input") : request),
  },
];
