import type { Defect, ProxyRequest } from "../../defect.ts";
import { header, namedIn, pathOf } from "../../look.ts";
import { respondProblem, verbatim, withBody, withHeader, withoutHeader, withStatus } from "../../shape.ts";
import { answersWith } from "../../when.ts";
import { changeAllow, checksOf, knownOperation, namesKey, onEndpoint } from "./words.ts";

const area = "method";

const paths = [
  "/",
  "/openapi.json",
  "/openapi.yaml",
  "/openapi.operations.json",
  "/openapi.operations.yaml",
  "/robots.txt",
];
const otherPaths = paths.map((path) => `dispatch/other-paths-methods#${path}`);
const options = (...variants: readonly string[]) => variants.map((variant) => `dispatch/options#${variant}`);
const allOptions = [
  ...checksOf("dispatch/options"),
  ...options("whatever-the-operation", "whatever-the-credentials", "whatever-the-headers"),
];

const isOptions = (request: ProxyRequest) => request.method === "OPTIONS";
const withoutPreflight = ({ headers }: ProxyRequest) =>
  !headers.some(([name]) => /^access-control-request-method$/i.test(name));

export const optionsDefects: readonly Defect[] = [
  {
    id: "method/other-paths-take-post",
    area,
    description: "Takes POST on the other paths for GET.",
    requirements: ["dispatch/other-paths-methods"],
    catches: [...otherPaths, "dispatch/other-paths-methods#optional"],
    reason: /405/,
    request: (request) =>
      request.method === "POST" && !onEndpoint(request)
        ? { ...request, method: "GET", body: Buffer.alloc(0) }
        : request,
  },
  {
    id: "method/other-paths-allow-post",
    area,
    description: "Lists POST in Allow of every path.",
    requirements: ["dispatch/other-paths-methods"],
    catches: [...otherPaths, "dispatch/other-paths-methods#optional"],
    reason: /Allow/,
    answer: (answer, request) => (onEndpoint(request) ? answer : changeAllow(() => "GET, HEAD, POST, OPTIONS")(answer)),
  },
  {
    id: "method/other-paths-404",
    area,
    description: "Answers 404 to a method that a path does not take.",
    requirements: ["dispatch/other-paths-methods"],
    catches: [...otherPaths, "dispatch/other-paths-methods#optional"],
    reason: /405/,
    answer: (answer, request) =>
      answer.status === 405 && !onEndpoint(request) ? respondProblem(404, "path-not-found") : answer,
  },
  {
    id: "method/other-paths-no-options",
    area,
    description: "Refuses OPTIONS on the other paths.",
    requirements: ["dispatch/other-paths-methods"],
    catches: [...otherPaths, "dispatch/other-paths-methods#optional"],
    reason: /204/,
    request: (request) =>
      isOptions(request) && !onEndpoint(request) ? respondProblem(405, "method-not-allowed") : request,
  },
  {
    id: "method/slashless-reads-only",
    area,
    description: "Lists in Allow of /api what other paths take.",
    requirements: ["dispatch/other-paths-methods"],
    catches: ["dispatch/other-paths-methods#/api"],
    reason: /Allow/,
    answer: (answer, request) =>
      pathOf(request) === "/api" ? changeAllow(() => "GET, HEAD, OPTIONS")(answer) : answer,
  },

  {
    id: "options/200",
    area,
    description: "Answers OPTIONS with 200 and an empty object.",
    requirements: ["dispatch/options"],
    catches: allOptions,
    reason: /204/,
    answer: (answer, request) => (isOptions(request) ? withBody(withStatus(answer, 200), "{}") : answer),
  },
  {
    id: "options/204-with-body",
    area,
    description: "Sends a body with 204.",
    requirements: ["dispatch/options"],
    catches: options("no-body"),
    reason: /without a body/,
    answer: answersWith(204, (answer) => verbatim(withBody(answer, "{}"))),
  },
  {
    id: "options/no-allow",
    area,
    description: "Answers OPTIONS without Allow.",
    requirements: ["dispatch/options"],
    catches: allOptions,
    reason: /Allow/,
    answer: answersWith(
      204,
      changeAllow(() => null),
    ),
  },
  {
    id: "options/needs-a-key",
    area,
    description: "Answers OPTIONS only to who sends a key, so that no browser gets in.",
    requirements: ["dispatch/options"],
    catches: checksOf("dispatch/options"),
    reason: /204/,
    request: (request) =>
      isOptions(request) && !namesKey(request) ? respondProblem(401, "credentials-missing") : request,
  },
  {
    id: "options/judges-the-key",
    area,
    description: "Refuses OPTIONS with a key that is not valid.",
    requirements: ["dispatch/options"],
    catches: options("whatever-the-credentials"),
    reason: /204/,
    request: (request) =>
      isOptions(request) && header(request, "X-API-KEY") === "not-a-key"
        ? respondProblem(401, "credentials-invalid")
        : request,
  },
  {
    id: "options/judges-the-operation",
    area,
    description: "Answers 404 to OPTIONS of an unknown operation.",
    requirements: ["dispatch/options"],
    catches: options("whatever-the-operation"),
    reason: /204/,
    request: (request) =>
      isOptions(request) && namedIn(request) && !knownOperation(request)
        ? respondProblem(404, "operation-not-found")
        : request,
  },
  {
    id: "options/needs-an-operation",
    area,
    description: "Refuses OPTIONS without an operation.",
    requirements: ["dispatch/options"],
    catches: options("whatever-the-operation", "whatever-the-headers"),
    reason: /204/,
    request: (request) =>
      isOptions(request) && onEndpoint(request) && !namedIn(request)
        ? respondProblem(400, "operation-missing")
        : request,
  },
  {
    id: "options/of-the-operation",
    area,
    description: "Lists in Allow to OPTIONS the methods of the operation.",
    requirements: ["dispatch/options"],
    catches: checksOf("dispatch/options"),
    reason: /Allow/,
    answer: answersWith(204, (answer, request) => {
      const operation = knownOperation(request);
      if (!operation) return answer;
      return withHeader(answer, "Allow", operation.method === "GET" ? "GET, HEAD, OPTIONS" : "POST, OPTIONS");
    }),
  },
  {
    id: "options/preflight-only",
    area,
    description: "Answers OPTIONS only when it is a preflight.",
    requirements: ["dispatch/options"],
    catches: allOptions,
    reason: /204/,
    request: (request) =>
      isOptions(request) && withoutPreflight(request) ? respondProblem(405, "method-not-allowed") : request,
  },
  {
    id: "options/preflight-without-allow",
    area,
    description: "Leaves Allow out of the answer to a preflight.",
    requirements: ["dispatch/options"],
    catches: [...checksOf("dispatch/options"), ...options("whatever-the-headers")],
    reason: /Allow/,
    answer: answersWith(204, (answer, request) =>
      withoutPreflight(request) ? answer : withoutHeader(answer, "Allow"),
    ),
  },
  {
    id: "options/judges-the-size",
    area,
    description: "Answers 413 to OPTIONS with a large body.",
    requirements: ["dispatch/options"],
    catches: options("whatever-the-body"),
    reason: /204/,
    request: (request) =>
      isOptions(request) && request.body.length > 65_536 ? respondProblem(413, "content-too-large") : request,
  },
  {
    id: "options/judges-the-type",
    area,
    description: "Answers 415 to OPTIONS with a body that is not JSON.",
    requirements: ["dispatch/options"],
    catches: options("whatever-the-body"),
    reason: /204/,
    request: (request) =>
      isOptions(request) && header(request, "Content-Type") === "text/plain"
        ? respondProblem(415, "unsupported-media-type")
        : request,
  },
  {
    id: "options/judges-accept",
    area,
    description: "Answers 406 to OPTIONS.",
    requirements: ["dispatch/options"],
    catches: options("whatever-the-headers"),
    reason: /204/,
    request: (request) =>
      isOptions(request) && header(request, "Accept") === "image/png" ? respondProblem(406, "not-acceptable") : request,
  },
];
