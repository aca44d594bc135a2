import type { ProblemCode } from "../../../generated/operations.ts";
import type { Aspect } from "../../client/expectation.ts";
import { answersOtherwise, type Mutant } from "../mutant.ts";
import { header, jsonBody, namedIn, pathOf, problemCode, queryOf } from "../proxy/look.ts";
import type { ProxyAnswer, ProxyRequest } from "../proxy/message.ts";
import { withHeader, withJson } from "../proxy/shape.ts";
import { KEY, PLATFORM, sent } from "../requests.ts";
import { problemOf } from "../selectors.ts";

/** Refusals that repeat what they refuse. */

/** What a refusal may repeat, and which of them have it to repeat. */
const repeated: readonly (readonly [string, readonly ProblemCode[], (request: ProxyRequest) => unknown])[] = [
  ["the name", ["operation-not-found", "document-not-found"], namedIn],
  ["parameters", ["invalid-input", "parameter-repeated"], (request) => [...queryOf(request).keys()].at(-1)],
  ["values", ["invalid-input", "invalid-cursor"], (request) => [...queryOf(request).values()].at(-1)],
  ["the query", ["malformed-query"], ({ target }) => target.replace(/^.*\?[^&]*&/, "")],
  ["the path", ["path-not-found"], (request) => decodeURIComponent(pathOf(request)).slice(1)],
  ["the body", ["malformed-json", "content-too-large"], ({ body }) => body],
  ["data", ["invalid-input"], (request) => Object.values(Object(jsonBody(request)?.data))[0]],
  ["Content-Type", ["unsupported-media-type"], (request) => header(request, "Content-Type")],
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
const ascii = (text: string) => text.replace(/[^\x20-\x7e]/g, "");

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

/** Before anything could be read of the request. */
const unread: Mutant = {
  id: "says what it could not read",
  breaks: ["body"],
  hooks: { unreadableAnswer: (answer, bytes) => withDetail(answer, bytes.toString("latin1", 0, 60)) },
  touches: ({ request, answer }) => request === null && problemCode(answer) !== null,
};

export const echoMutants: readonly Mutant[] = [...refused, unread];
