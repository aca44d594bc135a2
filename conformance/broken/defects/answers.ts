import type { Defect } from "../defect.ts";
import { header } from "../look.ts";
import { withHeader, withQuery, withStatus } from "../shape.ts";
import { answerOf, requestOf } from "../when.ts";

export const answerDefects: readonly Defect[] = [
  {
    id: "user.create/answers-200",
    area: "status",
    description: "Answers a created user with 200 in place of 201.",
    requirements: ["user.create/created"],
    catches: ["user.create/created"],
    reason: /201/,
    answer: answerOf("user.create", (answer) => (answer.status === 201 ? withStatus(answer, 200) : answer)),
  },
  {
    id: "errors/text-plain",
    area: "errors",
    description: "Sends problem documents as text/plain.",
    requirements: ["errors/media-type"],
    catches: ["errors/media-type"],
    reason: /application\/problem\+json/,
    answer: (answer) =>
      header(answer, "Content-Type")?.startsWith("application/problem+json")
        ? withHeader(answer, "Content-Type", "text/plain; charset=utf-8")
        : answer,
  },
  {
    id: "user.list/answers-documents",
    area: "schema",
    description: "Answers user.list with the body of docs.list.",
    requirements: ["answers/schema", "user.list/page"],
    catches: ["answers/schema#user.list", "user.list/page"],
    reason: /items/,
    answer: answerOf("user.list", async (answer, request, { forward }) => {
      const listed = withQuery(request, (query) => {
        for (const name of ["limit", "cursor"]) query.delete(name);
        query.set("@", "docs.list");
      });
      return answer.status === 200 ? forward(listed) : answer;
    }),
  },
  {
    id: "user.list/limit-ignored",
    area: "paging",
    description: "Always gives a page of the default size.",
    requirements: ["user.list/limit"],
    catches: ["user.list/limit"],
    reason: /items/,
    request: requestOf("user.list", (request) => withQuery(request, (query) => query.delete("limit"))),
  },
];
