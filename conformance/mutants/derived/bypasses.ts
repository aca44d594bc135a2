import { type ProblemCode, problems } from "../../../generated/operations.ts";
import { nameOf, queries } from "../../client/operation.ts";
import { answersOtherwise, type Mutant, OUTCOME, takesFor } from "../mutant.ts";
import { header, namedIn, problemCode, queryOf } from "../proxy/look.ts";
import type { Context, ProxyRequest } from "../proxy/message.ts";
import { letIn, respondProblem, withQuery } from "../proxy/shape.ts";
import { type CredentialHeader, called, credentialNames, isPost, KEY, PLATFORM, sent } from "../requests.ts";
import { problemOf } from "../selectors.ts";

/** Broken guards: who is not asked for credentials, what a key may do that it may not, and what was remembered of it. */

const isGuarded = (request: ProxyRequest) => called(request)?.auth === true;

/** Callers whom nobody asks for a key. */
const unasked: Readonly<Record<string, (request: ProxyRequest) => boolean>> = {
  "writes %40": ({ target }) => /[?&]%40=/.test(target),
  "names the operation later in the query": ({ method, target }) => method !== "POST" && !/\?(@|%40)=/.test(target),
  "escapes a letter of its name": (request) => !isPost(request) && !request.target.includes(`=${namedIn(request)}`),
  "has another name first in its body": (request) =>
    isPost(request) && /"@"\s*:\s*"([^"]*)"/.exec(request.body.toString())?.[1] !== namedIn(request),
  "calls itself a probe": (request) => /probe|health/i.test(header(request, "User-Agent") ?? ""),
  "comes in absolute form": ({ target }) => /^https?:/i.test(target),
  "speaks HTTP/1.0": ({ version }) => version === "1.0",
  "sends HEAD": ({ method }) => method === "HEAD",
  ...Object.fromEntries(
    [
      ...["X-Forwarded-For", "Forwarded", "X-Internal", "X-Remote-User", "X-Original-URL", "Referer", "Range"],
      ...["Access-Control-Request-Method", "If-None-Match", "X-Requested-With"],
    ].map((name) => [`sends ${name}`, (request: ProxyRequest) => header(request, name) !== null]),
  ),
};

const bypasses = Object.entries(unasked).map(([who, takes]) =>
  takesFor(`asks nobody for a key who ${who}`, (request, context) =>
    isGuarded(request) && sent(request, KEY) === "" && takes(request) ? letIn(request, context) : request,
  ),
);

/** What is refused for a key, for a platform, for both: all of it in the query, or by HEAD, is not. */
const refusals: Readonly<Partial<Record<ProblemCode, readonly CredentialHeader[]>>> = {
  "credentials-invalid": [KEY],
  "platform-not-allowed": [PLATFORM],
  "scope-missing": [KEY],
  "credential-conflict": [],
};
const codes = Object.keys(refusals) as (keyof typeof refusals)[]; // its own keys

const inQuery = codes.flatMap((code) =>
  (refusals[code] ?? []).map((name) =>
    answersOtherwise(
      {
        name: code,
        takes: (answer, request) =>
          problemCode(answer) === code && request !== null && isGuarded(request) && queryOf(request).has(name),
      },
      `is not for ${name} in the query`,
      OUTCOME,
      (_answer, request, context) => context.forward(letIn(request, context)),
    ),
  ),
);

const byHead = codes.map((code) =>
  answersOtherwise(
    {
      name: "HEAD",
      takes: ({ status }, request) =>
        request?.method === "HEAD" && isGuarded(request) && status === problems[code].status,
    },
    `is not refused as ${code}`,
    ["status"],
    async (answer, request, context) =>
      problemCode(await context.forward({ ...request, method: "GET" })) === code
        ? context.forward(letIn(request, context))
        : answer,
  ),
);

const hasGoodKey = (request: ProxyRequest, { credentials }: Context) => sent(request, KEY) === credentials?.key;

/** What a key may do, and what was decided of it before. */
const permissions: readonly Mutant[] = [
  answersOtherwise(
    {
      name: "a guarded operation",
      takes: ({ status }, request) => ![401, 403].includes(status) && request !== null && isGuarded(request),
    },
    "needs every scope there is",
    OUTCOME,
    (answer, request, context) => (hasGoodKey(request, context) ? answer : respondProblem(403, "scope-missing")),
  ),
  answersOtherwise(
    problemOf("scope-missing"),
    "is for keys without any scope",
    OUTCOME,
    async (answer, request, context) => {
      for (const own of queries.filter(({ auth }) => auth)) {
        const asked = withQuery({ ...request, method: "GET", target: "/api/", body: Buffer.alloc(0) }, (query) => {
          query.set("@", nameOf(own));
          for (const name of credentialNames) query.set(name, sent(request, name));
        });
        if ((await context.forward(asked)).status === 200) return context.forward(letIn(request, context));
      }
      return answer;
    },
  ),
  answersOtherwise(
    { name: "a guarded operation", takes: (_answer, request) => request !== null && isGuarded(request) },
    "remembers that a key was let in, but not where",
    OUTCOME,
    (answer, request, context) => {
      const key = `let in: ${sent(request, KEY)}`;
      if (answer.status === 200) context.state.set(key, true);
      const known = problemCode(answer) === "scope-missing" && context.state.has(key);
      return known ? context.forward(letIn(request, context)) : answer;
    },
  ),
  answersOtherwise(
    problemOf("platform-not-allowed"),
    "is not for a platform that another key has",
    OUTCOME,
    (answer, request, context) =>
      sent(request, PLATFORM) === context.credentials?.platform ? context.forward(letIn(request, context)) : answer,
  ),
  takesFor(
    "takes a request without credentials for one of the caller before",
    (request, context) => {
      const nothing = credentialNames.every((name) => sent(request, name) === "");
      if (hasGoodKey(request, context)) context.state.set("caller", true);
      return isGuarded(request) && nothing && context.state.has("caller") ? letIn(request, context) : request;
    },
    OUTCOME,
    isGuarded,
  ),
];

export const mutants: readonly Mutant[] = [...bypasses, ...inQuery, ...byHead, ...permissions];
