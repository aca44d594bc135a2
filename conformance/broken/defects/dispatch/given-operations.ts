import { every } from "../../../client/operation.ts";
import type { Defect } from "../../defect.ts";
import { header, isObject, queryOf } from "../../look.ts";
import { respond, respondProblem, withHeader, withJson, withJsonBody, withQuery } from "../../shape.ts";
import { answerOf, requestOf } from "../../when.ts";
import { givenChecks, knownOperation } from "./words.ts";

const area = "dispatch";

function withoutUser(query: URLSearchParams): void {
  query.delete("name");
  query.delete("email");
}

export const givenOperationDefects: readonly Defect[] = [
  ...every.map(
    ({ id, method }): Defect => ({
      id: `dispatch/not-served-${id}`,
      area,
      description: `Does not serve ${id}.`,
      requirements: [
        "dispatch/every-operation",
        ...givenChecks(id),
        ...(method === "GET" ? ["dispatch/query-style"] : []),
        ...(id === "user.create" ? ["dispatch/body-style"] : []),
      ],
      catches: [
        `dispatch/every-operation#${id}`,
        ...givenChecks(id),
        ...(method === "GET" ? [`dispatch/query-style#${id}`] : []),
        ...(id === "user.create" ? ["dispatch/body-style#members"] : []),
      ],
      reason: /acceptance/,
      request: (request) => (knownOperation(request)?.id === id ? respondProblem(404, "operation-not-found") : request),
    }),
  ),
  ...every.map(
    ({ id, name }): Defect => ({
      id: `dispatch/not-json-${id}`,
      area,
      description: `Answers ${id} with a media type that is neither JSON nor text.`,
      requirements: ["dispatch/every-operation", ...givenChecks(id)],
      catches: [`dispatch/every-operation#${id}`, ...givenChecks(id)],
      reason: /media type/,
      answer: answerOf(name.replace("{name}", ""), (answer) =>
        answer.status < 300 ? withHeader(answer, "Content-Type", "application/octet-stream") : answer,
      ),
    }),
  ),
  ...every.map(
    ({ id, name }): Defect => ({
      id: `dispatch/empty-${id}`,
      area,
      description: `Answers ${id} with an empty body.`,
      requirements: ["dispatch/every-operation", ...givenChecks(id)],
      catches: [`dispatch/every-operation#${id}`, ...givenChecks(id)],
      reason: /JSON text/,
      answer: answerOf(name.replace("{name}", ""), (answer) =>
        answer.status < 300 ? { ...answer, body: Buffer.alloc(0) } : answer,
      ),
    }),
  ),
  {
    id: "sysinfo/empty-object",
    area,
    description: "Answers sysinfo with an empty object.",
    requirements: ["sysinfo/json"],
    catches: ["sysinfo/json#content"],
    reason: /says something/,
    answer: answerOf("sysinfo", (answer) => withJson(answer, () => ({}))),
  },
  {
    id: "sysinfo/needs-a-key",
    area,
    description: "Answers sysinfo only to who sends a key.",
    requirements: ["sysinfo/public"],
    catches: ["sysinfo/public"],
    reason: /acceptance/,
    request: requestOf("sysinfo", (request) =>
      header(request, "X-API-KEY") === null ? respondProblem(401, "credentials-missing") : request,
    ),
  },
  {
    id: "user.create/answers-text",
    area,
    description: "Answers a created user with the word `created`.",
    requirements: ["user.create/json"],
    catches: ["user.create/json"],
    reason: /JSON/,
    answer: answerOf("user.create", (answer) =>
      answer.status === 201 ? { ...respond(201, "created", { "Content-Type": "text/plain" }) } : answer,
    ),
  },
  {
    id: "user.create/input-in-query",
    area,
    description: "Takes what `data` lacks from the query.",
    requirements: ["user.create/body-only"],
    catches: ["user.create/body-only#query", "user.create/body-only#half"],
    reason: /refusal/,
    request: requestOf("user.create", (request) => {
      const { name, email } = Object.fromEntries(queryOf(request));
      const found = Object.fromEntries(Object.entries({ name, email }).filter(([, value]) => value !== undefined));
      const bare = withQuery(request, withoutUser);
      return withJsonBody(bare, (body) => ({ ...body, data: { ...found, ...(isObject(body.data) ? body.data : {}) } }));
    }),
  },
  {
    id: "user.create/query-wins",
    area,
    description: "Takes the input of the query in place of that of the body.",
    requirements: ["user.create/body-only"],
    catches: ["user.create/body-only#both"],
    reason: /of the body/,
    request: requestOf("user.create", (request) => {
      const { name, email } = Object.fromEntries(queryOf(request));
      if (name === undefined || email === undefined) return request;
      const bare = withQuery(request, withoutUser);
      return withJsonBody(bare, (body) => ({ ...body, data: { name, email } }));
    }),
  },
  {
    id: "user.create/input-in-headers",
    area,
    description: "Takes what `data` lacks from headers.",
    requirements: ["user.create/body-only"],
    catches: ["user.create/body-only#headers"],
    reason: /refusal/,
    request: requestOf("user.create", (request) => {
      const [name, email] = [header(request, "X-Name"), header(request, "X-Email")];
      return name === null || email === null
        ? request
        : withJsonBody(request, (body) => ({ ...body, data: { name, email } }));
    }),
  },
];
