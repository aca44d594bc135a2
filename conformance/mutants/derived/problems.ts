import type { ProblemCode } from "../../../generated/operations.ts";
import type { Aspect } from "../../client/expectation.ts";
import { answersOtherwise, changesAnswer, type Mutant, type Selector } from "../mutant.ts";
import { atPointer } from "../operators.ts";
import { header, isObject, type JsonObject, jsonBody, namedIn, pathOf, problemCode, queryOf } from "../proxy/look.ts";
import type { ProxyAnswer, ProxyRequest } from "../proxy/message.ts";
import { respond, withAddedHeader, withBody, withHeader, withJson } from "../proxy/shape.ts";
import { isPost, KEY, PLATFORM, sent } from "../requests.ts";
import { problemOf } from "../selectors.ts";

/** Refusals that repeat what they refuse, and keys that come back. */

/** What a refusal may repeat, and which of them have it to repeat. */
const repeated: readonly (readonly [string, readonly ProblemCode[], (request: ProxyRequest) => unknown])[] = [
  ["the name", ["operation-not-found", "document-not-found"], (request) => namedIn(request)?.split(".").at(-1)],
  ["parameters", ["invalid-input", "parameter-repeated"], (request) => [...queryOf(request).keys()].at(-1)],
  ["values", ["invalid-input", "invalid-cursor"], (request) => [...queryOf(request).values()].at(-1)],
  ["the query", ["malformed-query"], ({ target }) => target.replace(/^.*\?[^&]*&|=[^&]*$/g, "")],
  ["the path", ["path-not-found"], (request) => decodeURIComponent(pathOf(request)).slice(1)],
  ["the body", ["malformed-json", "content-too-large"], ({ body }) => body],
  ["data", ["invalid-input"], (request) => Object.values(Object(jsonBody(request)?.data))[0]],
  ["Content-Type", ["unsupported-media-type"], (request) => header(request, "Content-Type")?.replace(/^[^/]*./, "")],
  ["Content-Encoding", ["unsupported-media-type"], (request) => header(request, "Content-Encoding")],
  ["Accept", ["not-acceptable"], (request) => header(request, "Accept")?.replace(/^text./, "")],
  [
    "the key",
    ["credentials-invalid", "credential-conflict"],
    (request) => queryOf(request).get(KEY) ?? sent(request, KEY),
  ],
  ["the platform", ["platform-not-allowed"], (request) => sent(request, PLATFORM)],
];

const isText = (value: unknown): value is string | Buffer => typeof value === "string" || Buffer.isBuffer(value);
const ascii = (text: string) => text.replace(/[^\x21-\x7e]/g, "");

/** How it says so. */
const ways: Readonly<Record<string, readonly [Aspect, (answer: ProxyAnswer, text: string) => ProxyAnswer]>> = {
  says: ["body:/detail", (answer, text) => withDetail(answer, text)],
  "says in capitals": ["body:/detail", (answer, text) => withDetail(answer, text.toUpperCase())],
  "says the beginning of": ["body:/detail", (answer, text) => withDetail(answer, `${text.slice(0, 4)}***`)],
  "says the end of": ["body:/detail", (answer, text) => withDetail(answer, `***${text.slice(-4)}`)],
  "has for a reason": ["status", (answer, text) => ({ ...answer, reason: ascii(text) })],
  "has in a header": ["header:x-rejected", (answer, text) => withHeader(answer, "X-Rejected", ascii(text))],
};

const withDetail = (answer: ProxyAnswer, text: string) =>
  withJson(answer, (problem) => ({ ...problem, detail: `${problem.detail} (${text})` }));

const refused = repeated.flatMap(([what, codes, find]) =>
  codes.flatMap((code) =>
    Object.entries(ways).map(([how, [aspect, say]]) =>
      answersOtherwise(problemOf(code), `${how} ${what}`, [aspect, "body"], (answer, request) => {
        const found = find(request);
        const text = (isText(found) ? found.toString() : "").slice(0, 100);
        return text === "" ? answer : say(answer, text);
      }),
    ),
  ),
);

const keySent: Selector = {
  name: "an answer",
  takes: (_answer, request) => request !== null && sent(request, KEY) !== "",
};
const inProblem = (answer: ProxyAnswer, more: Readonly<Record<string, string>>) =>
  problemCode(answer) === null ? answer : withJson(answer, (problem) => ({ ...problem, ...more }));

/** Where a key comes back. */
const shown: Readonly<Record<string, (answer: ProxyAnswer, key: string, request: ProxyRequest) => ProxyAnswer>> = {
  "in a header": (answer, key) => withAddedHeader(answer, "X-Caller", ascii(key)),
  "in base64": (answer, key) => withAddedHeader(answer, "X-Trace", Buffer.from(`key=${key}`).toString("base64")),
  "in the detail of a problem": (answer, key) => inProblem(answer, { detail: `Not for ${key}.` }),
  "in the instance of a problem": (answer, _key, { target }) => inProblem(answer, { instance: target }),
  "when it is not valid": (answer, key) =>
    problemCode(answer) === "credentials-invalid" ? inProblem(answer, { detail: `Unknown key ${key}.` }) : answer,
  "when the method is wrong": (answer, _key, { headers }) =>
    answer.status === 405 ? withBody(answer, JSON.stringify(headers)) : answer,
  "on an unknown path": (answer, _key, { target }) =>
    problemCode(answer) === "path-not-found" ? inProblem(answer, { detail: `${target} is not served` }) : answer,
  "on a page": (answer, _key, request) =>
    pathOf(request) === "/" && header(answer, "Content-Type")?.startsWith("text/html")
      ? withBody(answer, `${answer.body}<!-- ${queryOf(request)} -->`)
      : answer,
  "in Location": (answer, key) => {
    const location = answer.status === 308 ? header(answer, "Location") : null;
    return location === null ? answer : withHeader(answer, "Location", `${location}&key=${ascii(key)}`);
  },
  "in the Location of another path": (answer, _key, request) =>
    problemCode(answer) === "path-not-found" && /^\/+api\/$/i.test(pathOf(request))
      ? respond(308, {}, { Location: `/api/?${queryOf(request)}` })
      : answer,
  "in Link": (answer, key) => {
    const link = header(answer, "Link");
    return link === null
      ? answer
      : withHeader(answer, "Link", link.replace(">", `&${KEY}=${encodeURIComponent(key)}>`));
  },
};

const SHOWN = ["body", "status", "header:x-caller", "header:x-trace", "header:location", "header:link"] as const;

/** Before anything could be read of the request. */
const unread: Mutant = {
  id: "says what it could not read",
  breaks: ["body"],
  hooks: { unreadableAnswer: (answer, bytes) => withDetail(answer, bytes.toString("latin1", 0, 60)) },
  touches: ({ request, answer }) => request === null && problemCode(answer) !== null,
};

/** Broken lists of faults: each fault in another form or at another place, and some of them left out. */

/** What becomes of each fault of a 422. */
const faults: Readonly<Record<string, (fault: JsonObject) => unknown>> = {
  "are texts": ({ detail }) => detail,
  "have no place": ({ detail }) => ({ detail }),
  "have both places": (fault) => ({ pointer: "#", parameter: "", ...fault }),
  "have pointers without #": pointing((pointer) => pointer.slice(1)),
  "have dotted paths": pointing((pointer) => pointer.replace(/^#\/?/, "").replaceAll("/", ".")),
  "point from data on": pointing((pointer) => pointer.replace(/^#\/data/, "#")),
  "point to data only": pointing((pointer) => pointer.replace(/^#\/data\/.*/, "#/data")),
  "point behind": pointing((pointer) => `${pointer}/`),
  "name members as parameters": ({ pointer, ...fault }) =>
    isOfMember({ pointer }) ? { parameter: String(pointer).replace(/.*\//, ""), ...fault } : { pointer, ...fault },
  "point to parameters": ({ parameter, ...fault }) =>
    parameter === undefined ? fault : { pointer: `#/${parameter}`, ...fault },
  "name parameters as of the query": (fault) =>
    fault.parameter === undefined ? fault : { ...fault, parameter: `query.${fault.parameter}` },
};

function pointing(change: (pointer: string) => string) {
  return (fault: JsonObject) =>
    typeof fault.pointer === "string" ? { ...fault, pointer: change(fault.pointer) } : fault;
}
const isOfMember = (fault: unknown) => isObject(fault) && /^#\/data\/\w/.test(String(fault.pointer));

const list = (change: (faults: readonly unknown[]) => unknown) => (value: unknown) =>
  Array.isArray(value) ? change(value) : value;
const named = (method: string): Selector => ({
  name: `invalid-input to ${method}`,
  takes: (answer, request) => problemCode(answer) === "invalid-input" && request?.method === method,
});
const toBoth = (answer: ProxyAnswer, request: ProxyRequest | null) =>
  problemCode(answer) === "invalid-input" && request !== null && isPost(request) && request.target.includes("?");

export const mutants: readonly Mutant[] = [
  ...refused,
  ...Object.entries(shown).map(([where, show]) =>
    answersOtherwise(keySent, `shows the key ${where}`, SHOWN, (answer, request) =>
      show(answer, sent(request, KEY), request),
    ),
  ),
  unread,
  ...Object.entries(faults).map(([how, change]) =>
    changesAnswer(problemOf("invalid-input"), atPointer(`${how}:`, "/errors/*", change as (fault: unknown) => unknown)),
  ),
  ...[
    atPointer(
      "has 21 of",
      "/errors",
      list((all) => Array.from({ length: 21 }, () => all[0])),
    ),
    atPointer(
      "has unknown ones only of",
      "/errors",
      list((all) => (all.every(isOfMember) ? all : all.filter((one) => !isOfMember(one)))),
    ),
  ].map((operator) => changesAnswer(problemOf("invalid-input"), operator)),
  changesAnswer(
    named("GET"),
    atPointer(
      "has the last only of",
      "/errors",
      list((all) => all.slice(-1)),
    ),
  ),
  changesAnswer(
    { name: "invalid-input to both", takes: toBoth },
    atPointer(
      "has the first only of",
      "/errors",
      list((all) => all.slice(0, 1)),
    ),
  ),
];
