import { commands, queries } from "../../../client/operation.ts";
import type { Defect } from "../../defect.ts";
import { header, jsonBody, queryOf } from "../../look.ts";
import { respondProblem, withQuery } from "../../shape.ts";
import { asPost, checksOf, isPost, namesPost, onEndpoint } from "./words.ts";

const area = "method";

const bodyOnGet = [...checksOf("dispatch/body-on-get", queries), "dispatch/body-on-get#chunked"];

export const overrideDefects: readonly Defect[] = [
  {
    id: "method/override-header",
    area,
    description: "Takes the method from X-HTTP-Method-Override.",
    requirements: ["dispatch/no-method-override"],
    catches: checksOf("dispatch/no-method-override"),
    reason: /405|200|422|204/,
    request: (request) => {
      const method = header(request, "X-HTTP-Method-Override");
      return method === null ? request : { ...request, method };
    },
  },
  {
    id: "method/override-any-header",
    area,
    description: "Takes the method from X-Method-Override, for operations of POST.",
    requirements: ["dispatch/no-method-override"],
    catches: checksOf("dispatch/no-method-override", commands),
    reason: /405/,
    request: (request) =>
      namesPost(request) && header(request, "X-Method-Override") === "POST" ? asPost(request) : request,
  },
  {
    id: "method/override-parameter",
    area,
    description: "Takes the method from the parameter `_method`.",
    requirements: ["dispatch/no-method-override"],
    catches: checksOf("dispatch/no-method-override", commands),
    reason: /405/,
    request: (request) =>
      namesPost(request) && queryOf(request).get("_method") === "POST"
        ? asPost(withQuery(request, (query) => query.delete("_method")))
        : request,
  },
  {
    id: "method/override-in-a-body",
    area,
    description: "Takes the method from the member `_method` of a body.",
    requirements: ["dispatch/no-method-override"],
    catches: checksOf("dispatch/no-method-override", queries),
    reason: /405/,
    request: (request) => {
      const { "@": name, _method: method } = jsonBody(request) ?? {};
      return isPost(request) && method === "GET"
        ? { ...request, method, target: `/api/?@=${name}`, body: Buffer.alloc(0) }
        : request;
    },
  },

  {
    id: "method/body-on-get-names",
    area,
    description: "Takes the operation of a GET from its body when it has one.",
    requirements: ["dispatch/body-on-get"],
    catches: bodyOnGet,
    reason: /200|as documented/,
    request: (request) => {
      const name = jsonBody(request)?.["@"];
      return request.method === "GET" && typeof name === "string"
        ? withQuery(request, (query) => query.set("@", name))
        : request;
    },
  },
  {
    id: "method/body-on-get-refused",
    area,
    description: "Refuses a GET with a body.",
    requirements: ["dispatch/body-on-get"],
    catches: bodyOnGet,
    reason: /200/,
    request: (request) =>
      request.method === "GET" && request.body.length > 0 ? respondProblem(400, "malformed-request") : request,
  },
  {
    id: "method/body-on-get-parsed",
    area,
    description: "Refuses a GET whose body is not JSON.",
    requirements: ["dispatch/body-on-get"],
    catches: checksOf("dispatch/body-on-get", queries),
    reason: /200/,
    request: (request) =>
      request.method === "GET" && request.body.length > 0 && !jsonBody(request)
        ? respondProblem(400, "malformed-json")
        : request,
  },
  {
    id: "method/body-on-get-coded",
    area,
    description: "Judges the content coding of a GET's body.",
    requirements: ["dispatch/body-on-get"],
    catches: ["dispatch/body-on-get#coded"],
    reason: /200/,
    request: (request) =>
      request.method === "GET" && header(request, "Content-Encoding") !== null
        ? respondProblem(415, "unsupported-media-type")
        : request,
  },
  {
    id: "method/body-on-get-empty",
    area,
    description: "Misses JSON in the empty body of a GET that says application/json.",
    requirements: ["dispatch/body-on-get"],
    catches: ["dispatch/body-on-get#empty"],
    reason: /200/,
    request: (request) =>
      request.method === "GET" && header(request, "Content-Type") === "application/json" && request.body.length === 0
        ? respondProblem(400, "malformed-json")
        : request,
  },
  {
    id: "method/body-on-head-refused",
    area,
    description: "Refuses HEAD with a body.",
    requirements: ["dispatch/body-on-get"],
    catches: ["dispatch/body-on-get#HEAD"],
    reason: /200/,
    request: (request) =>
      request.method === "HEAD" && request.body.length > 0 ? respondProblem(400, "malformed-request") : request,
  },
  {
    id: "method/body-on-other-paths",
    area,
    description: "Parses a body on GET of any path but the endpoint.",
    requirements: ["dispatch/body-on-get"],
    catches: ["dispatch/body-on-get#other-paths"],
    reason: /200/,
    request: (request) =>
      request.method === "GET" && !onEndpoint(request) && request.body.length > 0
        ? respondProblem(400, "malformed-json")
        : request,
  },
  {
    id: "method/form-on-get-names",
    area,
    description: "Reads the operation of a GET from a form when the query has none.",
    requirements: ["dispatch/body-on-get"],
    catches: ["dispatch/body-on-get#no-name-in-it"],
    reason: /400/,
    request: (request) =>
      request.method === "GET" && header(request, "Content-Type")?.includes("urlencoded") && !queryOf(request).has("@")
        ? { ...request, target: `/api/?${request.body}`, body: Buffer.alloc(0) }
        : request,
  },
  {
    id: "method/body-on-get-merged",
    area,
    description: "Takes members of a GET's body for parameters.",
    requirements: ["dispatch/body-on-get"],
    catches: checksOf("dispatch/body-on-get", queries),
    reason: /200/,
    request: (request) => {
      const limit = jsonBody(request)?.limit;
      return request.method === "GET" && limit !== undefined
        ? withQuery(request, (query) => query.set("limit", String(limit)))
        : request;
    },
  },
];
