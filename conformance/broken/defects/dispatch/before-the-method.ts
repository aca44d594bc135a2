import { commands, guarded, queries } from "../../../client/operation.ts";
import type { Defect, ProxyRequest } from "../../defect.ts";
import { header, jsonBody, namedIn, pathOf, queryOf } from "../../look.ts";
import { respondProblem } from "../../shape.ts";
import { answersWith, problemsWith } from "../../when.ts";
import { changeAllow, checksOf, namesPost, onEndpoint } from "./words.ts";

/** What is judged, or read, before the method that it belongs behind. */

const area = "method";

const writes = (request: ProxyRequest) => ["PUT", "PATCH", "DELETE"].includes(request.method);
const paths = ["/", "/openapi.json", "/openapi.yaml", "/openapi.operations.json", "/robots.txt"];

export const beforeTheMethodDefects: readonly Defect[] = [
  {
    id: "method/no-allow-without-a-key",
    area,
    description: "Sends Allow only to who sends a key.",
    requirements: ["dispatch/wrong-method"],
    catches: checksOf("dispatch/wrong-method", guarded),
    reason: /Allow/,
    answer: answersWith(405, (answer, request) =>
      header(request, "X-API-KEY") === null ? changeAllow(() => null)(answer) : answer,
    ),
  },
  {
    id: "method/document-before-method",
    area,
    description: "Looks for the document before it judges the method.",
    requirements: ["dispatch/wrong-method"],
    catches: ["dispatch/wrong-method#docs.get"],
    reason: /405/,
    answer: problemsWith("method-not-allowed", (answer, request) =>
      namedIn(request) === "docs.get.no-such" ? respondProblem(404, "document-not-found") : answer,
    ),
  },
  {
    id: "method/members-before-method",
    area,
    description: "Judges the members of a body before the method of the operation that it names.",
    requirements: ["dispatch/wrong-method"],
    catches: checksOf("dispatch/wrong-method", queries),
    reason: /405/,
    answer: problemsWith("method-not-allowed", (answer, request) =>
      jsonBody(request)?.["no-such-member"] === undefined ? answer : respondProblem(422, "invalid-input"),
    ),
  },
  {
    id: "method/data-before-method",
    area,
    description: "Misses `data` in a body before it judges the method of the operation that it names.",
    requirements: ["dispatch/wrong-method"],
    catches: checksOf("dispatch/wrong-method", queries),
    reason: /405/,
    answer: problemsWith("method-not-allowed", (answer, request) => {
      const body = jsonBody(request);
      return body && body.data === undefined ? respondProblem(422, "invalid-input") : answer;
    }),
  },
  {
    id: "method/parameters-before-method",
    area,
    description: "Judges the parameters of a GET before the method of the operation that it names.",
    requirements: ["dispatch/wrong-method"],
    catches: checksOf("dispatch/wrong-method", commands),
    reason: /405/,
    answer: answersWith(405, (answer, request) =>
      namesPost(request) && queryOf(request).has("no-such-parameter") ? respondProblem(422, "invalid-input") : answer,
    ),
  },
  {
    id: "method/body-parsed-first",
    area,
    description: "Parses the body of PUT, PATCH and DELETE before it finds that they are not allowed.",
    requirements: ["dispatch/unknown-method", "dispatch/other-paths-methods"],
    catches: [
      "dispatch/unknown-method#before-the-body",
      ...paths.map((path) => `dispatch/other-paths-methods#${path}`),
    ],
    reason: /405/,
    request: (request) =>
      writes(request) && request.body.length > 0 && !jsonBody(request)
        ? respondProblem(400, "malformed-json")
        : request,
  },
  {
    id: "method/media-type-first",
    area,
    description: "Judges the media type of PUT, PATCH and DELETE before it finds that they are not allowed.",
    requirements: ["dispatch/unknown-method"],
    catches: ["dispatch/unknown-method#before-the-body"],
    reason: /405/,
    request: (request) =>
      writes(request) && header(request, "Content-Type") === "text/plain"
        ? respondProblem(415, "unsupported-media-type")
        : request,
  },
  {
    id: "method/rare-without-allow",
    area,
    description: "Answers 405 without Allow to methods that it has no route for.",
    requirements: ["dispatch/unknown-method"],
    catches: ["dispatch/unknown-method#rare"],
    reason: /Allow/,
    answer: answersWith(405, (answer, request) =>
      ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "TRACE"].includes(request.method)
        ? answer
        : changeAllow(() => null)(answer),
    ),
  },
  {
    id: "method/redirects-any-method",
    area,
    description: "Redirects every method from /api.",
    requirements: ["dispatch/other-paths-methods"],
    catches: ["dispatch/other-paths-methods#/api"],
    reason: /405/,
    request: (request) =>
      pathOf(request) === "/api" && !["GET", "HEAD", "POST", "OPTIONS"].includes(request.method)
        ? { ...request, method: "GET" }
        : request,
  },
  {
    id: "method/redirect-without-allow",
    area,
    description: "Does not say which methods /api takes.",
    requirements: ["dispatch/other-paths-methods"],
    catches: ["dispatch/other-paths-methods#/api"],
    reason: /Allow/,
    answer: (answer, request) => (pathOf(request) === "/api" ? changeAllow(() => null)(answer) : answer),
  },
  {
    id: "options/repeated-parameter",
    area,
    description: "Refuses OPTIONS with a parameter that is repeated.",
    requirements: ["dispatch/options"],
    catches: ["dispatch/options#whatever-the-operation", "dispatch/options#whatever-the-credentials"],
    reason: /204/,
    request: (request) => {
      const names = [...queryOf(request).keys()];
      return request.method === "OPTIONS" && new Set(names).size < names.length
        ? respondProblem(400, "parameter-repeated")
        : request;
    },
  },
  {
    id: "options/repeated-credential",
    area,
    description: "Refuses OPTIONS with two keys.",
    requirements: ["dispatch/options"],
    catches: ["dispatch/options#whatever-the-credentials"],
    reason: /204/,
    request: (request) =>
      request.method === "OPTIONS" && request.headers.filter(([name]) => /^x-api-key$/i.test(name)).length > 1
        ? respondProblem(400, "parameter-repeated")
        : request,
  },
  {
    id: "options/reads-the-query",
    area,
    description: "Refuses OPTIONS whose query cannot be read.",
    requirements: ["dispatch/options"],
    catches: ["dispatch/options#whatever-the-operation"],
    reason: /204/,
    request: (request) =>
      request.method === "OPTIONS" && /%(?![0-9a-f]{2})/i.test(request.target)
        ? respondProblem(400, "malformed-query")
        : request,
  },
  {
    id: "options/reads-the-body",
    area,
    description: "Reads the body of OPTIONS.",
    requirements: ["dispatch/options"],
    catches: ["dispatch/options#whatever-the-headers"],
    reason: /204/,
    request: (request) =>
      request.method === "OPTIONS" && request.body.length > 0 ? respondProblem(400, "malformed-json") : request,
  },
  {
    id: "options/preflight-elsewhere-without-allow",
    area,
    description: "Leaves Allow out of the answer to a preflight of any path but the endpoint.",
    requirements: ["dispatch/other-paths-methods"],
    catches: paths.map((path) => `dispatch/other-paths-methods#${path}`),
    reason: /Allow/,
    answer: answersWith(204, (answer, request) =>
      onEndpoint(request) || header(request, "Access-Control-Request-Method") === null
        ? answer
        : changeAllow(() => null)(answer),
    ),
  },
];
