import { commands, every, guarded, queries } from "../../../client/operation.ts";
import type { Defect, ProxyRequest } from "../../defect.ts";
import { header, jsonBody, namedIn, problemCode, queryOf } from "../../look.ts";
import { respondProblem, withHeader, withJsonBody, withQuery } from "../../shape.ts";
import { problemsWith } from "../../when.ts";
import { checksOf, knownOperation } from "./words.ts";

const area = "order";

const methodFirst = checksOf("dispatch/order-method-first");
const credentialsFirst = [
  ...checksOf("dispatch/order-credentials-first", guarded),
  ...checksOf("dispatch/order-credentials-first#scope", guarded),
];
const acceptFirst = checksOf("dispatch/order-accept-before-input");

const ofCredentials = [
  "credentials-missing",
  "credentials-invalid",
  "scope-missing",
  "platform-not-allowed",
  "credential-conflict",
];

/** Something that no operation can send. */
const wantsNothing = (request: ProxyRequest) =>
  /^image\/png|^application\/xml|q=0/.test(header(request, "Accept") ?? "");
const hasUnknownInput = (request: ProxyRequest) =>
  queryOf(request).has("no-such-parameter") || jsonBody(request)?.["no-such-member"] !== undefined;

const withoutUnknownInput = (request: ProxyRequest) =>
  request.method === "POST"
    ? withJsonBody(request, ({ "no-such-member": _, ...rest }) => rest)
    : withQuery(request, (query) => query.delete("no-such-parameter"));

export const orderDefects: readonly Defect[] = [
  {
    id: "order/credentials-before-method",
    area,
    description: "Asks for a key before it looks at the method.",
    requirements: ["dispatch/order-method-first"],
    catches: methodFirst,
    reason: /405/,
    answer: problemsWith("method-not-allowed", (answer, request, { credentials }) =>
      knownOperation(request) && header(request, "X-API-KEY") !== credentials?.key
        ? respondProblem(401, "credentials-missing")
        : answer,
    ),
  },
  {
    id: "order/guarded-before-method",
    area,
    description: "Judges the credentials of the operations that need some before the method.",
    requirements: ["dispatch/order-method-first"],
    catches: checksOf("dispatch/order-method-first", guarded),
    reason: /405/,
    answer: problemsWith("method-not-allowed", (answer, request) =>
      knownOperation(request)?.auth && header(request, "X-API-KEY") === null
        ? respondProblem(401, "credentials-missing")
        : answer,
    ),
  },
  {
    id: "order/credentials-before-method-of-head",
    area,
    description: "Asks for a key before it looks at the method HEAD.",
    requirements: ["dispatch/order-method-first"],
    catches: checksOf("dispatch/order-method-first", commands),
    reason: /405/,
    answer: (answer, request, { credentials }) =>
      request.method === "HEAD" && answer.status === 405 && header(request, "X-API-KEY") !== credentials?.key
        ? respondProblem(401, "credentials-missing")
        : answer,
  },
  {
    id: "order/cursor-before-credentials",
    area,
    description: "Reads the cursor before the credentials.",
    requirements: ["dispatch/order-credentials-first"],
    catches: ["dispatch/order-credentials-first#user.list", "dispatch/order-credentials-first#scope-user.list"],
    reason: /40[013]/,
    answer: (answer, request) =>
      ofCredentials.includes(problemCode(answer) ?? "") && queryOf(request).has("cursor")
        ? respondProblem(400, "invalid-cursor")
        : answer,
  },
  {
    id: "order/cursor-before-accept",
    area,
    description: "Reads a cursor and a document before Accept.",
    requirements: ["dispatch/order-accept-before-input"],
    catches: ["user.list", "docs.get"].map((id) => `dispatch/order-accept-before-input#${id}`),
    reason: /406/,
    answer: problemsWith("not-acceptable", (answer, request) => {
      if (queryOf(request).has("cursor")) return respondProblem(400, "invalid-cursor");
      return namedIn(request) === "docs.get.no-such" ? respondProblem(404, "document-not-found") : answer;
    }),
  },
  {
    id: "order/accept-before-method",
    area,
    description: "Judges Accept before the method.",
    requirements: ["dispatch/order-method-first"],
    catches: methodFirst,
    reason: /405/,
    answer: problemsWith("method-not-allowed", (answer, request) =>
      knownOperation(request) && wantsNothing(request) ? respondProblem(406, "not-acceptable") : answer,
    ),
  },
  {
    id: "order/accept-before-credentials",
    area,
    description: "Judges Accept before the credentials.",
    requirements: ["dispatch/order-credentials-first"],
    catches: credentialsFirst,
    reason: /40[013]/,
    answer: (answer, request) =>
      ofCredentials.includes(problemCode(answer) ?? "") && wantsNothing(request)
        ? respondProblem(406, "not-acceptable")
        : answer,
  },
  {
    id: "order/input-before-credentials",
    area,
    description: "Judges the input before the credentials.",
    requirements: ["dispatch/order-credentials-first"],
    catches: credentialsFirst,
    reason: /40[013]/,
    answer: (answer, request) =>
      ofCredentials.includes(problemCode(answer) ?? "") && hasUnknownInput(request)
        ? respondProblem(422, "invalid-input")
        : answer,
  },
  {
    id: "order/input-before-accept",
    area,
    description: "Judges the input before Accept.",
    requirements: ["dispatch/order-accept-before-input"],
    catches: acceptFirst,
    reason: /406/,
    answer: problemsWith("not-acceptable", async (answer, request, { forward }) => {
      const judged = await forward(withHeader(request, "Accept", "*/*"));
      return judged.status === 422 ? judged : answer;
    }),
  },
  {
    id: "order/input-not-judged",
    area,
    description: "Ignores input that it does not know.",
    requirements: ["dispatch/order-accept-before-input"],
    catches: checksOf("dispatch/order-accept-before-input", queries),
    reason: /422/,
    request: (request) => (hasUnknownInput(request) ? withoutUnknownInput(request) : request),
  },
  {
    id: "order/malformed-input-crashes",
    area,
    description: "Fails on an operation of POST without input.",
    requirements: ["dispatch/order-accept-before-input"],
    catches: checksOf("dispatch/order-accept-before-input", commands),
    reason: /422/,
    answer: problemsWith("invalid-input", (answer, request) =>
      every.some(({ method, name }) => method === "POST" && name === namedIn(request))
        ? respondProblem(500, "internal-error")
        : answer,
    ),
  },
];
