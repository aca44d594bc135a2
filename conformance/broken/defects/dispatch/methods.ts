import { commands, every, queries } from "../../../client/operation.ts";
import type { Defect } from "../../defect.ts";
import { namedIn } from "../../look.ts";
import { respond, respondProblem, withJson } from "../../shape.ts";
import { answersWith, problemsWith } from "../../when.ts";
import { asPost, changeAllow, checksOf, knownOperation, namesPost } from "./words.ts";

const area = "method";

const wrong = checksOf("dispatch/wrong-method");
const unknown = (...variants: readonly string[]) => variants.map((variant) => `dispatch/unknown-method#${variant}`);
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

export const methodDefects: readonly Defect[] = [
  {
    id: "method/no-allow",
    area,
    description: "Answers 405 without Allow.",
    requirements: ["dispatch/wrong-method", "dispatch/unknown-method", "dispatch/other-paths-methods"],
    catches: [
      ...wrong,
      ...unknown("PUT", "PATCH", "DELETE", "TRACE", "PROPFIND", "with-a-body", "before-the-query"),
      ...otherPaths,
    ],
    reason: /Allow/,
    answer: answersWith(
      405,
      changeAllow(() => null),
    ),
  },
  {
    id: "method/allow-too-many",
    area,
    description: "Lists PUT in Allow.",
    requirements: [
      "dispatch/wrong-method",
      "dispatch/unknown-method",
      "dispatch/other-paths-methods",
      "dispatch/options",
    ],
    catches: [...wrong, ...unknown("PUT"), ...otherPaths, ...allOptions],
    reason: /Allow/,
    answer: changeAllow((allow) => `${allow}, PUT`),
  },
  {
    id: "method/allow-without-head",
    area,
    description: "Leaves HEAD out of Allow.",
    requirements: [
      "dispatch/wrong-method",
      "dispatch/unknown-method",
      "dispatch/other-paths-methods",
      "dispatch/options",
    ],
    catches: [...checksOf("dispatch/wrong-method", queries), ...unknown("PUT"), ...otherPaths, ...allOptions],
    reason: /Allow/,
    answer: changeAllow((allow) => allow.replace(/HEAD, ?/, "")),
  },
  {
    id: "method/allow-of-the-path",
    area,
    description: "Lists the methods of the path where those of the operation belong.",
    requirements: ["dispatch/wrong-method"],
    catches: wrong,
    reason: /Allow/,
    answer: answersWith(
      405,
      changeAllow(() => "GET, HEAD, POST, OPTIONS"),
    ),
  },
  {
    id: "method/head-of-a-command",
    area,
    description: "Answers HEAD of an operation of POST with 200.",
    requirements: ["dispatch/wrong-method", "dispatch/get-changes-nothing"],
    catches: [...checksOf("dispatch/wrong-method", commands), ...checksOf("dispatch/get-changes-nothing", commands)],
    reason: /405/,
    request: (request) => (request.method === "HEAD" && namesPost(request) ? respond(200, {}) : request),
  },
  {
    id: "method/wrong-is-unknown",
    area,
    description: "Answers 404 to an operation with the wrong method.",
    requirements: ["dispatch/wrong-method"],
    catches: wrong,
    reason: /405/,
    request: (request) => {
      const operation = knownOperation(request);
      const right = request.method === "HEAD" ? "GET" : request.method;
      return operation && right !== operation.method && ["GET", "POST"].includes(right)
        ? respondProblem(404, "operation-not-found")
        : request;
    },
  },
  {
    id: "method/post-of-a-query",
    area,
    description: "Serves operations of GET by POST too.",
    requirements: ["dispatch/wrong-method"],
    catches: checksOf("dispatch/wrong-method", queries),
    reason: /405/,
    request: (request) => {
      const operation = request.method === "POST" ? knownOperation(request) : null;
      if (operation?.method !== "GET") return request;
      return { ...request, method: "GET", target: `/api/?@=${namedIn(request)}`, body: Buffer.alloc(0) };
    },
  },
  {
    id: "method/get-creates",
    area,
    description: "Carries out an operation of POST by GET, with the query as its input.",
    requirements: ["dispatch/wrong-method", "dispatch/get-changes-nothing", "user.create/body-only"],
    catches: [
      ...checksOf("dispatch/wrong-method", commands),
      ...checksOf("dispatch/get-changes-nothing", commands),
      "user.create/body-only#query",
    ],
    reason: /405|refusal/,
    request: (request) => (namesPost(request) && request.method === "GET" ? asPost(request) : request),
  },
  {
    id: "method/get-creates-secretly",
    area,
    description: "Refuses an operation of POST by GET, and carries it out.",
    requirements: ["dispatch/get-changes-nothing"],
    catches: checksOf("dispatch/get-changes-nothing", commands),
    reason: /is a user now/,
    request: async (request, { forward }) => {
      if (namesPost(request) && request.method === "GET") await forward(asPost(request));
      return request;
    },
  },

  {
    id: "method/code-of-405",
    area,
    description: "Calls a method that is not allowed a malformed request.",
    requirements: ["dispatch/wrong-method", "dispatch/unknown-method"],
    catches: [...checksOf("dispatch/wrong-method", every), ...unknown("PUT")],
    reason: /code method-not-allowed/,
    answer: problemsWith("method-not-allowed", (answer) =>
      withJson(answer, (body) => ({ ...body, code: "malformed-request" })),
    ),
  },
];
