import type { Defect, ProxyRequest } from "../../defect.ts";
import { isObject, jsonBody, namedIn, problemCode, queryOf } from "../../look.ts";
import { respondProblem, withHeader, withJson, withJsonBody } from "../../shape.ts";
import { problemsWith } from "../../when.ts";
import { isPost, namesKey, secretly, withoutAt } from "./words.ts";

const area = "dispatch";

/** The first call of a batch in place of the batch. */
function firstOfList(request: ProxyRequest): ProxyRequest {
  try {
    const list: unknown = JSON.parse(request.body.toString());
    return Array.isArray(list) && isObject(list[0])
      ? { ...request, body: Buffer.from(JSON.stringify(list[0])) }
      : request;
  } catch {
    return request;
  }
}

const ambiguous = ["dispatch/ambiguous#equal-user.create", "dispatch/ambiguous#different-user.create"];

export const ambiguousDefects: readonly Defect[] = [
  {
    id: "dispatch/query-at-ignored-on-post",
    area,
    description: "Ignores `@` in the query of a POST.",
    requirements: ["dispatch/ambiguous"],
    catches: [...ambiguous, "dispatch/ambiguous#before-unknown"],
    reason: /400/,
    request: (request) => (isPost(request) && jsonBody(request)?.["@"] ? withoutAt(request) : request),
  },
  {
    id: "dispatch/ambiguous-when-different",
    area,
    description: "Refuses `@` in the query of a POST only when it differs from the body's.",
    requirements: ["dispatch/ambiguous"],
    catches: ["dispatch/ambiguous#equal-user.create"],
    reason: /400/,
    request: (request) =>
      isPost(request) && queryOf(request).get("@") === namedIn(request) ? withoutAt(request) : request,
  },
  {
    id: "dispatch/query-at-wins-on-post",
    area,
    description: "Takes the operation of a POST from the query rather than the body.",
    requirements: ["dispatch/ambiguous"],
    catches: [...ambiguous, "dispatch/ambiguous#before-unknown"],
    reason: /400/,
    request: (request) => {
      const named = queryOf(request).get("@");
      if (!isPost(request) || !named || !namedIn(request)) return request;
      return withJsonBody(withoutAt(request), (body) => ({ ...body, "@": named }));
    },
  },
  {
    id: "dispatch/ambiguous-secretly",
    area,
    description: "Refuses `@` in query and body, and carries the body out.",
    requirements: ["dispatch/ambiguous"],
    catches: ambiguous,
    reason: /is a user now/,
    request: secretly((request) => (isPost(request) && namedIn(request) ? withoutAt(request) : request)),
  },
  {
    id: "dispatch/ambiguous-asks-for-a-key",
    area,
    description: "Judges credentials before it sees that the operation is named twice.",
    requirements: ["dispatch/ambiguous"],
    catches: ambiguous,
    reason: /400/,
    answer: problemsWith("operation-ambiguous", (answer, request) =>
      namesKey(request) ? answer : respondProblem(401, "credentials-missing"),
    ),
  },
  {
    id: "dispatch/ambiguous-after-unknown",
    area,
    description: "Looks the body's operation up before it sees that it is named twice.",
    requirements: ["dispatch/ambiguous"],
    catches: ["dispatch/ambiguous#before-unknown"],
    reason: /400/,
    answer: problemsWith("operation-ambiguous", (answer, request) =>
      namedIn(request) === "no.such.operation" ? respondProblem(404, "operation-not-found") : answer,
    ),
  },
  {
    id: "dispatch/ambiguous-is-invalid-input",
    area,
    description: "Takes `@` in the query of a POST for an unknown parameter.",
    requirements: ["dispatch/ambiguous"],
    catches: ambiguous,
    reason: /400/,
    answer: problemsWith("operation-ambiguous", () => respondProblem(422, "invalid-input")),
  },

  {
    id: "dispatch/batch",
    area,
    description: "Carries out the first call of a list.",
    requirements: ["dispatch/no-batch"],
    catches: ["dispatch/no-batch#lists", "dispatch/no-batch#others"],
    reason: /400|malformed-json/,
    request: firstOfList,
  },
  {
    id: "dispatch/batch-secretly",
    area,
    description: "Refuses a list, and carries out its first call.",
    requirements: ["dispatch/no-batch"],
    catches: ["dispatch/no-batch#lists"],
    reason: /is a user now/,
    request: secretly(firstOfList),
  },
  {
    id: "dispatch/list-has-no-at",
    area,
    description: "Takes a list for an object without `@`.",
    requirements: ["dispatch/no-batch"],
    catches: ["dispatch/no-batch#lists", "dispatch/no-batch#others"],
    reason: /malformed-json/,
    answer: (answer, request) =>
      problemCode(answer) === "malformed-json" && request.body[0] === 0x5b
        ? withHeader(
            withJson(answer, (body) => ({ ...body, code: "operation-missing" })),
            "Content-Type",
            "application/problem+json",
          )
        : answer,
  },
];
