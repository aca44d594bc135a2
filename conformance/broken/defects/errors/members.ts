import { randomUUID } from "node:crypto";
import type { Defect } from "../../defect.ts";
import { header, namedIn, pathOf, problemCode } from "../../look.ts";
import { withBody, withHeader, withJson, withStatus } from "../../shape.ts";
import { answerOf } from "../../when.ts";
import { everywhere, inProblems } from "./words.ts";

const LAYERS = ["answers", "refusals", "all-answers", "each-code"];
const of = (requirement: string, layers = LAYERS) => layers.map((layer) => `${requirement}#${layer}`);

const mediaType = { area: "problems", requirements: ["errors/media-type"], reason: /application\/problem\+json/ };
const members = { area: "problems", requirements: ["errors/members"], catches: of("errors/members") };
const status = { area: "problems", requirements: ["errors/status"], catches: of("errors/status"), reason: /status/ };
const type = {
  area: "problems",
  requirements: ["errors/type"],
  catches: [...of("errors/type"), "errors/type#leads-to-entry"],
  reason: /type/,
};
const requestId = { area: "problems", requirements: ["errors/request-id"], reason: /request ?id/i };

const typed = (change: (type: string, code: string) => string) =>
  inProblems((problem) => ({ ...problem, type: change(String(problem.type), String(problem.code)) }));

const typeFrom = (
  variant: string,
  field: string,
  check: string,
  change: (type: string, value: string) => string,
): Defect => ({
  ...type,
  id: `errors/type-of-the-${variant}`,
  description: `Builds the type from ${field}.`,
  catches: [`errors/type#${check}`],
  reason: /whatever/,
  answer: (answer, request) => {
    const value = header(request, field);
    return value === null || problemCode(answer) === null
      ? answer
      : withJson(answer, (json) => ({ ...json, type: change(String(json.type), value) }));
  },
});

export const memberDefects: readonly Defect[] = [
  {
    ...mediaType,
    id: "errors/plain-json",
    description: "Sends problems as application/json.",
    catches: of("errors/media-type"),
    ...everywhere((answer) => withHeader(answer, "Content-Type", "application/json; charset=utf-8")),
  },
  {
    ...mediaType,
    id: "errors/without-media-type",
    description: "Sends problems without a media type.",
    catches: of("errors/media-type"),
    ...everywhere((answer) => withHeader(answer, "Content-Type", "")),
  },
  {
    ...mediaType,
    id: "errors/html-for-paths",
    description: "Answers an unknown path with the page of its framework.",
    catches: of("errors/media-type", ["answers", "each-code"]),
    answer: (answer) =>
      problemCode(answer) === "path-not-found"
        ? withHeader(withBody(answer, "<h1>Not Found</h1>"), "Content-Type", "text/html")
        : answer,
  },
  {
    ...mediaType,
    id: "errors/text-for-parser",
    description: "Leaves what the HTTP parser refuses to the parser: an empty body.",
    catches: of("errors/media-type", ["refusals"]),
    unreadableAnswer: (answer) => ({ ...withBody(answer, ""), headers: [["Connection", "close"]] }),
  },
  {
    ...mediaType,
    id: "errors/text-for-large-bodies",
    description: "Answers 413 and 415 with the text of a library.",
    catches: of("errors/media-type", ["answers", "each-code"]),
    answer: (answer) =>
      answer.status === 413 || answer.status === 415
        ? withHeader(withBody(answer, "request refused"), "Content-Type", "text/plain; charset=utf-8")
        : answer,
  },
  {
    ...members,
    id: "errors/more-members",
    description: "Says which path was asked for, in `instance`.",
    reason: /no other members/,
    ...inProblems((problem) => ({ ...problem, instance: "/api/" })),
  },
  {
    ...members,
    id: "errors/without-title",
    description: "Has no title.",
    reason: /title/,
    ...inProblems(({ title: _, ...problem }) => problem),
  },
  {
    ...members,
    id: "errors/empty-detail",
    description: "Has an empty detail.",
    reason: /detail/,
    ...inProblems((problem) => ({ ...problem, detail: "" })),
  },
  {
    ...members,
    id: "errors/null-errors",
    description: "Has `errors: null` where nothing is listed.",
    reason: /no other members/,
    ...inProblems((problem) => ({ errors: null, ...problem })),
  },
  {
    ...members,
    id: "errors/numbered-code",
    description: "Has a number for a code.",
    reason: /code/,
    ...inProblems((problem) => ({ ...problem, code: 4000 })),
  },
  {
    ...members,
    id: "errors/own-codes",
    description: "Spells its codes in its own way.",
    reason: /a documented code/,
    ...inProblems((problem) => ({ ...problem, code: String(problem.code).replaceAll("-", "_").toUpperCase() })),
  },
  {
    ...members,
    id: "errors/enveloped",
    description: "Puts the problem into an envelope.",
    reason: /the member type/,
    ...inProblems((problem) => ({ error: problem })),
  },
  {
    ...members,
    id: "errors/without-errors",
    description: "Lists nothing in a 422.",
    requirements: ["errors/members", "errors/invalid-input"],
    catches: [...of("errors/members", ["answers", "each-code"]), "errors/invalid-input"],
    reason: /errors|list of faults/,
    ...inProblems(({ errors: _, ...problem }) => problem),
  },
  {
    ...status,
    id: "errors/status-as-text",
    description: "Has the status as a text.",
    ...inProblems((problem) => ({ ...problem, status: String(problem.status) })),
  },
  {
    ...status,
    id: "errors/status-always-500",
    description: "Has 500 as the status of every problem.",
    ...inProblems((problem) => ({ ...problem, status: 500 })),
  },
  {
    ...status,
    id: "errors/status-of-its-class",
    description: "Answers every refusal with 400, and says so.",
    ...everywhere((answer) =>
      withStatus(
        withJson(answer, (problem) => ({ ...problem, status: 400 })),
        400,
      ),
    ),
  },
  {
    ...status,
    id: "errors/status-200",
    description: "Answers refusals with 200.",
    requirements: ["errors/status", "errors/media-type", "errors/members"],
    catches: ["errors/status#each-code", "errors/media-type#each-code", "errors/members#each-code"],
    ...everywhere((answer) => withStatus(answer, 200)),
  },
  { ...type, id: "errors/type-blank", description: "Has about:blank as type.", ...typed(() => "about:blank") },
  {
    ...type,
    id: "errors/type-relative",
    description: "Has a relative type.",
    ...typed((uri) => uri.replace(/^https?:\/\/[^/]*/, "")),
  },
  {
    ...type,
    id: "errors/type-without-fragment",
    description: "Has the same type for every code.",
    ...typed((uri) => uri.replace(/#.*/, "")),
  },
  {
    ...type,
    id: "errors/type-elsewhere",
    description: "Has a type that leads to no entry of its documentation.",
    ...typed((_uri, code) => `https://example.com/problems#${code}`),
  },
  {
    ...type,
    id: "errors/type-of-another-entry",
    description: "Has a type that leads to the README.",
    ...typed((uri) => uri.replace("docs.get.problems", "docs.get.README")),
  },
  {
    ...type,
    id: "errors/type-code-as-path",
    description: "Has the code as a part of the path.",
    ...typed((uri, code) => uri.replace(/\/api\/.*/, `/problems/${code}`)),
  },
  {
    ...type,
    id: "errors/entry-without-codes",
    description: "Has an entry `problems` without codes.",
    catches: ["errors/type#leads-to-entry"],
    reason: /an entry that has/,
    answer: answerOf("docs.get.problems", (answer) =>
      withJson(answer, (entry) => ({ ...entry, content: "# Problems" })),
    ),
  },
  typeFrom("request", "X-Forwarded-Host", "not-from-the-request", (uri, host) => uri.replace(/\/\/[^/]*/, `//${host}`)),
  typeFrom("prefix", "X-Forwarded-Prefix", "not-from-the-request", (uri, prefix) =>
    uri.replace("/api/", `${prefix}/api/`),
  ),
  typeFrom("host", "Host", "not-from-the-host", (uri, host) => uri.replace(/\/\/[^/]*/, `//${host}`)),
  {
    ...requestId,
    id: "errors/request-id-of-its-own",
    description: "Has another request id in the problem than in the header.",
    catches: [...of("errors/request-id"), "errors/request-id#callers-own"],
    ...inProblems((problem) => ({ ...problem, requestId: randomUUID() })),
  },
  {
    ...requestId,
    id: "errors/request-id-before-the-callers",
    description: "Has the request id in the problem that it would give itself, not the caller's.",
    catches: ["errors/request-id#callers-own"],
    answer: (answer, request) =>
      header(request, "X-Request-Id") !== null && problemCode(answer) !== null
        ? withJson(answer, (json) => ({ ...json, requestId: randomUUID() }))
        : answer,
  },
  {
    ...requestId,
    id: "errors/request-id-null-without-operation",
    description: "Has no request id before an operation is known.",
    catches: of("errors/request-id", ["answers", "each-code"]),
    answer: (answer, request) =>
      problemCode(answer) !== null && (namedIn(request) === null || pathOf(request) !== "/api/")
        ? withJson(answer, (json) => ({ ...json, requestId: "" }))
        : answer,
  },
];
