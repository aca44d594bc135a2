import type { Defect, ProxyRequest } from "../../defect.ts";
import { header, isObject, jsonBody, namedIn, pathOf, problemCode, queryOf } from "../../look.ts";
import { withHeader, withJson } from "../../shape.ts";
import { inEachFault } from "./words.ts";

const area = "echo";
const requirements = ["errors/no-echo"];
const reason = /nothing of what the caller wrote/;

/** Puts what this finds in the request behind the detail of some problems. */
const telling =
  (codes: readonly string[], find: (request: ProxyRequest) => string | null): NonNullable<Defect["answer"]> =>
  (answer, request) => {
    const told = codes.includes(problemCode(answer) ?? "") ? find(request) : null;
    return told === null ? answer : withJson(answer, (json) => ({ ...json, detail: `${json.detail} (${told})` }));
  };

const echo = (variant: string, description: string, answer: NonNullable<Defect["answer"]>): Defect => ({
  id: `errors/echoes-${variant}`,
  area,
  description,
  requirements,
  catches: [`errors/no-echo#${variant.replace(/-.*/, "")}`],
  reason,
  answer,
});

const parserMessage = ({ body }: ProxyRequest): string | null => {
  try {
    JSON.parse(body.toString());
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : null;
  }
};

export const echoDefects: readonly Defect[] = [
  echo("operation", "Says which operation it does not know.", telling(["operation-not-found"], namedIn)),
  echo(
    "operation-document",
    "Says which document it does not have.",
    telling(["document-not-found"], (request) => namedIn(request)?.slice("docs.get.".length) ?? null),
  ),
  echo(
    "operation-beginning",
    "Says how the name of an unknown operation begins.",
    telling(["operation-not-found"], (request) => namedIn(request)?.slice(0, 20) ?? null),
  ),
  echo("operation-reason", "Names an unknown operation in the reason phrase.", (answer, request) =>
    problemCode(answer) === "operation-not-found"
      ? { ...answer, reason: `No ${namedIn(request)?.replace(/[^\x20-\x7e]/g, "")}` }
      : answer,
  ),
  echo("operation-header", "Names an unknown operation in X-Operation.", (answer, request) =>
    problemCode(answer) === "operation-not-found" ? withHeader(answer, "X-Operation", namedIn(request) ?? "") : answer,
  ),
  echo(
    "parameters",
    "Says which parameters it does not know.",
    telling(["invalid-input"], (request) => [...queryOf(request).keys()].join(", ")),
  ),
  echo(
    "parameters-values",
    "Says which value of a parameter is wrong.",
    telling(["invalid-input"], (request) => queryOf(request).get("limit")),
  ),
  echo(
    "parameters-cursor",
    "Says which cursor it does not know.",
    telling(["invalid-cursor"], (request) => queryOf(request).get("cursor")),
  ),
  echo(
    "parameters-repeated",
    "Says which parameter was sent twice.",
    telling(["parameter-repeated"], (request) => [...queryOf(request).keys()].at(-1) ?? null),
  ),
  echo("members", "Says which value is wrong.", (answer, request, context) => {
    const data = jsonBody(request)?.data;
    return inEachFault((fault) => {
      const member = String(fault.pointer).replace(/.*\//, "");
      const value = isObject(data) && Object.hasOwn(data, member) ? data[member] : undefined;
      return value === undefined ? fault : { ...fault, detail: `${fault.detail}: ${JSON.stringify(value)}` };
    })(answer, request, context);
  }),
  echo("members-beginning", "Says how a long value begins.", (answer, request, context) => {
    const data = jsonBody(request)?.data;
    const name = isObject(data) && typeof data.name === "string" ? data.name : "";
    return name.length > 200
      ? inEachFault((fault) => ({ ...fault, detail: `${name.slice(0, 10)}… is too long` }))(answer, request, context)
      : answer;
  }),
  echo("body", "Sends what its parser says of bad JSON.", telling(["malformed-json"], parserMessage)),
  echo(
    "body-beginning",
    "Says how a bad body begins.",
    telling(["malformed-json"], ({ body }) => body.toString().slice(0, 60)),
  ),
  echo(
    "headers",
    "Says which media type it does not take.",
    telling(["unsupported-media-type"], (request) => header(request, "Content-Type")),
  ),
  echo(
    "headers-coding",
    "Says which coding it does not take.",
    telling(["unsupported-media-type"], (request) => header(request, "Content-Encoding")),
  ),
  echo(
    "headers-accept",
    "Says which Accept it cannot serve.",
    telling(["not-acceptable"], (request) => header(request, "Accept")),
  ),
  echo(
    "headers-key",
    "Says which key it does not know.",
    telling(["credentials-invalid"], (request) => header(request, "X-API-KEY") ?? queryOf(request).get("X-API-KEY")),
  ),
  echo(
    "headers-platform",
    "Says which platform it does not know.",
    telling(["platform-not-allowed"], (request) => header(request, "X-PLATFORM") ?? queryOf(request).get("X-PLATFORM")),
  ),
  echo(
    "headers-key-masked",
    "Says how a key that it does not know begins.",
    telling(["credentials-invalid"], (request) => `${header(request, "X-API-KEY")?.slice(0, 4)}****`),
  ),
  echo(
    "headers-key-end",
    "Says how a key that it does not know ends.",
    telling(["credentials-invalid"], (request) => `****${header(request, "X-API-KEY")?.slice(-4)}`),
  ),
  echo(
    "parameters-number",
    "Says which number is too large.",
    telling(["invalid-input"], (request) => /^\d{4,}$/.exec(queryOf(request).get("limit") ?? "")?.[0] ?? null),
  ),
  echo("path", "Says which path it does not serve.", telling(["path-not-found"], pathOf)),
  echo(
    "path-decoded",
    "Says which path it does not serve, decoded and in upper case.",
    telling(["path-not-found"], (request) => decodeURIComponent(pathOf(request)).toUpperCase()),
  ),
  {
    id: "errors/echoes-unreadable",
    area,
    description: "Sends back what it could not read.",
    requirements,
    catches: ["errors/no-echo#unreadable"],
    reason,
    unreadableAnswer: (answer, bytes) =>
      withJson(answer, (json) => ({ ...json, detail: `cannot read ${bytes.toString("latin1", 0, 60)}` })),
  },
];
