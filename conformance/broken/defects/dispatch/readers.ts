import { commands } from "../../../client/operation.ts";
import type { Defect, ProxyRequest } from "../../defect.ts";
import { header, jsonBody, pathOf, queryOf } from "../../look.ts";
import { respond, respondProblem } from "../../shape.ts";
import { problemsWith } from "../../when.ts";
import { withoutRepeats } from "./query.ts";
import { checksOf, ifKnown, isPost, knownOperation, namesPost, renamed, withoutAt } from "./words.ts";

/** How other parsers read a name and a query. */

const area = "dispatch";

const searchOf = ({ target }: ProxyRequest) => /\?(.*)$/s.exec(target)?.[1] ?? "";

/** With another query, byte for byte. */
function searching(change: (search: string) => string): Required<Pick<Defect, "request">> {
  return {
    request: (request) => {
      const search = searchOf(request);
      const changed = change(search);
      return changed === search ? request : { ...request, target: `${pathOf(request)}?${changed}` };
    },
  };
}

const notCut = ["dispatch/unknown#not-cut"];
const nearly = ["dispatch/case-sensitive#by-another-method"];
const credentialTwice = ["key-equal", "key-different", "platform-equal", "platform-different"].map(
  (variant) => `dispatch/repeated-credential#${variant}`,
);

export const readerDefects: readonly Defect[] = [
  {
    id: "query/split-at-every-equals-sign",
    area,
    description: "Ends a value at its first equals sign.",
    requirements: ["dispatch/unknown"],
    catches: notCut,
    reason: /404/,
    ...searching((search) => search.replace(/(^|&)([^=&]*=[^=&]+)=[^&]*/g, "$1$2")),
  },
  {
    id: "query/ends-at-a-question-mark",
    area,
    description: "Ends the query at a second question mark.",
    requirements: ["dispatch/unknown"],
    catches: notCut,
    reason: /404/,
    ...searching((search) => search.replace(/\?.*$/s, "")),
  },
  {
    id: "query/semicolons-separate",
    area,
    description: "Takes semicolons between parameters.",
    requirements: ["dispatch/unknown", "dispatch/missing"],
    catches: [...notCut, "dispatch/missing#nearly-at"],
    reason: /404|400/,
    ...searching((search) => search.replaceAll(";", "&")),
  },
  {
    id: "query/a-thousand-parameters",
    area,
    description: "Reads no more than a thousand parameters.",
    requirements: ["dispatch/repeated"],
    catches: ["dispatch/repeated#many"],
    reason: /400|parameter-repeated/,
    ...searching((search) => search.split("&").slice(0, 1000).join("&")),
  },
  {
    id: "query/first-plus-of-a-name",
    area,
    description: "Takes only the first `+` of a parameter's name for a space.",
    requirements: ["dispatch/plus-is-space"],
    catches: ["dispatch/plus-is-space#names"],
    reason: /one name/,
    ...searching((search) => search.replace(/(?<=(?:^|&)[^&=+]*\+[^&=]*)\+(?=[^&=]*=)/g, "%2B")),
  },
  {
    id: "query/malformed-after-method",
    area,
    description: "Judges the method of an operation before it has read the query.",
    requirements: ["dispatch/malformed-query"],
    catches: ["dispatch/malformed-query#escape", "dispatch/malformed-query#utf-8"],
    reason: /400/,
    answer: problemsWith("malformed-query", (answer, request) =>
      namesPost(request) ? respondProblem(405, "method-not-allowed") : answer,
    ),
  },
  {
    id: "query/repeated-after-method",
    area,
    description: "Judges the method of an operation before it sees that a parameter is repeated.",
    requirements: ["dispatch/repeated"],
    catches: ["dispatch/repeated#unknown-parameter"],
    reason: /400/,
    answer: problemsWith("parameter-repeated", (answer, request) =>
      namesPost(request) ? respondProblem(405, "method-not-allowed") : answer,
    ),
  },
  {
    id: "headers/credential-twice-on-head",
    area,
    description: "Of credential headers with the same name the first counts, on HEAD.",
    requirements: ["dispatch/repeated-credential"],
    catches: credentialTwice,
    reason: /HEAD/,
    request: (request) =>
      request.method === "HEAD" ? { ...request, headers: withoutRepeats(request.headers, () => true) } : request,
  },
  {
    id: "headers/credential-twice-on-post",
    area,
    description: "Of credential headers with the same name the first counts, on POST.",
    requirements: ["dispatch/repeated-credential"],
    catches: credentialTwice,
    reason: /400/,
    request: (request) =>
      isPost(request) ? { ...request, headers: withoutRepeats(request.headers, () => true) } : request,
  },
  {
    id: "headers/credential-twice-without-operation",
    area,
    description: "Sees that a credential header is repeated only when it knows the operation.",
    requirements: ["dispatch/repeated-credential"],
    catches: credentialTwice,
    reason: /400|parameter-repeated/,
    request: (request) =>
      knownOperation(request) ? request : { ...request, headers: withoutRepeats(request.headers, () => true) },
  },
  {
    id: "dispatch/empty-query-at-ignored-on-post",
    area,
    description: "Ignores an empty `@` in the query of a POST.",
    requirements: ["dispatch/ambiguous"],
    catches: checksOf("dispatch/ambiguous#empty", commands),
    reason: /400/,
    request: (request) =>
      isPost(request) && jsonBody(request) && queryOf(request).get("@") === "" ? withoutAt(request) : request,
  },
  {
    id: "dispatch/names-cleaned-on-head",
    area,
    description: "Takes a name with blanks around it on HEAD.",
    requirements: ["dispatch/case-sensitive"],
    catches: nearly,
    reason: /404/,
    request: (request) =>
      request.method === "HEAD"
        ? renamed(
            request,
            ifKnown((name) => name.trim()),
          )
        : request,
  },
  {
    id: "dispatch/names-cleaned-for-405",
    area,
    description: "Finds an operation in any letter case when it says that the method is wrong.",
    requirements: ["dispatch/case-sensitive"],
    catches: nearly,
    reason: /404/,
    answer: problemsWith("operation-not-found", (answer, request) => {
      const operation = knownOperation(renamed(request, (name) => name.toLowerCase()));
      return operation && operation.method !== request.method ? respondProblem(405, "method-not-allowed") : answer;
    }),
  },
  {
    id: "dispatch/command-by-percent-encoded-head",
    area,
    description: "Answers HEAD of an operation of POST with 200 when `@` is written `%40`.",
    requirements: ["dispatch/percent-encoded"],
    catches: ["dispatch/percent-encoded#everywhere"],
    reason: /405/,
    request: (request) =>
      request.method === "HEAD" && request.target.includes("?%40=") && namesPost(request) ? respond(200, {}) : request,
  },
  {
    id: "dispatch/cookie-chooses",
    area,
    description: "Takes the operation from a cookie when the query has none.",
    requirements: ["dispatch/one-path"],
    catches: ["dispatch/one-path#not-by-header"],
    reason: /refusal/,
    request: (request) => {
      const [, name] = /(?:^|; )@=([^;]*)/.exec(header(request, "Cookie") ?? "") ?? [];
      return name === undefined || searchOf(request) !== "" ? request : { ...request, target: `/api/?@=${name}` };
    },
  },
  {
    id: "dispatch/every-path-is-the-endpoint",
    area,
    description: "Serves operations at every path.",
    requirements: ["dispatch/one-path", "landing/html"],
    catches: ["dispatch/one-path#nowhere-else", "landing/html#default"],
    reason: /no operation at|HTML/,
    request: (request) =>
      request.method === "GET" && knownOperation(request)
        ? { ...request, target: `/api/?${searchOf(request)}` }
        : request,
  },
  {
    id: "dispatch/version-by-header",
    area,
    description: "Lets a header select the version.",
    requirements: ["sysinfo/version"],
    catches: ["sysinfo/version#whatever-is-asked-for"],
    reason: /200/,
    request: (request) =>
      header(request, "Accept-Version") === "1.0.0" ? respondProblem(404, "path-not-found") : request,
  },
];
