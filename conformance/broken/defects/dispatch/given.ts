import { commands, queries } from "../../../client/operation.ts";
import type { Defect } from "../../defect.ts";
import { header, pathOf, queryOf } from "../../look.ts";
import { respondProblem, withJsonBody, withQuery } from "../../shape.ts";
import { checksOf, knownOperation } from "./words.ts";

const area = "dispatch";

/** `/api/user.list`, `/api/@user.list`: the operation that a path could mean. */
const inPath = /^\/api\/@?([a-z]+(?:\.\w+)*)\/?$/;

export const givenDispatchDefects: readonly Defect[] = [
  {
    id: "dispatch/at-ignored",
    area,
    description: "Answers every operation of GET with docs.list.",
    requirements: ["dispatch/one-path"],
    catches: ["dispatch/one-path#by-at"],
    reason: /each its own document/,
    request: (request) =>
      request.method === "GET" && knownOperation(request) ? { ...request, target: "/api/?@=docs.list" } : request,
  },
  {
    id: "dispatch/header-chooses",
    area,
    description: "Takes the operation from the header X-Operation when there is one.",
    requirements: ["dispatch/one-path"],
    catches: ["dispatch/one-path#not-by-header"],
    reason: /header not to choose|refusal/,
    request: (request) => {
      const named = header(request, "X-Operation");
      return named !== null && request.method === "GET"
        ? withQuery(request, (query) => query.set("@", named))
        : request;
    },
  },
  {
    id: "dispatch/parameter-operation",
    area,
    description: "Takes `operation`, `op` and `action` for `@`.",
    requirements: ["dispatch/one-path", "dispatch/missing"],
    catches: ["dispatch/one-path#not-by-other-parameter", "dispatch/missing#nearly-at"],
    reason: /refusal|400/,
    request: (request) =>
      withQuery(request, (query) => {
        for (const alias of ["operation", "op", "action"]) {
          const named = query.get(alias);
          if (named === null || query.has("@")) continue;
          query.delete(alias);
          query.set("@", named);
        }
      }),
  },
  {
    id: "dispatch/path-chooses",
    area,
    description: "Takes the operation of GET from the path behind /api/.",
    requirements: ["dispatch/not-by-path"],
    catches: [...checksOf("dispatch/not-by-path", queries), "dispatch/not-by-path#at-beside-a-path"],
    reason: /refusal|not to choose/,
    request: (request) => {
      const [, name] = inPath.exec(pathOf(request)) ?? [];
      if (name === undefined || request.method !== "GET") return request;
      const query = queryOf(request);
      query.set("@", name);
      return { ...request, target: `/api/?${query}` };
    },
  },
  {
    id: "dispatch/path-chooses-post",
    area,
    description: "Takes the operation of POST from the path behind /api/, and the body as its input.",
    requirements: ["dispatch/not-by-path"],
    catches: checksOf("dispatch/not-by-path", commands),
    reason: /refusal/,
    request: (request) => {
      const [, name] = inPath.exec(pathOf(request)) ?? [];
      if (name === undefined || request.method !== "POST") return request;
      return { ...withJsonBody(request, ({ data }) => ({ "@": name, data })), target: "/api/" };
    },
  },
  {
    id: "dispatch/version-in-path",
    area,
    description: "Serves the endpoint at /api/v3/ as well.",
    requirements: ["dispatch/no-version-in-path"],
    catches: ["dispatch/no-version-in-path"],
    reason: /refusal/,
    request: (request) => ({ ...request, target: request.target.replace(/^\/api\/v?3\//, "/api/") }),
  },
  {
    id: "dispatch/version-before-path",
    area,
    description: "Serves the endpoint at /v3/api/ as well.",
    requirements: ["dispatch/no-version-in-path"],
    catches: ["dispatch/no-version-in-path"],
    reason: /refusal/,
    request: (request) => ({ ...request, target: request.target.replace(/^\/v\d[.\d]*\/api/, "/api") }),
  },
  {
    id: "dispatch/at-must-be-first",
    area,
    description: "Finds `@` only as the first parameter of the query.",
    requirements: ["dispatch/query-style"],
    catches: ["dispatch/query-style#user.list", "dispatch/query-style#test.health"],
    reason: /acceptance/,
    request: (request) =>
      /[?]./.test(request.target) && request.method === "GET" && !/[?](@|%40)=/.test(request.target)
        ? respondProblem(400, "operation-missing")
        : request,
  },
  {
    id: "dispatch/raw-at-unknown",
    area,
    description: "Knows the parameter `@` only as `%40`.",
    requirements: ["dispatch/query-style", "dispatch/percent-encoded"],
    catches: [...checksOf("dispatch/query-style", queries), "dispatch/percent-encoded#name"],
    reason: /acceptance|200/,
    request: (request) => (/[?&]@=/.test(request.target) ? respondProblem(400, "operation-missing") : request),
  },
];
