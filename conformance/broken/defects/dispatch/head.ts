import { queries } from "../../../client/operation.ts";
import type { Defect, ProxyRequest } from "../../defect.ts";
import { namedIn } from "../../look.ts";
import { respond, respondProblem, verbatim, withHeader, withoutHeader, withStatus } from "../../shape.ts";
import { checksOf, knownOperation } from "./words.ts";

const area = "method";

const head = (...variants: readonly string[]) => variants.map((variant) => `dispatch/head#${variant}`);
const operations = checksOf("dispatch/head", queries);
const measured = checksOf(
  "dispatch/head",
  queries.filter(({ id }) => id !== "sysinfo"),
);
const guardedQueries = queries.filter(({ auth }) => auth);
const isHead = (request: ProxyRequest) => request.method === "HEAD";

export const headDefects: readonly Defect[] = [
  {
    id: "method/head-other-headers",
    area,
    description: "Answers HEAD with another media type than GET.",
    requirements: ["dispatch/head"],
    catches: [...operations, ...head("refusals", "conditional")],
    reason: /content-type/i,
    answer: (answer, request) =>
      isHead(request) && namedIn(request) ? withHeader(answer, "Content-Type", "text/html") : answer,
  },
  {
    id: "method/head-without-type",
    area,
    description: "Answers HEAD without a media type.",
    requirements: ["dispatch/head"],
    catches: [...operations, ...head("refusals", "paths")],
    reason: /content-type/i,
    answer: (answer, request) => (isHead(request) ? withoutHeader(answer, "Content-Type") : answer),
  },
  {
    id: "method/head-404",
    area,
    description: "Has no route for HEAD.",
    requirements: ["dispatch/head"],
    catches: [...operations, ...head("refusals", "conditional", "paths")],
    reason: /status/,
    request: (request) => (isHead(request) ? respondProblem(404, "path-not-found") : request),
  },
  {
    id: "method/head-405",
    area,
    description: "Does not take HEAD at the endpoint.",
    requirements: ["dispatch/head"],
    catches: [...operations, ...head("refusals", "conditional")],
    reason: /status/,
    request: (request) =>
      isHead(request) && knownOperation(request) ? respondProblem(405, "method-not-allowed") : request,
  },
  {
    id: "method/head-always-200",
    area,
    description: "Answers HEAD with 200, whatever GET would get.",
    requirements: ["dispatch/head"],
    catches: head("refusals", "conditional", "paths"),
    reason: /status/,
    answer: (answer, request) => (isHead(request) ? withStatus(answer, 200) : answer),
  },
  {
    id: "method/head-204",
    area,
    description: "Answers HEAD with 204.",
    requirements: ["dispatch/head"],
    catches: [...operations, ...head("paths")],
    reason: /status/,
    answer: (answer, request) => (isHead(request) && answer.status === 200 ? withStatus(answer, 204) : answer),
  },
  {
    id: "method/head-without-credentials",
    area,
    description: "Does not judge credentials on HEAD.",
    requirements: ["dispatch/head"],
    catches: ["dispatch/head#refusals", ...checksOf("dispatch/head#refused", guardedQueries)],
    reason: /status/,
    answer: (answer, request) => (isHead(request) && answer.status === 401 ? respond(200, {}) : answer),
  },
  {
    id: "method/head-without-input",
    area,
    description: "Does not judge the input of HEAD.",
    requirements: ["dispatch/head"],
    catches: checksOf("dispatch/head#refused", queries),
    reason: /status/,
    answer: (answer, request) => (isHead(request) && answer.status === 422 ? respond(200, {}) : answer),
  },
  {
    id: "method/head-refusals-no-length",
    area,
    description: "Refuses HEAD with the length of no body.",
    requirements: ["dispatch/head"],
    catches: [...checksOf("dispatch/head#refused", queries), ...head("paths")],
    reason: /content-length/,
    answer: (answer, request) =>
      isHead(request) && answer.status >= 400 ? withHeader(answer, "Content-Length", "0") : answer,
  },
  {
    id: "method/head-without-link",
    area,
    description: "Answers HEAD without the link to the next page.",
    requirements: ["dispatch/head"],
    catches: head("user.list", "next-page"),
    reason: /link/,
    answer: (answer, request) => (isHead(request) ? withoutHeader(answer, "Link") : answer),
  },
  {
    id: "method/head-redirect-without-query",
    area,
    description: "Redirects HEAD without its query.",
    requirements: ["dispatch/head"],
    catches: head("paths"),
    reason: /location/,
    answer: (answer, request) =>
      isHead(request) && answer.status === 308 ? withHeader(answer, "Location", "api/") : answer,
  },
  {
    id: "method/head-no-length",
    area,
    description: "Answers HEAD with the length of no body.",
    requirements: ["dispatch/head"],
    catches: [...measured, ...head("paths")],
    reason: /content-length/,
    answer: (answer, request) => (isHead(request) ? withHeader(answer, "Content-Length", "0") : answer),
  },
  {
    id: "method/head-without-etag",
    area,
    description: "Answers HEAD without an entity tag.",
    requirements: ["dispatch/head"],
    catches: head("docs.get", "conditional", "paths"),
    reason: /etag/,
    answer: (answer, request) => (isHead(request) ? withoutHeader(answer, "ETag") : answer),
  },
  {
    id: "method/head-not-conditional",
    area,
    description: "Answers a conditional HEAD as if nothing were asked.",
    requirements: ["dispatch/head"],
    catches: head("conditional"),
    reason: /status/,
    request: (request) => (isHead(request) ? withoutHeader(request, "If-None-Match") : request),
  },
  {
    id: "method/head-other-caching",
    area,
    description: "Lets answers to HEAD be cached for a day.",
    requirements: ["dispatch/head"],
    catches: [...operations, ...head("refusals", "paths")],
    reason: /cache-control/,
    answer: (answer, request) =>
      isHead(request) ? withHeader(answer, "Cache-Control", "public, max-age=86400") : answer,
  },
  {
    id: "method/head-without-operation",
    area,
    description: "Does not name the operation to HEAD.",
    requirements: ["dispatch/head"],
    catches: [...operations, ...head("refusals", "conditional")],
    reason: /x-operation/,
    answer: (answer, request) => (isHead(request) ? withoutHeader(answer, "X-Operation") : answer),
  },
  {
    id: "method/head-ignores-accept",
    area,
    description: "Answers HEAD with the first representation, whatever Accept says.",
    requirements: ["dispatch/head"],
    catches: head("docs.get", "paths"),
    reason: /content-type|etag|vary/i,
    request: (request) => (isHead(request) ? withoutHeader(request, "Accept") : request),
  },
  {
    id: "method/head-never-coded",
    area,
    description: "Answers HEAD as if no content coding were accepted.",
    requirements: ["dispatch/head"],
    catches: head("docs.get"),
    reason: /content-encoding|content-length|etag/,
    request: (request) => (isHead(request) ? withoutHeader(request, "Accept-Encoding") : request),
  },
  {
    id: "method/head-with-body",
    area,
    description: "Sends the body of GET to HEAD.",
    requirements: ["dispatch/head"],
    catches: head("no-body"),
    reason: /no body/,
    answer: async (answer, request, { forward }) =>
      isHead(request) ? verbatim(await forward({ ...request, method: "GET" })) : answer,
  },
  {
    id: "method/head-problem-with-body",
    area,
    description: "Sends problem documents to HEAD.",
    requirements: ["dispatch/head"],
    catches: head("no-body"),
    reason: /no body/,
    answer: async (answer, request, { forward }) =>
      isHead(request) && answer.status >= 400 ? verbatim(await forward({ ...request, method: "GET" })) : answer,
  },
];
