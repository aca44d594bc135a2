import { guarded, queries } from "../../../client/operation.ts";
import type { Defect } from "../../defect.ts";
import { header, namedIn } from "../../look.ts";
import { withAddedHeader, withHeader, withoutHeader } from "../../shape.ts";
import { problemsWith } from "../../when.ts";
import { checksOf } from "./words.ts";

/** `X-Operation` (D12). */

const area = "order";

const named = [...checksOf("dispatch/x-operation"), "dispatch/x-operation#documents"];

export const operationHeaderDefects: readonly Defect[] = [
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
        ? withHeader(answer, "X-Operation", namedIn(request) ?? "docs.get")
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
];
