import { commands, every, queries } from "../../../client/operation.ts";
import type { Context, Defect, ProxyRequest } from "../../defect.ts";
import { header, isObject, jsonBody } from "../../look.ts";
import { respond, respondProblem, withBody, withHeader, withoutHeader } from "../../shape.ts";
import { problemsWith } from "../../when.ts";
import { checksOf, knownOperation } from "../dispatch/words.ts";
import { accept, readAs, refusing } from "./words.ts";

const area = "negotiation";

const jsonOnly = every.filter(({ answers }) => answers[0]?.mediaTypes.length === 1);
const refused = checksOf("answers/not-acceptable");
const anyway = (...variants: readonly string[]) => variants.map((each) => `answers/problems-whatever-accept#${each}`);

const weights = /;\s*q=0(\.0*)?(?=\s*(,|$))/gi;

/** Carries a create out that is refused for its Accept. */
async function secretly(request: ProxyRequest, { forward }: Context): Promise<ProxyRequest> {
  const data = jsonBody(request)?.data;
  if (isObject(data) && accept(request) !== "") await forward(withHeader(request, "Accept", "*/*"));
  return request;
}

export const acceptDefects: readonly Defect[] = [
  {
    id: "accept/not-judged",
    area,
    description: "Does not look at Accept.",
    requirements: ["answers/not-acceptable", "answers/problems-whatever-accept"],
    catches: [
      ...refused,
      ...checksOf("answers/not-acceptable#changes-nothing", commands),
      "answers/not-acceptable#several-fields",
      "answers/not-acceptable#HEAD",
      ...anyway("not-acceptable"),
    ],
    reason: /406/,
    request: (request) => withoutHeader(request, "Accept"),
  },
  {
    id: "accept/weight-zero-counts",
    area,
    description: "Takes a weight of 0 for any other.",
    requirements: ["answers/not-acceptable"],
    catches: refused,
    reason: /406/,
    request: readAs((value) => value.replace(weights, "")),
  },
  {
    id: "accept/events",
    area,
    description: "Sends events to who accepts them.",
    requirements: ["answers/not-acceptable"],
    catches: refused,
    reason: /406/,
    request: (request) =>
      accept(request) === "text/event-stream" && knownOperation(request)
        ? { ...respond(200, {}, { "Content-Type": "text/event-stream" }), body: Buffer.from("data: {}\n\n") }
        : request,
  },
  {
    id: "accept/any-text",
    area,
    description: "Sends JSON to who accepts text.",
    requirements: ["answers/not-acceptable"],
    catches: checksOf("answers/not-acceptable", jsonOnly),
    reason: /406/,
    request: readAs((value) => value.replaceAll(/text\/(html|plain|\*)/g, "application/json")),
  },
  {
    id: "accept/prefix",
    area,
    description: "Compares media types by their beginning.",
    requirements: ["answers/not-acceptable"],
    catches: refused,
    reason: /406/,
    request: readAs((value) => value.replaceAll(/application\/json[\w-]+/g, "application/json")),
  },
  {
    id: "accept/any-json",
    area,
    description: "Takes every type that has JSON in its name for application/json.",
    requirements: ["answers/not-acceptable"],
    catches: refused,
    reason: /406/,
    request: readAs((value) => value.replaceAll(/[a-z]+\/[\w.]*\+?json(?![\w-])/g, "application/json")),
  },
  {
    id: "accept/range-decides",
    area,
    description: "Lets the widest range decide, not the most specific.",
    requirements: ["answers/not-acceptable"],
    catches: [...checksOf("answers/not-acceptable", jsonOnly)],
    reason: /406/,
    request: readAs((value) => (/(?<!\w)\*\/\*(?!;q=0)/.test(value) ? "*/*" : value)),
  },
  {
    id: "accept/415",
    area,
    description: "Answers 415 where 406 belongs.",
    requirements: ["answers/not-acceptable"],
    catches: [...refused, "answers/not-acceptable#HEAD"],
    reason: /406/,
    request: async (request, { forward }) => {
      const answer = await forward(request);
      return answer.status === 406 ? respondProblem(415, "unsupported-media-type") : request;
    },
  },
  {
    id: "accept/406-without-body",
    area,
    description: "Answers 406 without a body.",
    requirements: ["answers/not-acceptable", "answers/problems-whatever-accept"],
    catches: [...refused, ...anyway("not-acceptable")],
    reason: /problem\+json/,
    answer: problemsWith("not-acceptable", (answer) => withoutHeader(withBody(answer, ""), "Content-Type")),
  },
  {
    id: "accept/secretly",
    area,
    description: "Judges Accept when the work is done.",
    requirements: ["answers/not-acceptable"],
    catches: checksOf("answers/not-acceptable#changes-nothing", commands),
    reason: /is a user now/,
    request: secretly,
  },
  {
    id: "accept/head-not-judged",
    area,
    description: "Does not look at Accept on HEAD.",
    requirements: ["answers/not-acceptable"],
    catches: ["answers/not-acceptable#HEAD"],
    reason: /406/,
    request: (request) => (request.method === "HEAD" ? withoutHeader(request, "Accept") : request),
  },
  {
    id: "accept/first-field",
    area,
    description: "Reads only the first field Accept.",
    requirements: ["answers/not-acceptable"],
    catches: ["answers/not-acceptable#several-fields"],
    reason: /200/,
    request: (request) =>
      header(request, "Accept") === null ? request : withHeader(request, "Accept", accept(request)),
  },
  {
    id: "accept/no-html",
    area,
    description: "Does not offer documents as HTML.",
    requirements: ["answers/not-acceptable"],
    catches: ["answers/not-acceptable#another-is-left-docs.get"],
    reason: /200/,
    request: refusing((value) => value === "text/html"),
  },
  {
    id: "accept/json-anyway",
    area,
    description: "Answers every document as JSON.",
    requirements: ["answers/not-acceptable"],
    catches: ["answers/not-acceptable#another-is-left-docs.get"],
    reason: /text\//,
    answer: (answer, request, { forward }) =>
      answer.status === 200 && knownOperation(request)?.id === "docs.get"
        ? forward(withHeader(request, "Accept", "application/json"))
        : answer,
  },

  {
    id: "accept/empty-object",
    area,
    description: "Answers queries with an empty object when JSON is not accepted.",
    requirements: ["answers/not-acceptable"],
    catches: checksOf("answers/not-acceptable", queries),
    reason: /406/,
    answer: problemsWith("not-acceptable", () => respond(200, {})),
  },
];
