import type { Defect } from "../../defect.ts";
import { header } from "../../look.ts";
import { respond, withHeader } from "../../shape.ts";
import { answersWith } from "../../when.ts";
import { knownOperation, onEndpoint } from "./words.ts";

const area = "method";

const unknown = (...variants: readonly string[]) => variants.map((variant) => `dispatch/unknown-method#${variant}`);

/** A server that takes a method which is not allowed anywhere. */
const taken = (method: string, more: readonly string[] = []): Defect => ({
  id: `method/${method}-accepted`,
  area,
  description: `Answers 200 to ${method}.`,
  requirements: ["dispatch/unknown-method"],
  catches: [...unknown(method), ...more],
  reason: /405/,
  request: (request) => (request.method === method && onEndpoint(request) ? respond(200, {}) : request),
});

const notImplemented = (method: string): Defect => ({
  id: `method/${method}-501`,
  area,
  description: `Answers ${method} with 501.`,
  requirements: ["dispatch/unknown-method"],
  catches: unknown(method),
  reason: /405/,
  request: (request) => (request.method === method ? respond(501, {}) : request),
});

export const unknownMethodDefects: readonly Defect[] = [
  taken("PUT", unknown("with-a-body")),
  taken("PATCH", unknown("with-a-body")),
  taken("DELETE", unknown("with-a-body", "before-the-query")),
  notImplemented("TRACE"),
  notImplemented("PROPFIND"),
  notImplemented("PATCH"),
  {
    id: "method/put-is-post",
    area,
    description: "Takes PUT for POST.",
    requirements: ["dispatch/unknown-method"],
    catches: unknown("PUT", "with-a-body"),
    reason: /405/,
    request: (request) => (request.method === "PUT" ? { ...request, method: "POST" } : request),
  },
  {
    id: "method/put-creates-secretly",
    area,
    description: "Refuses PUT, and carries it out as POST.",
    requirements: ["dispatch/unknown-method"],
    catches: unknown("with-a-body"),
    reason: /is a user now/,
    request: async (request, { forward }) => {
      if (request.method === "PUT") await forward({ ...request, method: "POST" });
      return request;
    },
  },
  {
    id: "method/unknown-after-the-query",
    area,
    description: "Reads the query before it looks at the method.",
    requirements: ["dispatch/unknown-method"],
    catches: unknown("before-the-query"),
    reason: /405/,
    request: async (request, { forward }) => {
      if (request.method !== "DELETE") return request;
      const read = await forward({ ...request, method: "GET" });
      return read.status === 400 ? read : request;
    },
  },
  {
    id: "method/unknown-judges-the-operation",
    area,
    description: "Lists in Allow to an unknown method what the operation takes.",
    requirements: ["dispatch/unknown-method"],
    catches: unknown("PUT", "PATCH", "DELETE", "TRACE", "PROPFIND"),
    reason: /Allow/,
    answer: answersWith(405, (answer, request) =>
      ["GET", "HEAD", "POST"].includes(request.method) || !knownOperation({ ...request, method: "GET" })
        ? answer
        : withHeader(answer, "Allow", "GET, HEAD, OPTIONS"),
    ),
  },
  {
    id: "method/trace-echoes",
    area,
    description: "Answers TRACE with the request, its key included.",
    requirements: ["dispatch/unknown-method"],
    catches: unknown("TRACE"),
    reason: /405/,
    request: (request) =>
      request.method === "TRACE"
        ? { ...respond(200, {}, { "Content-Type": "message/http" }), body: request.rawBytes }
        : request,
  },
  {
    id: "method/trace-refused-with-echo",
    area,
    description: "Refuses TRACE, and repeats its headers.",
    requirements: ["dispatch/unknown-method"],
    catches: unknown("TRACE-does-not-echo"),
    reason: /send the request back/,
    answer: (answer, request) =>
      request.method === "TRACE" ? withHeader(answer, "X-Echo", header(request, "X-Echo") ?? "") : answer,
  },
  {
    id: "method/any-letter-case",
    area,
    description: "Takes `get` for GET.",
    requirements: ["dispatch/unknown-method"],
    catches: unknown("rare"),
    reason: /405/,
    request: (request) => ({ ...request, method: request.method.toUpperCase() }),
  },
  {
    id: "method/others-are-get",
    area,
    description: "Takes every method that it does not know for GET.",
    requirements: ["dispatch/unknown-method"],
    catches: unknown("rare", "PROPFIND"),
    reason: /405/,
    request: (request) =>
      ["GET", "HEAD", "POST", "OPTIONS", "PUT", "PATCH", "DELETE", "TRACE"].includes(request.method)
        ? request
        : { ...request, method: "GET" },
  },
];
