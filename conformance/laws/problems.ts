import { type Check, type Context, checkAll, type ExchangesCheck } from "../checks/check.ts";
import { describe, expectObject, fail } from "../client/expect.ts";
import { every } from "../client/operation.ts";
import { excerpt, Reply } from "../client/reply.ts";
import { decoded, uncoded } from "../client/wire/content-coding.ts";
import { objectIn } from "../client/wire/json.ts";
import { agree } from "./success.ts";

/** Laws for every error response: an RFC 9457 problem document (Errors, D8). */

const PROBLEM = "application/problem+json";
const MEMBERS = ["type", "title", "status", "detail", "code", "requestId"];

type Problem = Readonly<Record<string, unknown>>;

/** Error responses that an operation documents as its own: a health document with the status `fail` (D28). */
const ownFailures = every.flatMap(({ name, answers }) =>
  answers.flatMap(({ status, mediaTypes }) => (status < 400 ? [] : [{ name, status, mediaTypes }])),
);
const isDocumented = ({ status, mediaType, exchange }: Reply) =>
  ownFailures.some(
    (one) =>
      one.status === status &&
      one.mediaTypes.includes(mediaType) &&
      new RegExp(`[?&](?:@|%40)=${one.name.replaceAll(".", "\\.")}(?:&|$)`).test(exchange.request.url),
  );

/** A response to HEAD. Of several requests on one connection, only the first is recorded. */
function isBodiless({ body, exchange: { request } }: Reply): boolean {
  return request.method === "HEAD" || (body.length === 0 && request.raw?.includes("HEAD ") === true);
}

const everyRefusal = (id: string, judge: (reply: Reply, context: Context) => void): ExchangesCheck =>
  checkAll(id, (exchange, _, context) => {
    const answer = uncoded(exchange);
    const reply = answer && new Reply(exchange, answer);
    // CONNECT is for proxies: a server may close the connection without a problem document.
    if (reply && reply.status >= 400 && !isDocumented(reply) && exchange.request.method !== "CONNECT")
      judge(reply, context);
  });

/** Only of a body that is a JSON object: `errors/media-type` and `errors/members` report any other. */
export const everyProblem = (
  id: string,
  judge: (problem: Problem, reply: Reply, context: Context) => void,
): ExchangesCheck =>
  everyRefusal(id, (reply, context) => {
    const problem = isBodiless(reply) ? null : objectIn(reply.body);
    if (problem) judge(problem, reply, context);
  });

function mediaType(reply: Reply): void {
  if (reply.mediaType !== PROBLEM) fail("header:content-type", PROBLEM, describe(reply));
  const coding = reply.header("content-encoding") ?? "identity";
  // A client cannot decode a body that is not in the announced coding.
  if (coding !== "identity" && reply.text.startsWith("{"))
    fail("header:content-encoding", "the coding that the problem is in", coding);
  if (!isBodiless(reply)) expectObject(reply.json());
}

function members(reply: Reply, { predicted }: Context): void {
  if (isBodiless(reply)) return;
  const problem = expectObject(reply.json());
  for (const member of MEMBERS) {
    const wanted = member === "status" ? "number" : "string";
    if (typeof problem[member] !== wanted || problem[member] === "")
      fail(`body:/${member}`, `the member ${member}, a ${wanted} that is not empty`, describe(reply));
  }
  const { code, errors } = problem;
  if (predicted && !Object.hasOwn(predicted.contract.problems, String(code)))
    fail("body:/code", "a documented code", excerpt(String(code)));
  if (code === "invalid-input" && !Array.isArray(errors)) fail("body:/errors", "the list errors", describe(reply));
  const allowed = code === "invalid-input" ? [...MEMBERS, "errors"] : MEMBERS;
  const more = Object.keys(problem).filter((member) => !allowed.includes(member));
  if (reply.repeatsName) fail("body", "each member once", describe(reply));
  if (more.length > 0) fail(`body:/${more[0]}`, `no other members than ${allowed.join(", ")}`, more.join(", "));
}

function status({ status, code }: Problem, reply: Reply, { predicted }: Context): void {
  const documented = predicted?.contract.problems[String(code)]?.status ?? reply.status;
  if (documented !== reply.status) fail("status", `status ${documented} with the code ${code}`, describe(reply));
  if (status !== reply.status) fail("body:/status", `the member status ${reply.status}`, describe(reply));
}

/**
 * The same address for every code and every request, whatever `Host` and the fields of proxies are: that of the first deployment
 * in the published contract.
 */
const type = checkAll("errors/type", (exchange, secrets, context) => {
  const { answer, request } = exchange;
  if (answer?.status === 200 && request.method === "GET" && context.predicted?.request.target === "/openapi.json") {
    const { servers } = objectIn(decoded(answer).body) ?? {};
    const [{ url = null } = {}] = Array.isArray(servers) ? servers : [];
    if (typeof url === "string")
      agree(context.memory, "the deployment that type names", url.replace(/\/$/, ""), "body:/type");
  }
  typeOfProblem.judge(exchange, secrets, context);
});

const typeOfProblem = everyProblem("errors/type", ({ type, code }, _, { memory }) => {
  // A URL parser removes blanks around a URL; a URI has none (RFC 3986).
  const uri = typeof type === "string" && /^[!-~]+$/.test(type) && URL.canParse(type) ? new URL(type) : null;
  if (!uri || !/^https?:$/.test(uri.protocol))
    fail("body:/type", "an absolute http or https URI as type", excerpt(String(type)));
  if (!uri.searchParams.get("@") || !uri.pathname.endsWith("/api/"))
    fail("body:/type", "a type that names a document of the endpoint", excerpt(uri.href));
  if (uri.hash !== `#${code}`) fail("body:/type", `a type that ends in #${code}`, excerpt(uri.href));
  agree(memory, "the deployment that type names", uri.href.replace(/\/api\/\?.*$/, ""), "body:/type");
});

function requestId({ requestId }: Problem, reply: Reply): void {
  const header = reply.header("x-request-id");
  if (header === undefined) fail("header:x-request-id", "an X-Request-Id", describe(reply));
  if (requestId !== header)
    fail("body:/requestId", `the requestId of X-Request-Id, ${header}`, excerpt(String(requestId)));
}

const never500 = checkAll("errors/never-500", ({ answer, request }) => {
  if (answer?.status !== 500) return;
  const actual = `500 to ${request.method} ${excerpt(request.url)}: ${excerpt(answer.body.toString())}`;
  fail("status", "no answer with status 500", actual);
});

export const problemLaws: readonly Check[] = [
  everyRefusal("errors/media-type", mediaType),
  everyRefusal("errors/members", members),
  everyProblem("errors/status", status),
  type,
  everyProblem("errors/request-id", requestId),
  never500,
];
