import { type ProblemCode, problems } from "../../generated/operations.ts";
import { order } from "../../generated/order.ts";
import { every, type Known, nameOf } from "../client/operation.ts";
import type { Selector } from "./mutant.ts";
import { header, namedIn, pathOf, problemCode } from "./proxy/look.ts";
import type { ProxyAnswer, ProxyRequest } from "./proxy/message.ts";
import { called } from "./requests.ts";

/** Which answers a mutant changes. */

const isHead = (request: ProxyRequest | null) => request?.method === "HEAD";
const mediaTypeOf = (answer: ProxyAnswer) => header(answer, "content-type")?.split(";", 1)[0]?.trim() ?? "";

/** The successes of an operation with this status and media type, those to HEAD aside. */
export const successOf = ({ id }: Known, status: number, mediaType = "application/json"): Selector => ({
  name: mediaType === "application/json" ? `${id} ${status}` : `${id} ${status} ${mediaType}`,
  takes: (answer, request) =>
    answer.status === status &&
    request !== null &&
    !isHead(request) &&
    called(request)?.id === id &&
    mediaTypeOf(answer) === mediaType,
});

/** Codes that Node's parser, or what stands for it, refuses with. */
export const parsed = new Set<string>(
  order.flatMap(({ step, refuses }) => (step === "readHead" || step === "readBody" ? refuses : [])),
);

export const codes = Object.keys(problems) as ProblemCode[]; // its own keys

/**
 * Those that a right deployment answers with, and at once: what is wrong with a time-out's answer would take the time-out to see. That
 * of the laboratory has no limits; what is wrong with those: wild/limits.ts.
 */
export const quickCodes = codes.filter(
  (code) => problems[code].status < 500 && code !== "request-timeout" && code !== "rate-limited",
);

/** The problems with a code. */
export const problemOf = (code: ProblemCode): Selector => ({
  name: code,
  takes: (answer) => problemCode(answer) === code,
  parser: parsed.has(code),
});

const at =
  (path: string, method: string, status: number): Selector["takes"] =>
  (answer, request) =>
    request !== null && answer.status === status && request.method === method && pathOf(request).endsWith(path);

export const landing = (mediaType: string): Selector => ({
  name: `the landing page as ${mediaType}`,
  // The endpoint may be spelt with dot segments.
  takes: (answer, request) =>
    request !== null &&
    !/\/(api|\.\.)\/$/.test(pathOf(request)) &&
    at("/", "GET", 200)(answer, request) &&
    mediaTypeOf(answer) === mediaType,
});

/** The answers that are no operation's own success and no problem. */
export const others: readonly Selector[] = [
  { name: "not modified", takes: (answer) => answer.status === 304 },
  { name: "the redirect", takes: (answer) => answer.status === 308 },
  { name: "preflight", takes: (answer, request) => answer.status === 204 && request?.method === "OPTIONS" },
  { name: "robots.txt", takes: at("/robots.txt", "GET", 200) },
  landing("text/html"),
  landing("application/json"),
  { name: "compressed", takes: (answer) => header(answer, "content-encoding") !== null },
  ...every
    .filter(({ parts }) => parts.length > 0)
    .map(
      (operation): Selector => ({
        name: `${operation.id} but ${nameOf(operation)}`,
        takes: (answer, request) =>
          request !== null &&
          answer.status === 200 &&
          called(request)?.id === operation.id &&
          namedIn(request) !== nameOf(operation),
      }),
    ),
  { name: "HEAD", takes: (answer, request) => isHead(request) && answer.status < 400 },
  { name: "HEAD refused", takes: (answer, request) => isHead(request) && answer.status >= 400 },
];

/** Answers to what is a request, by a test of one's own. */
export const selector = (name: string, takes: (answer: ProxyAnswer, request: ProxyRequest) => boolean): Selector => ({
  name,
  takes: (answer, request) => request !== null && takes(answer, request),
});
