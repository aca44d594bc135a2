import { type ProblemCode, problems } from "../../../generated/operations.ts";
import { answersItself, answersOtherwise, type Mutant, OUTCOME, takesFor } from "../mutant.ts";
import { header, pathOf, queryOf } from "../proxy/look.ts";
import type { ProxyRequest } from "../proxy/message.ts";
import { respondProblem, withAddedHeader, withoutHeader } from "../proxy/shape.ts";
import { isPost, onEndpoint, type Repair } from "../requests.ts";
import { problemOf } from "../selectors.ts";

/** Broken limits, and what is not judged where another part of the server answers. */

export const refusal = (code: ProblemCode) => respondProblem(problems[code].status, code);

const URL_LIMIT = 8192;
const HEAD_LIMIT = 16_384;
const BODY_LIMIT = 65_536;
const FIELDS = 100;

const KNOWN = /^(host|connection|accept|content-type|content-length|transfer-encoding|expect|x-api-key|x-platform)$/i;
const cutTarget: Repair = (request) => ({ ...request, target: request.target.slice(0, URL_LIMIT) });
const cutFields: Repair = (request) => ({
  ...request,
  headers: request.headers.filter(
    ([name], index, all) => KNOWN.test(name) && all.findIndex(([one]) => one === name) === index,
  ),
});
const cutBody: Repair = (request) => ({ ...request, body: request.body.subarray(0, BODY_LIMIT) });

const said = ({ headers }: ProxyRequest) => headers.reduce((sum, field) => sum + field.join("").length, 0);
const whole = ({ rawBytes }: ProxyRequest) => rawBytes.indexOf("\r\n\r\n") + 4;
const isChunked = (request: ProxyRequest) => header(request, "Transfer-Encoding") !== null;

interface Limit {
  readonly limit: number;
  readonly of: (request: ProxyRequest) => number;
  /** However one counts: what is more by this is too much. */
  readonly least?: (request: ProxyRequest) => number;
  readonly code: ProblemCode;
  /** Without what is too much. */
  readonly cut: Repair;
}

/** What is counted, and the refusal of more. */
const limits: Readonly<Record<string, Limit>> = {
  "bytes of URL": { limit: URL_LIMIT, of: ({ target }) => target.length, code: "uri-too-long", cut: cutTarget },
  "bytes of head": { limit: HEAD_LIMIT, of: whole, least: said, code: "headers-too-large", cut: cutFields },
  fields: { limit: FIELDS, of: ({ headers }) => headers.length, code: "headers-too-large", cut: cutFields },
  "bytes of body": { limit: BODY_LIMIT, of: ({ body }) => body.length, code: "content-too-large", cut: cutBody },
};

const bounds = Object.entries(limits).flatMap(([what, { limit, of, least = of, code, cut }]): Mutant[] => {
  const refuses = (how: string, holds: (count: number) => boolean) =>
    answersItself(`${how} ${what}`, OUTCOME, (request) => (holds(of(request)) ? refusal(code) : null));
  const takes = (how: string, holds: (count: number) => boolean) =>
    takesFor(`${how} ${what}`, (request, context) => (holds(least(request)) ? cut(request, context) : request));
  return [
    refuses("takes one less than the limit of", (count) => count === limit),
    refuses("takes half of the", (count) => count > limit / 2),
    takes("takes one more than the limit of", (count) => count === limit + 1),
    takes("has no limit of", (count) => count > limit),
  ];
});

/** Ways into a server, each of which may be answered by a part of it that judges less. */
const ways: Readonly<Record<string, (request: ProxyRequest) => boolean>> = {
  OPTIONS: ({ method }) => method === "OPTIONS",
  HEAD: ({ method }) => method === "HEAD",
  POST: isPost,
  GET: ({ method }) => method === "GET",
  "the redirect": (request) => pathOf(request).endsWith("/api"),
  "the landing page": (request) => /^(?!.*\/api\/$).*\/$/.test(pathOf(request)),
  files: (request) => /\.\w+$/.test(pathOf(request)),
  "unknown paths": (request) => !/\/(api\/?)?$|\.\w+$/.test(pathOf(request)),
  chunks: isChunked,
};

const HEADS = Object.keys(ways).filter((way) => way !== "chunks");

/** What a part of a server may forgive, and where it is judged. */
const forgives: Readonly<Record<string, readonly [at: readonly string[], repair: Repair]>> = {
  "counts no URL": [
    HEADS,
    (request, context) => (request.target.length > URL_LIMIT ? cutTarget(request, context) : request),
  ],
  "counts no head": [
    HEADS,
    (request, context) =>
      said(request) > HEAD_LIMIT || request.headers.length > FIELDS ? cutFields(request, context) : request,
  ],
  "counts no body": [
    ["POST", "GET", "the landing page", "files", "chunks"],
    (request, context) => (request.body.length > BODY_LIMIT ? cutBody(request, context) : request),
  ],
  "needs no Host": [
    HEADS,
    (request, { target }) =>
      request.version === "1.1" && header(request, "Host") === null
        ? withAddedHeader(request, "Host", target.host)
        : request,
  ],
  "minds no expectation": [
    HEADS,
    (request) => (header(request, "Expect") === null ? request : withoutHeader(request, "Expect")),
  ],
};

const forgiving = Object.entries(forgives).flatMap(([what, [at, repair]]) =>
  at.map((way) =>
    takesFor(`${what} of ${way}`, (request, context) => (ways[way]?.(request) ? repair(request, context) : request)),
  ),
);

/** Ways of writing a request that HTTP has, not known where another part answers. */
const isOld = ({ version }: ProxyRequest) => version === "1.0";
const isAbsolute = ({ target }: ProxyRequest) => /^https?:/i.test(target);
const versions = Object.entries({ "HTTP/1.0": isOld, "the absolute form": isAbsolute }).flatMap(([version, isSo]) =>
  HEADS.map((way) =>
    answersItself(`knows no ${version} of ${way}`, OUTCOME, (request) =>
      isSo(request) && ways[way]?.(request) ? refusal("malformed-request") : null,
    ),
  ),
);

const expects = (request: ProxyRequest) => header(request, "Expect");
const expectations: readonly Mutant[] = [
  ...[/100/, /100-continue/i].map((pattern) =>
    takesFor(
      `looks for ${pattern.source} in an expectation, ${pattern.flags ? "in any letter case" : "as it is"}`,
      (request) =>
        pattern.test(expects(request) ?? "") && !/^100-continue$/i.test(expects(request) ?? "")
          ? withoutHeader(request, "Expect")
          : request,
    ),
  ),
  ...Object.entries({ "": /./, " in another letter case": /[A-Z]/ }).map(([which, pattern]) =>
    answersItself(`refuses an expectation${which}`, OUTCOME, (request) =>
      pattern.test(expects(request) ?? "") ? refusal("expectation-failed") : null,
    ),
  ),
  takesFor("does not wait for a body that it has asked for", (request) =>
    /^100-continue$/i.test(expects(request) ?? "") && request.body.length > 0
      ? { ...withoutHeader(request, "Expect"), body: Buffer.alloc(0) }
      : request,
  ),
];

const ASCII = /[^\0-\x7f]/g;

export const mutants: readonly Mutant[] = [
  ...bounds,
  ...forgiving,
  ...versions,
  ...expectations,
  takesFor("counts the characters of a body", (request, context) =>
    request.body.length > BODY_LIMIT && request.body.toString().length <= BODY_LIMIT
      ? cutBody({ ...request, body: Buffer.from(request.body.toString().replace(ASCII, "e")) }, context)
      : request,
  ),
  answersItself("counts the frames of chunks", OUTCOME, (request) =>
    isChunked(request) && request.rawBytes.length > BODY_LIMIT + 256 && request.body.length <= BODY_LIMIT
      ? refusal("content-too-large")
      : null,
  ),
  takesFor("counts the largest field alone", (request, context) =>
    said(request) > HEAD_LIMIT && request.headers.every(([, value]) => value.length < HEAD_LIMIT / 2)
      ? cutFields(request, context)
      : request,
  ),
  takesFor("counts the names of fields", (request, context) =>
    request.headers.length > FIELDS && new Set(request.headers.map(([name]) => name.toLowerCase())).size <= FIELDS
      ? cutFields(request, context)
      : request,
  ),
  answersItself("counts URL and head together", OUTCOME, (request) =>
    request.target.length + said(request) > HEAD_LIMIT + 4096 &&
    request.target.length <= URL_LIMIT &&
    said(request) <= HEAD_LIMIT
      ? refusal("headers-too-large")
      : null,
  ),
  answersItself("takes a hundred parameters", OUTCOME, (request) =>
    queryOf(request).size > 100 ? refusal("malformed-query") : null,
  ),
  answersItself("refuses a body of GET", OUTCOME, ({ method, body }) =>
    method === "GET" && body.length > 0 ? refusal("malformed-request") : null,
  ),
  answersOtherwise(
    problemOf("content-too-large"),
    "does what it refuses",
    ["state"],
    async (answer, request, context) => {
      if (onEndpoint(request)) await context.forward(cutBody(request, context));
      return answer;
    },
  ),
];
