import { verbatimBytes } from "../../answer.ts";
import { caught } from "../../caught.ts";
import type { Defect, ProxyAnswer, ProxyRequest } from "../../defect.ts";
import { header, operationOf, pathOf } from "../../look.ts";
import { respondProblem, withHeader } from "../../shape.ts";
import { chunks } from "./everywhere.ts";

type Hooks = Parameters<typeof caught>[4];

const version = (id: string, description: string, variants: readonly string[], reason: RegExp, hooks: Hooks) =>
  caught(
    `http/version-${id}`,
    description,
    variants.map((name) => `http/versions${name}`),
    reason,
    hooks,
  );
const old = (change: (answer: ProxyAnswer, request: ProxyRequest) => ProxyAnswer): Hooks => ({
  answer: (answer, request) => (request.version === "1.0" ? change(answer, request) : answer),
});
const isAbsolute = ({ target }: ProxyRequest) => /^https?:/i.test(target);
const absolute = (change: (answer: ProxyAnswer, request: ProxyRequest) => ProxyAnswer): Hooks => ({
  answer: (answer, request) => (isAbsolute(request) ? change(answer, request) : answer),
});

export const versionDefects: readonly Defect[] = [
  version(
    "1.0-refused",
    "Refuses HTTP/1.0.",
    ["#1.0", "#1.0-every-operation", "#1.0-refusals"],
    /200|422/,
    old(() => respondProblem(505, "malformed-request")),
  ),
  version(
    "1.0-upgrade",
    "Wants HTTP/1.0 to be upgraded.",
    ["#1.0"],
    /200/,
    old(() => respondProblem(426, "malformed-request")),
  ),
  version(
    "1.0-needs-host",
    "Wants Host of HTTP/1.0.",
    ["#1.0"],
    /200/,
    old((answer, request) => (header(request, "Host") === null ? respondProblem(400, "malformed-request") : answer)),
  ),
  version(
    "1.0-chunks",
    "Sends chunks to HTTP/1.0.",
    ["#1.0"],
    /chunks/,
    old((answer) => ({ ...answer, raw: verbatimBytes(withHeader(chunks(answer), "Connection", "close")) })),
  ),
  version(
    "1.0-without-head",
    "Answers HTTP/1.0 with a body alone.",
    ["#1.0", "#1.0-refusals"],
    /an answer/,
    old((answer) => ({ ...answer, raw: answer.body })),
  ),
  version(
    "1.0-posts-refused",
    "Takes no POST by HTTP/1.0.",
    ["#1.0-refusals"],
    /422/,
    old((answer, { method }) => (method === "POST" ? respondProblem(400, "malformed-request") : answer)),
  ),
  version(
    "1.0-one-operation",
    "Has one operation that needs HTTP/1.1.",
    ["#1.0-every-operation"],
    /200/,
    old((answer, request) =>
      operationOf(request) === "user.list" ? respondProblem(505, "malformed-request") : answer,
    ),
  ),
  version(
    "absolute-unknown",
    "Takes an address for a path.",
    ["#absolute-form", "#absolute-form-landing"],
    /200/,
    absolute(() => respondProblem(404, "path-not-found")),
  ),
  version(
    "absolute-refused",
    "Takes an address for a request to a proxy.",
    ["#absolute-form", "#absolute-form-landing"],
    /200/,
    absolute(() => respondProblem(400, "malformed-request")),
  ),
  version("absolute-lands", "Answers every address with its landing page.", ["#absolute-form"], /200/, {
    request: (request) => (isAbsolute(request) ? { ...request, target: "/" } : request),
  }),
  version("absolute-query-lost", "Loses the query of an address.", ["#absolute-form"], /200/, {
    request: (request) => (isAbsolute(request) ? { ...request, target: pathOf(request) } : request),
  }),
  version(
    "absolute-root",
    "Does not find the root of an address.",
    ["#absolute-form-landing"],
    /200/,
    absolute((answer, request) => (pathOf(request) === "/" ? respondProblem(404, "path-not-found") : answer)),
  ),
  version(
    "absolute-post",
    "Takes no POST to an address.",
    ["#absolute-form"],
    /422/,
    absolute((answer, { method }) => (method === "POST" ? respondProblem(404, "path-not-found") : answer)),
  ),
];
