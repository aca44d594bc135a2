import { type ProblemCode, problems } from "../../../generated/operations.ts";
import { commands, every, queries } from "../../client/operation.ts";
import { parse } from "../derived/bodies.ts";
import { answersItself, answersOtherwise, changesAnswer, type Mutant, OUTCOME, takesFor } from "../mutant.ts";
import { answersStatus } from "../operators.ts";
import { header, isObject, jsonBody, namedIn, pathOf, queryOf } from "../proxy/look.ts";
import type { ProxyAnswer, ProxyRequest } from "../proxy/message.ts";
import {
  respond,
  respondProblem,
  verbatim,
  withBody,
  withHeader,
  withJson,
  withJsonBody,
  withQuery,
} from "../proxy/shape.ts";
import { asGet, asPost, called, isPost, onEndpoint, type Repair, renamed } from "../requests.ts";
import { problemOf, selector } from "../selectors.ts";

/** What is particular to dispatch: the query, the methods, HEAD, OPTIONS, bodies where none is read. */

const isGet = ({ method }: ProxyRequest) => method === "GET";
const isHead = ({ method }: ProxyRequest) => method === "HEAD";
const isOptions = ({ method }: ProxyRequest) => method === "OPTIONS";
const named = (request: ProxyRequest) => ["GET", "HEAD", "POST"].includes(request.method) && namedIn(request) !== null;
/** A name that no operation has. */
const unknown = (request: ProxyRequest) =>
  onEndpoint(request) && named(request) && called(request) === null ? (namedIn(request) ?? "") : null;
const like = (pattern: RegExp) => (request: ProxyRequest) => pattern.test(unknown(request) ?? "");

type Test = (request: ProxyRequest) => boolean;
const by =
  (method: string, test: Test): Test =>
  (request) =>
    request.method === method && test(request);
const hasBody: Test = ({ body }) => body.length > 0;
const says: (name: string) => Test = (name) => (request) => header(request, name) !== null;
const isEmptyJson: Test = (request) => !hasBody(request) && header(request, "Content-Type") === "application/json";

/** What is refused, or refused otherwise, by these. */
const refusals: readonly (readonly [what: string, code: ProblemCode, test: Test])[] = [
  ["a GET with a body", "malformed-request", by("GET", hasBody)],
  ["a HEAD with a body", "malformed-request", (request) => isHead(request) && hasBody(request)],
  ["a GET whose body is no JSON", "malformed-json", by("GET", (request) => hasBody(request) && !jsonBody(request))],
  ["a GET with a coded body", "unsupported-media-type", by("GET", says("Content-Encoding"))],
  ["a GET of JSON without a body", "malformed-json", by("GET", isEmptyJson)],
  ["a GET with a body elsewhere", "malformed-json", by("GET", (request) => hasBody(request) && !onEndpoint(request))],
  [
    "@ behind others",
    "operation-missing",
    by("GET", (request) => named(request) && !/[?](@|%40)=/.test(request.target)),
  ],
  ["@ as it is", "operation-missing", (request) => /[?&]@=/.test(request.target) && !isOptions(request)],
  [
    "@ as %40",
    "operation-missing",
    (request) => /[?&]%40=/.test(request.target) && !isPost(request) && !isOptions(request),
  ],
  [
    "escapes in a name",
    "operation-not-found",
    (request) => /[?&](@|%40)=[^&]*%/.test(request.target) && called(request) !== null,
  ],
  ["@ behind data", "operation-missing", by("POST", (request) => Object.keys(jsonBody(request) ?? {})[0] === "data")],
  ["escapes in @", "operation-missing", by("POST", (request) => named(request) && !request.body.includes('"@"'))],
  ["an @ of numbers", "internal-error", by("POST", (request) => /"@":\s*[\d[{]/.test(request.body.toString()))],
  [
    "an empty @",
    "operation-not-found",
    (request) =>
      onEndpoint(request) &&
      (isPost(request) ? jsonBody(request)?.["@"] === "" : namedIn(request) === "" && named(request)),
  ],
  ["a large OPTIONS", "content-too-large", (request) => isOptions(request) && request.body.length > 65_536],
  ["escapes beyond ASCII", "malformed-query", (request) => /%[89a-f][0-9a-f]/i.test(request.target)],
  ["names beyond ASCII", "internal-error", like(/[^\0-\x7f]/)],
  ["long names", "uri-too-long", like(/^.{1000}/s)],
  ["blank names", "operation-missing", like(/^\s+$/)],
  ["names like an attack", "platform-not-allowed", like(/['"<]|\.\.\//)],
  ["names that objects have", "internal-error", (request) => (unknown(request) ?? "none") in {}],
  ["names that maps have", "invalid-input", (request) => (unknown(request) ?? "none") in new Map()],
  [
    "names below a template",
    "document-not-found",
    (request) =>
      every.some(({ name, parts }) => parts.length > 0 && unknown(request)?.startsWith(name.replace(/\{.*/, ""))),
  ],
  [
    "OPTIONS that is no preflight",
    "method-not-allowed",
    (request) => isOptions(request) && !says("Access-Control-Request-Method")(request),
  ],
  ["OPTIONS beside the endpoint", "method-not-allowed", (request) => isOptions(request) && !onEndpoint(request)],
  [
    "other methods beside the endpoint",
    "path-not-found",
    (request) => !onEndpoint(request) && !["GET", "HEAD", "OPTIONS"].includes(request.method),
  ],
];

const refused = refusals.map(([what, code, test]) =>
  answersItself(`refuses ${what} as ${code}`, OUTCOME, (request) =>
    test(request) ? respondProblem(problems[code].status, code) : null,
  ),
);

const inQuery = (request: ProxyRequest) => (isPost(request) ? queryOf(request).get("@") : null);
const withoutAt = (request: ProxyRequest) => withQuery(request, (query) => query.delete("@"));
const isBeside = (request: ProxyRequest) => !onEndpoint(request);
const ofOneMethod = (request: ProxyRequest, method: string) => ({ ...request, method, body: Buffer.alloc(0) });
const firstOfList: Repair = (request) => {
  const list = parse(request.body.toString());
  return isPost(request) && Array.isArray(list) && isObject(list[0])
    ? { ...request, body: Buffer.from(JSON.stringify(list[0])) }
    : request;
};
const byQuery: Repair = (request) => {
  const name = inQuery(request);
  return name ? withJsonBody(withoutAt(request), (body) => ({ ...body, "@": name })) : request;
};
const isCommand = (request: ProxyRequest) => called(request)?.method === "POST";

/** Requests taken for what they are not. */
const taken: Readonly<Record<string, Repair>> = {
  "a GET without a name for the first query": (request) =>
    onEndpoint(request) && ["GET", "HEAD"].includes(request.method) && !namedIn(request)
      ? withQuery(request, (query) => query.set("@", queries[0]?.name ?? ""))
      : request,
  "a body without a name for the first command": (request) =>
    isPost(request)
      ? withJsonBody(request, (body) => (body["@"] ? body : { ...body, "@": commands[0]?.name }))
      : request,
  "a list for the name in it": (request) =>
    withJsonBody(request, (body) => (Array.isArray(body["@"]) ? { ...body, "@": body["@"].join() } : body)),
  "an empty name in the query of a POST for none": (request) =>
    inQuery(request) === "" ? withoutAt(request) : request,
  "the same name in the query of a POST for none": (request) =>
    inQuery(request) && inQuery(request) === namedIn(request) ? withoutAt(request) : request,
  "members of a GET's body for parameters": (request) =>
    isGet(request)
      ? withQuery(request, (query) => {
          const { "@": _name, ...members } = jsonBody(request) ?? {};
          for (const [name, value] of Object.entries(members)) query.set(name, String(value));
        })
      : request,
  "POST beside the endpoint for GET": (request) =>
    isPost(request) && isBeside(request) ? ofOneMethod(request, "GET") : request,
  "every method of what is redirected for GET": (request) =>
    pathOf(request).endsWith("/api") && !isOptions(request) ? ofOneMethod(request, "GET") : request,
  "a name with blanks for one without on HEAD": (request) =>
    isHead(request) ? renamed(request, (name) => name.trim()) : request,
  "the parameter _method for the method": (request, context) =>
    queryOf(request).get("_method") === "POST"
      ? asPost(
          withQuery(request, (query) => query.delete("_method")),
          context,
        )
      : request,
  "the member _method for the method": (request, context) =>
    isPost(request) && jsonBody(request)?._method === "GET" ? asGet(request, context) : request,
};

/** Refuses a request as it should, and carries it out. */
const secrets: Readonly<Record<string, Repair>> = {
  "a command by GET": (request, context) => (isCommand(request) && isGet(request) ? asPost(request, context) : request),
  "a command by PUT": (request) => (request.method === "PUT" ? { ...request, method: "POST" } : request),
  "the first of a list": firstOfList,
  "a command that the query names": byQuery,
  "a command named twice": (request) => (isPost(request) && namedIn(request) ? withoutAt(request) : request),
};

const secretly = Object.entries(secrets).map(
  ([what, change]): Mutant => ({
    id: `refuses ${what}, and carries it out`,
    breaks: ["state"],
    hooks: {
      request: async (request, context) => {
        const changed = change(request, context);
        if (changed !== request) await context.forward(changed);
        return request;
      },
    },
    touches: ({ request }, _check, context) => request !== null && change(request, context) !== request,
  }),
);

/** A value that no type allows, wherever the input stands. */
const wrongValue = (request: ProxyRequest) => {
  const data = jsonBody(request)?.data;
  const limit = queryOf(request).get("limit") ?? "1";
  return isPost(request)
    ? isObject(data) && Object.values(data).some((value) => typeof value !== "string")
    : /\D/.test(limit);
};

/** Says what is wrong with a value before it asks who calls, or what is wanted. */
const early = (
  ["credentials-missing", "credentials-invalid", "scope-missing", "platform-not-allowed", "not-acceptable"] as const
).map((code) =>
  answersOtherwise(problemOf(code), "is said behind a wrong value", OUTCOME, (answer, request) =>
    called(request) && wrongValue(request) ? respondProblem(422, "invalid-input") : answer,
  ),
);

const toOptions = (answer: ProxyAnswer, request: ProxyRequest) => answer.status === 204 && isOptions(request);

const answers: readonly Mutant[] = [
  changesAnswer(selector("OPTIONS", toOptions), {
    name: "has a body",
    breaks: ["body"],
    change: (answer) => verbatim(withBody(answer, "{}")),
  }),
  changesAnswer(selector("OPTIONS", toOptions), answersStatus(200)),
  changesAnswer(problemOf("operation-not-found"), {
    name: "says the name in X-Operation",
    breaks: ["header:x-operation"],
    change: (answer, request) =>
      withHeader(answer, "X-Operation", encodeURIComponent((request && namedIn(request)) ?? "")),
  }),
  answersItself("TRACE sends the request back", OUTCOME, (request) =>
    request.method === "TRACE"
      ? { ...respond(200, {}, { "Content-Type": "message/http" }), body: request.rawBytes }
      : null,
  ),
  changesAnswer(
    selector("TRACE refused", (answer, { method }) => method === "TRACE" && answer.status >= 400),
    {
      name: "sends its fields back",
      breaks: ["body"],
      change: (answer, request) => withJson(answer, (json) => ({ ...json, detail: String(request?.headers) })),
    },
  ),
];

export const mutants: readonly Mutant[] = [
  ...refused,
  ...Object.entries(taken).map(([what, repair]) => takesFor(`takes ${what}`, repair)),
  ...secretly,
  ...early,
  ...answers,
];
