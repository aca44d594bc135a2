import { operationCalled } from "../../../client/operation.ts";
import type { Defect, ProxyRequest } from "../../defect.ts";
import { header, namedIn, problemCode, queryOf } from "../../look.ts";
import { respond, respondProblem, withHeader, withJson } from "../../shape.ts";
import { problemsWith } from "../../when.ts";
import { namesKey } from "./words.ts";

const area = "dispatch";

const unknownName = (request: ProxyRequest) => {
  const name = namedIn(request);
  return name !== null && name !== "" && operationCalled(name) === null ? name : null;
};

/** A server that answers some names that no operation has in another way than with 404. */
const otherwise = (
  id: string,
  description: string,
  catches: readonly string[],
  status: number,
  code: string,
  test: (name: string, request: ProxyRequest) => boolean,
): Defect => ({
  id: `dispatch/${id}`,
  area,
  description,
  requirements: [...new Set(catches.map((each) => each.replace(/#.*/, "")))],
  catches,
  reason: /404/,
  request: (request) => {
    const name = unknownName(request);
    return name !== null && test(name, request) ? respondProblem(status, code) : request;
  },
});

const unknown = (...groups: readonly string[]) => groups.map((group) => `dispatch/unknown#${group}`);

export const unknownDefects: readonly Defect[] = [
  {
    id: "dispatch/unknown-operation-accepted",
    area,
    description: "Answers 200 with an empty object to an operation that does not exist.",
    requirements: ["dispatch/unknown"],
    catches: unknown(
      "plain",
      "words",
      "symbols",
      "blanks",
      "unicode",
      "without-credentials",
      "whatever-the-credentials",
      "whatever-else",
      "long",
    ),
    reason: /404/,
    answer: (answer) => (problemCode(answer) === "operation-not-found" ? respond(200, {}) : answer),
  },
  otherwise(
    "unknown-500",
    "Fails on an operation that does not exist.",
    unknown("plain", "words", "symbols", "without-credentials"),
    500,
    "internal-error",
    () => true,
  ),
  otherwise(
    "unknown-400",
    "Answers 400 to an operation that does not exist.",
    unknown("plain", "words", "whatever-else"),
    400,
    "operation-missing",
    () => true,
  ),
  otherwise(
    "unknown-asks-for-a-key",
    "Answers 401 to an unknown operation without a key.",
    [...unknown("without-credentials"), "dispatch/prototype-names#query", "dispatch/prototype-names#body"],
    401,
    "credentials-missing",
    (_name, request) => !namesKey(request),
  ),
  otherwise(
    "unknown-judges-the-key",
    "Answers 401 to an unknown operation with an invalid key.",
    unknown("whatever-the-credentials"),
    401,
    "credentials-invalid",
    (_name, request) => header(request, "X-API-KEY") === "not-a-key",
  ),
  otherwise(
    "unknown-judges-the-platform",
    "Answers 403 to an unknown operation on an unknown platform.",
    unknown("whatever-the-credentials"),
    403,
    "platform-not-allowed",
    (_name, request) => header(request, "X-PLATFORM") === "not-a-platform",
  ),
  otherwise(
    "unknown-judges-accept",
    "Answers 406 to an unknown operation before looking for it.",
    unknown("whatever-else"),
    406,
    "not-acceptable",
    (_name, request) => header(request, "Accept") === "image/png",
  ),
  otherwise(
    "unknown-judges-input",
    "Answers 422 to an unknown operation with input.",
    unknown("whatever-else"),
    422,
    "invalid-input",
    (_name, request) => queryOf(request).has("limit"),
  ),
  otherwise(
    "unknown-head-405",
    "Answers 405 to HEAD of an unknown operation.",
    [...unknown("whatever-else"), "dispatch/prototype-names#head"],
    405,
    "method-not-allowed",
    (_name, request) => request.method === "HEAD",
  ),
  otherwise(
    "unknown-too-long",
    "Answers 414 to a name of more than 1000 characters.",
    unknown("long"),
    414,
    "uri-too-long",
    (name) => name.length > 1000,
  ),
  otherwise(
    "unknown-blank-is-missing",
    "Takes a blank name for none.",
    unknown("blanks"),
    400,
    "operation-missing",
    (name) => name.trim() === "",
  ),
  otherwise(
    "unknown-not-ascii",
    "Fails on a name that is not ASCII.",
    [...unknown("unicode"), "dispatch/case-sensitive#lookalikes"],
    500,
    "internal-error",
    (name) => /[^\0-\x7f]/.test(name),
  ),
  otherwise(
    "unknown-filtered",
    "Answers 403 to names that look like an attack.",
    unknown("symbols"),
    403,
    "platform-not-allowed",
    (name) => /['"<]|\.\.\//.test(name),
  ),
  otherwise(
    "unknown-null-is-missing",
    "Takes the names `null` and `undefined` for none.",
    unknown("words"),
    400,
    "operation-missing",
    (name) => ["null", "undefined"].includes(name),
  ),
  otherwise(
    "prototype-crashes",
    "Looks operations up in an object, and fails on what every object has.",
    ["dispatch/prototype-names#query", "dispatch/prototype-names#body", "dispatch/prototype-names#head"],
    500,
    "internal-error",
    (name) => name in {},
  ),
  otherwise(
    "prototype-found",
    "Finds the methods of a map among the operations, and asks for other input.",
    ["dispatch/prototype-names#query", "dispatch/prototype-names#body"],
    422,
    "invalid-input",
    (name) => name in new Map(),
  ),
  {
    id: "dispatch/unknown-named",
    area,
    description: "Names an unknown operation in X-Operation.",
    requirements: ["dispatch/unknown", "dispatch/no-echo"],
    catches: [...unknown("plain"), "dispatch/no-echo#GET", "dispatch/no-echo#POST", "dispatch/no-echo#HEAD"],
    reason: /X-Operation|repeated/,
    answer: (answer, request) =>
      answer.status === 404 && unknownName(request) !== null
        ? withHeader(answer, "X-Operation", encodeURIComponent(unknownName(request) ?? ""))
        : answer,
  },
  {
    id: "dispatch/unknown-echoed",
    area,
    description: "Repeats the name of an unknown operation in the problem's detail.",
    requirements: ["dispatch/no-echo"],
    catches: ["dispatch/no-echo#GET", "dispatch/no-echo#POST"],
    reason: /repeated/,
    answer: problemsWith("operation-not-found", (answer, request) =>
      withJson(answer, (body) => ({ ...body, detail: `No operation ${namedIn(request)?.slice(0, 100)}.` })),
    ),
  },
];
