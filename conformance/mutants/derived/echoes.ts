import type { ProblemCode } from "../../../generated/operations.ts";
import type { Aspect } from "../../client/expectation.ts";
import { answersOtherwise, type Mutant, type Selector } from "../mutant.ts";
import { header, jsonBody, namedIn, pathOf, problemCode, queryOf } from "../proxy/look.ts";
import type { ProxyAnswer, ProxyRequest } from "../proxy/message.ts";
import { respond, withAddedHeader, withBody, withHeader, withJson } from "../proxy/shape.ts";
import { KEY, PLATFORM, sent } from "../requests.ts";
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

export const mutants: readonly Mutant[] = [
  ...refused,
  ...Object.entries(shown).map(([where, show]) =>
    answersOtherwise(keySent, `shows the key ${where}`, SHOWN, (answer, request) =>
      show(answer, sent(request, KEY), request),
    ),
  ),
  unread,
];
