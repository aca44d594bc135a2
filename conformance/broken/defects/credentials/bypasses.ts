import { operations } from "../../../../generated/operations.ts";
import type { Context, Defect, ProxyRequest } from "../../defect.ts";
import { header, namedIn, problemCode } from "../../look.ts";
import { letIn, respond, respondProblem } from "../../shape.ts";
import { answerOf, problemsWith } from "../../when.ts";
import { closed, goodOnes, ofEach, sent, sentBoth } from "./words.ts";

const area = "credentials";
const isClosed = (request: ProxyRequest) => closed.some((id) => id === namedIn(request));
const missing = (check: string, method?: "GET" | "POST") =>
  closed
    .filter((id) => method === undefined || operations[id].method === method)
    .map((id) => `credentials/missing#${check}-${id}`);

/** Does not ask whom it does not recognise as a caller of this operation. */
const bypass = (
  name: string,
  description: string,
  catches: readonly string[],
  unguarded: (request: ProxyRequest) => boolean,
): Defect => ({
  id: `credentials/bypass-${name}`,
  area,
  description,
  requirements: ["credentials/missing"],
  catches,
  reason: /401/,
  request: (request, context) =>
    isClosed(request) && !sentBoth(request).key && unguarded(request) ? letIn(request, context) : request,
});

const spelled = missing("however-spelled", "GET");
const within = missing("from-within");
const form = missing("form-of-request");

/** Judges credentials on GET alone, where they are refused with this code. */
const onHead = (name: string, description: string, code: string, requirements: readonly string[]): Defect => ({
  id: `credentials/head-${name}`,
  area,
  description,
  requirements,
  catches: requirements.flatMap((id) =>
    closed.filter((one) => operations[one].method === "GET").map((one) => `${id}#head-${one}`),
  ),
  reason: /40[013]/,
  request: async (request, context) => {
    if (request.method !== "HEAD" || !isClosed(request)) return request;
    const asked = await context.forward({ ...request, method: "GET" });
    return problemCode(asked) === code ? letIn(request, context) : request;
  },
});

const ofAnother = ["user.list", "user.create"].map((id) => `credentials/scope#of-another-${id}`);
const isOther = (request: ProxyRequest, context: Context) => sent(request, "X-API-KEY") !== goodOnes(context).key;

/** Lets in whom it should ask. */
export const bypassDefects: readonly Defect[] = [
  bypass("percent-encoded", "Guards `@=`, but not `%40=`.", spelled, ({ target }) => /[?&]%40=/.test(target)),
  bypass(
    "later-in-the-query",
    "Guards an operation that stands first in the query.",
    spelled,
    ({ method, target }) => method !== "POST" && !/\?(?:@|%40)=/.test(target),
  ),
  bypass(
    "escaped-name",
    "Guards names as they are written, and decodes them afterwards.",
    spelled,
    (request) => request.method !== "POST" && !request.target.includes(`=${namedIn(request)}`),
  ),
  bypass(
    "first-name",
    "Guards the first name of a body, and serves the last.",
    missing("however-spelled", "POST"),
    (request) =>
      request.method === "POST" && /"@"\s*:\s*"([^"]*)"/.exec(request.body.toString())?.[1] !== namedIn(request),
  ),
  bypass(
    "from-loopback",
    "Trusts whoever says to come from its own machine.",
    within,
    (request) => header(request, "X-Forwarded-For") === "127.0.0.1",
  ),
  bypass("probe", "Trusts whoever calls itself a probe.", within, (request) =>
    /probe|HealthChecker/.test(header(request, "User-Agent") ?? ""),
  ),
  bypass(
    "remote-user",
    "Trusts the name of a user that a proxy would have set.",
    within,
    (request) => header(request, "X-Remote-User") !== null,
  ),
  bypass(
    "preflight-like",
    "Takes every request with Access-Control-Request-Method for a preflight.",
    within,
    (request) => header(request, "Access-Control-Request-Method") !== null,
  ),
  {
    id: "credentials/bypass-conditional",
    area,
    description: "Answers a conditional request before it asks for credentials.",
    requirements: ["credentials/missing"],
    catches: within,
    reason: /401/,
    request: (request) => (isClosed(request) && header(request, "If-None-Match") === "*" ? respond(304, {}) : request),
  },
  bypass("absolute-form", "Guards paths, but no request in absolute form.", form, ({ target }) =>
    /^https?:/i.test(target),
  ),
  bypass("http-1.0", "Asks nobody who speaks HTTP/1.0.", form, ({ version }) => version === "1.0"),
  onHead("invalid-not-judged", "Asks for a key to HEAD, and takes any.", "credentials-invalid", [
    "credentials/invalid",
    "credentials/expired",
    "credentials/revoked",
  ]),
  onHead("platform-not-judged", "Takes any platform to HEAD.", "platform-not-allowed", [
    "credentials/platform",
    "credentials/platform-of-key",
  ]),
  onHead("scope-not-judged", "Asks for no scope to HEAD.", "scope-missing", ["credentials/scope"]),
  onHead("conflict-not-judged", "Finds no conflict in HEAD.", "credential-conflict", ["credentials/conflict"]),
  {
    id: "credentials/scopes-all-needed",
    area,
    description: "Lets a key in only when it has every scope there is.",
    requirements: ["credentials/scope"],
    catches: ["credentials/scope#enough-test.health", ...ofAnother],
    reason: /200/,
    answer: answerOf("test.health", (answer, request, context) =>
      answer.status === 200 && isOther(request, context) ? respondProblem(403, "scope-missing") : answer,
    ),
  },
  {
    id: "credentials/scope-remembered",
    area,
    description: "Remembers that a key was let in, but not where.",
    requirements: ["credentials/scope"],
    catches: ofAnother,
    reason: /403/,
    answer: (answer, request, context) => {
      const key = sent(request, "X-API-KEY");
      if (answer.status === 200 && key) context.state.set(key, true);
      const known = context.state.has(key);
      return problemsWith("scope-missing", () => (known ? context.forward(letIn(request, context)) : answer))(
        answer,
        request,
        context,
      );
    },
  },
  {
    id: "credentials/names-alone-fail",
    area,
    description: "Fails at a credential in the query that is a name without a value.",
    requirements: ["credentials/empty"],
    catches: ofEach("credentials/empty#"),
    reason: /401/,
    request: (request) =>
      isClosed(request) && /[?&]X-API-KEY(?:&|$)/.test(request.target)
        ? respondProblem(500, "internal-error")
        : request,
  },
];
