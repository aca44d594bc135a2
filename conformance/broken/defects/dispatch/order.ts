import type { Defect, ProxyRequest } from "../../defect.ts";
import { header, jsonBody, operationOf, problemCode, queryOf } from "../../look.ts";
import { respondProblem, withAddedHeader, withHeader, withJsonBody, withoutHeader, withQuery } from "../../shape.ts";
import { problemsWith } from "../../when.ts";
import { checksOf, commands, every, guarded, knownOperation, queries } from "./words.ts";

const area = "order";

const methodFirst = checksOf("dispatch/order-method-first");
const credentialsFirst = [
  ...checksOf("dispatch/order-credentials-first", guarded),
  ...checksOf("dispatch/order-credentials-first#scope", guarded),
];
const acceptFirst = checksOf("dispatch/order-accept-before-input");
const named = [...checksOf("dispatch/x-operation"), "dispatch/x-operation#documents"];

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
    id: "x-operation/not-on-refusals",
    area,
    description: "Names the operation only in successes.",
    requirements: ["dispatch/x-operation"],
    catches: named,
    reason: /X-Operation/,
    answer: (answer) => (answer.status >= 400 ? withoutHeader(answer, "X-Operation") : answer),
  },
  {
    id: "x-operation/not-on-successes",
    area,
    description: "Names the operation only in refusals.",
    requirements: ["dispatch/x-operation"],
    catches: [
      ...checksOf("dispatch/x-operation", queries),
      "dispatch/x-operation#documents",
      "dispatch/x-operation#every-success",
    ],
    reason: /X-Operation/,
    answer: (answer) => (answer.status < 300 ? withoutHeader(answer, "X-Operation") : answer),
  },
  {
    id: "x-operation/not-on-304",
    area,
    description: "Does not name the operation in 304.",
    requirements: ["dispatch/x-operation"],
    catches: ["dispatch/x-operation#not-modified"],
    reason: /X-Operation/,
    answer: (answer) => (answer.status === 304 ? withoutHeader(answer, "X-Operation") : answer),
  },
  ...["method-not-allowed", "not-acceptable", "invalid-input"].map(
    (code): Defect => ({
      id: `x-operation/not-on-${code}`,
      area,
      description: `Does not name the operation in the problem ${code}.`,
      requirements: ["dispatch/x-operation"],
      catches: checksOf("dispatch/x-operation"),
      reason: /X-Operation/,
      answer: problemsWith(code, (answer) => withoutHeader(answer, "X-Operation")),
    }),
  ),
  {
    id: "x-operation/not-on-401",
    area,
    description: "Does not name the operation when the credentials are refused.",
    requirements: ["dispatch/x-operation"],
    catches: [...checksOf("dispatch/x-operation", guarded), "dispatch/x-operation#every-refusal"],
    reason: /X-Operation/,
    answer: (answer) => (answer.status === 401 ? withoutHeader(answer, "X-Operation") : answer),
  },
  {
    id: "x-operation/not-on-head",
    area,
    description: "Does not name the operation to HEAD.",
    requirements: ["dispatch/x-operation"],
    catches: checksOf("dispatch/x-operation"),
    reason: /X-Operation/,
    answer: (answer, request) => (request.method === "HEAD" ? withoutHeader(answer, "X-Operation") : answer),
  },
  {
    id: "x-operation/whole-name",
    area,
    description: "Names the document in X-Operation.",
    requirements: ["dispatch/x-operation"],
    catches: ["docs.get", "documents", "not-modified", "every-success"].map((each) => `dispatch/x-operation#${each}`),
    reason: /X-Operation/,
    answer: (answer, request) =>
      header(answer, "X-Operation") === "docs.get"
        ? withHeader(answer, "X-Operation", operationOf(request) ?? "docs.get")
        : answer,
  },
  {
    id: "x-operation/other-case",
    area,
    description: "Names the operation in upper case.",
    requirements: ["dispatch/x-operation"],
    catches: [...named, "dispatch/x-operation#every-success"],
    reason: /X-Operation/,
    answer: (answer) => {
      const name = header(answer, "X-Operation");
      return name === null ? answer : withHeader(answer, "X-Operation", name.toUpperCase());
    },
  },
  {
    id: "x-operation/twice",
    area,
    description: "Sends X-Operation twice.",
    requirements: ["dispatch/x-operation"],
    catches: [...named, "dispatch/x-operation#not-modified", "dispatch/x-operation#every-success"],
    reason: /X-Operation/,
    answer: (answer) => {
      const name = header(answer, "X-Operation");
      return name === null ? answer : withAddedHeader(answer, "X-Operation", name);
    },
  },
  {
    id: "order/malformed-input-crashes",
    area,
    description: "Fails on an operation of POST without input.",
    requirements: ["dispatch/order-accept-before-input"],
    catches: checksOf("dispatch/order-accept-before-input", commands),
    reason: /422/,
    answer: problemsWith("invalid-input", (answer, request) =>
      every.some(({ method, name }) => method === "POST" && name === operationOf(request))
        ? respondProblem(500, "internal-error")
        : answer,
    ),
  },
];
