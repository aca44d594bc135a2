import type { Defect, HeaderFields, ProxyRequest } from "../../defect.ts";
import { header, operationOf, pathOf, queryOf } from "../../look.ts";
import { respondProblem, withQuery } from "../../shape.ts";
import { answersWith, problemsWith } from "../../when.ts";
import { namesKey } from "./words.ts";

const area = "dispatch";

const repeated = (...variants: readonly string[]) => variants.map((variant) => `dispatch/repeated#${variant}`);
const malformed = (...variants: readonly string[]) => variants.map((variant) => `dispatch/malformed-query#${variant}`);
const credential = (...variants: readonly string[]) =>
  variants.map((variant) => `dispatch/repeated-credential#${variant}`);

/** Of parameters with the same name the first, or the last. */
const merged = (request: ProxyRequest, which: "first" | "last", only: RegExp = /(?:)/): ProxyRequest =>
  withQuery(request, (query) => {
    for (const name of new Set(query.keys())) {
      const values = query.getAll(name);
      if (values.length < 2 || !only.test(name)) continue;
      query.set(name, values.at(which === "first" ? 0 : -1) ?? "");
    }
  });

const credentialName = /^x-(api-key|platform)$/i;

/** Without the second of credential fields that `repeats` says are one. */
export function withoutRepeats(headers: HeaderFields, repeats: (one: string, other: string) => boolean): HeaderFields {
  return headers.filter(([name, value], index) => {
    const first = headers.findIndex(([each]) => each.toLowerCase() === name.toLowerCase());
    const earlier = headers[first];
    return !credentialName.test(name) || first === index || !earlier || !repeats(earlier[1], value);
  });
}

const hasBrokenEscape = (request: ProxyRequest) => /%(?![0-9a-f]{2})/i.test(request.target);

/** Percent-decoded as browsers do it: what cannot be read becomes U+FFFD or stands for itself. */
const lenient = (request: ProxyRequest): ProxyRequest => ({
  ...request,
  target: `${pathOf(request)}?${queryOf(request)}`,
});

export const queryDefects: readonly Defect[] = [
  {
    id: "query/first-counts",
    area,
    description: "Of parameters with the same name the first counts.",
    requirements: ["dispatch/repeated"],
    catches: repeated("operation", "input", "unknown-parameter", "credentials", "POST", "HEAD"),
    reason: /400/,
    request: (request) => merged(request, "first"),
  },
  {
    id: "query/last-counts",
    area,
    description: "Of parameters with the same name the last counts.",
    requirements: ["dispatch/repeated"],
    catches: repeated("operation", "input", "unknown-parameter", "credentials", "POST", "HEAD"),
    reason: /400/,
    request: (request) => merged(request, "last"),
  },
  {
    id: "query/at-twice",
    area,
    description: "Takes `@` and `%40` in one query for two parameters, and the first of them counts.",
    requirements: ["dispatch/repeated"],
    catches: repeated("operation", "HEAD"),
    reason: /400/,
    request: (request) =>
      /%40=/.test(request.target) && /[?&]@=/.test(request.target) ? merged(request, "first", /^@$/) : request,
  },
  {
    id: "query/credentials-twice",
    area,
    description: "Takes a credential twice in the query; the first counts.",
    requirements: ["dispatch/repeated"],
    catches: repeated("credentials", "POST"),
    reason: /400/,
    request: (request) => merged(request, "first", credentialName),
  },
  {
    id: "query/repeated-input-422",
    area,
    description: "Takes a repeated parameter for a list, and answers that it does not fit.",
    requirements: ["dispatch/repeated"],
    catches: repeated("operation", "input", "unknown-parameter", "POST"),
    reason: /400/,
    answer: problemsWith("parameter-repeated", () => respondProblem(422, "invalid-input")),
  },
  {
    id: "query/repeated-after-credentials",
    area,
    description: "Judges credentials before it sees that a parameter is repeated.",
    requirements: ["dispatch/repeated"],
    catches: repeated("operation", "input"),
    reason: /400/,
    answer: problemsWith("parameter-repeated", (answer, request) =>
      namesKey(request) ? answer : respondProblem(401, "credentials-missing"),
    ),
  },
  {
    id: "query/repeated-unknown-not-seen",
    area,
    description: "Sees only known parameters repeated.",
    requirements: ["dispatch/repeated"],
    catches: repeated("unknown-parameter"),
    reason: /400/,
    request: (request) => merged(request, "first", /^(?!@$|limit$|cursor$|x-)/i),
  },
  {
    id: "headers/credential-twice",
    area,
    description: "Of credential headers with the same name the first counts.",
    requirements: ["dispatch/repeated-credential"],
    catches: credential("key-equal", "key-different", "platform-equal", "platform-different"),
    reason: /400/,
    request: (request) => ({ ...request, headers: withoutRepeats(request.headers, () => true) }),
  },
  {
    id: "headers/credential-twice-in-public",
    area,
    description: "Looks for repeated credential headers where credentials are needed.",
    requirements: ["dispatch/repeated-credential"],
    catches: credential("key-equal", "key-different", "platform-equal", "platform-different"),
    reason: /400 .*sysinfo/,
    request: (request) =>
      operationOf(request) === "sysinfo"
        ? { ...request, headers: withoutRepeats(request.headers, () => true) }
        : request,
  },
  {
    id: "headers/credential-twice-equal",
    area,
    description: "Takes a credential header twice when both have the same value.",
    requirements: ["dispatch/repeated-credential"],
    catches: credential("key-equal", "platform-equal"),
    reason: /400/,
    request: (request) => ({ ...request, headers: withoutRepeats(request.headers, (one, other) => one === other) }),
  },
  {
    id: "headers/credential-twice-joined",
    area,
    description: "Joins credential headers with the same name, and finds the result invalid.",
    requirements: ["dispatch/repeated-credential"],
    catches: credential("key-equal", "key-different", "platform-equal", "platform-different"),
    reason: /400/,
    answer: (answer, request) =>
      withoutRepeats(request.headers, () => true).length < request.headers.length && answer.status === 400
        ? respondProblem(401, "credentials-invalid")
        : answer,
  },

  {
    id: "query/lenient",
    area,
    description: "Takes broken escapes and bytes that are not UTF-8 as well as it can.",
    requirements: ["dispatch/malformed-query"],
    catches: malformed("escape", "utf-8", "POST", "HEAD"),
    reason: /400|malformed-query/,
    request: (request) => (request.target.includes("%") ? lenient(request) : request),
  },
  {
    id: "query/broken-escape-stands",
    area,
    description: "Takes a broken escape for itself.",
    requirements: ["dispatch/malformed-query"],
    catches: malformed("escape", "POST", "HEAD"),
    reason: /400|malformed-query/,
    request: (request) => (hasBrokenEscape(request) ? lenient(request) : request),
  },
  {
    id: "query/malformed-500",
    area,
    description: "Fails on a query that cannot be read.",
    requirements: ["dispatch/malformed-query"],
    catches: malformed("escape", "utf-8", "POST"),
    reason: /400/,
    answer: problemsWith("malformed-query", () => respondProblem(500, "internal-error")),
  },
  {
    id: "query/malformed-head-500",
    area,
    description: "Fails on HEAD of a query that cannot be read.",
    requirements: ["dispatch/malformed-query"],
    catches: malformed("HEAD"),
    reason: /400/,
    answer: answersWith(400, (answer, request) =>
      request.method === "HEAD" ? respondProblem(500, "internal-error") : answer,
    ),
  },
  {
    id: "query/malformed-after-credentials",
    area,
    description: "Judges credentials before it reads the query.",
    requirements: ["dispatch/malformed-query"],
    catches: malformed("escape", "utf-8"),
    reason: /400/,
    answer: problemsWith("malformed-query", (answer, request) =>
      header(request, "X-API-KEY") === null ? respondProblem(401, "credentials-missing") : answer,
    ),
  },
  {
    id: "query/ascii-only",
    area,
    description: "Refuses escapes beyond ASCII.",
    requirements: ["dispatch/malformed-query"],
    catches: malformed("not-too-strict"),
    reason: /422|404/,
    request: (request) => (/%[89a-f][0-9a-f]/i.test(request.target) ? respondProblem(400, "malformed-query") : request),
  },
  {
    id: "query/plus-is-plus",
    area,
    description: "Takes `+` in a query for itself.",
    requirements: ["dispatch/plus-is-space"],
    catches: ["dispatch/plus-is-space#names", "dispatch/plus-is-space#values"],
    reason: /400|403/,
    request: (request) =>
      request.target.includes("+") ? { ...request, target: request.target.replaceAll("+", "%2B") } : request,
  },
  {
    id: "query/plus-twice",
    area,
    description: "Takes `%2B` in a query for a space too.",
    requirements: ["dispatch/plus-is-space"],
    catches: ["dispatch/plus-is-space#names", "dispatch/plus-is-space#values"],
    reason: /422|400/,
    request: (request) => ({ ...request, target: request.target.replaceAll("%2B", "%20") }),
  },
  {
    id: "query/plus-dropped",
    area,
    description: "Drops `+` at the ends of a value.",
    requirements: ["dispatch/plus-is-space"],
    catches: ["dispatch/plus-is-space#operation"],
    reason: /404|operation-not-found/,
    request: (request) => ({ ...request, target: request.target.replace(/=\++/g, "=").replace(/\++(&|$)/g, "$1") }),
  },
];
