import type { Defect, ProxyAnswer } from "../../defect.ts";
import { jsonAnswer } from "../../look.ts";
import { respondProblem, withBody, withHeader, withoutHeader, withStatus } from "../../shape.ts";
import { problemsWith } from "../../when.ts";
import { accept } from "./words.ts";

const anyway = (...variants: readonly string[]) => variants.map((each) => `answers/problems-whatever-accept#${each}`);
const early = anyway(
  "operation-missing",
  "parameter-repeated",
  "operation-not-found",
  "path-not-found",
  "method-not-allowed",
  "method-not-allowed-here",
  "credentials-missing",
  "unsupported-media-type",
  "malformed-query",
  "operation-ambiguous",
  "credential-conflict",
  "credentials-invalid",
  "platform-not-allowed",
  "content-too-large",
  "malformed-json",
);

function asProblemOf(answer: ProxyAnswer, type: string): ProxyAnswer {
  return answer.status >= 400 && jsonAnswer(answer) ? withHeader(answer, "Content-Type", type) : answer;
}

export const problemDefects: readonly Defect[] = [
  {
    id: "problems/html-when-accepted",
    area: "errors",
    description: "Sends problems as HTML to who accepts HTML.",
    requirements: ["answers/problems-whatever-accept"],
    catches: [...early, ...anyway("invalid-input", "document-not-found")],
    reason: /problem\+json/,
    answer: (answer, request) =>
      accept(request).includes("text/html") ? asProblemOf(answer, "text/html; charset=utf-8") : answer,
  },
  {
    id: "problems/json-when-accepted",
    area: "errors",
    description: "Sends problems as application/json to who accepts that.",
    requirements: ["answers/problems-whatever-accept"],
    catches: [...early, ...anyway("invalid-input", "document-not-found")],
    reason: /problem\+json/,
    answer: (answer, request) =>
      accept(request).startsWith("application/json") ? asProblemOf(answer, "application/json; charset=utf-8") : answer,
  },
  {
    id: "problems/xml-when-accepted",
    area: "errors",
    description: "Sends problems as application/problem+xml to who accepts that.",
    requirements: ["answers/problems-whatever-accept"],
    catches: [...early, ...anyway("not-acceptable")],
    reason: /problem\+json/,
    answer: (answer, request) =>
      accept(request).includes("problem+xml") ? asProblemOf(answer, "application/problem+xml") : answer,
  },
  {
    id: "problems/406-instead",
    area: "errors",
    description: "Answers 406 in place of a problem that Accept does not allow.",
    requirements: ["answers/problems-whatever-accept"],
    catches: early,
    reason: /status 4/,
    answer: (answer, request) =>
      answer.status >= 400 && accept(request) === "image/png" ? respondProblem(406, "not-acceptable") : answer,
  },
  {
    id: "problems/empty-when-not-accepted",
    area: "errors",
    description: "Sends problems without a body when Accept does not allow them.",
    requirements: ["answers/problems-whatever-accept"],
    catches: [...early, ...anyway("not-acceptable")],
    reason: /problem\+json/,
    answer: (answer, request) =>
      answer.status >= 400 && /^(image\/png|\*\/\*;q=0)$/.test(accept(request))
        ? withoutHeader(withBody(answer, ""), "Content-Type")
        : answer,
  },
  {
    id: "problems/document-as-text",
    area: "errors",
    description: "Answers a document that is not there in the representation that was asked for.",
    requirements: ["answers/problems-whatever-accept"],
    catches: anyway("document-not-found"),
    reason: /problem\+json/,
    answer: problemsWith("document-not-found", (answer, request) =>
      accept(request).startsWith("text/") ? withHeader(answer, "Content-Type", accept(request)) : answer,
    ),
  },
  {
    id: "problems/200",
    area: "errors",
    description: "Sends problems with 200, for clients that accept JSON.",
    requirements: ["answers/problems-whatever-accept"],
    catches: [...early, ...anyway("invalid-input", "document-not-found")],
    reason: /status 4/,
    answer: (answer, request) =>
      answer.status >= 400 && accept(request).startsWith("application/json") ? withStatus(answer, 200) : answer,
  },
];
