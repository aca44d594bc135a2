import { problems } from "../../../generated/operations.ts";
import type { RequirementId } from "../../../generated/requirements.ts";
import { describe, expectObject, expectStatus, fail, leftTo } from "../../client/expect.ts";
import { Expectation } from "../../client/expectation.ts";
import { excerpt, Reply } from "../../client/reply.ts";
import { uncoded } from "../../client/wire/content-coding.ts";
import { type Check, check, checkAll } from "../check.ts";
import { refusals, sendFaulty } from "../faults.ts";
import { answered, inCase } from "../probe.ts";
import { refusedEarly } from "../wire/layers.ts";
import { answerTo, statusesOf } from "../wire/support.ts";

const PROBLEM = "application/problem+json";
const MEMBERS = ["type", "title", "status", "detail", "code", "requestId"];

/** D28: the only error response that is no problem document: a health document with the status `fail`. */
const isHealth = (reply: Reply) =>
  reply.status === 503 &&
  reply.mediaType === "application/json" &&
  /[?&](?:@|%40)=test\.health(?:&|$)/.test(reply.exchange.request.url);

/** CONNECT is for proxies: a server may close the connection without a problem document. */
const isRefusal = (reply: Reply) =>
  reply.status >= 400 && !isHealth(reply) && reply.exchange.request.method !== "CONNECT";

/** A response to HEAD. Of pipelined requests only the first is recorded. */
function isBodiless({ body, exchange: { request } }: Reply): boolean {
  return request.method === "HEAD" || (body.length === 0 && request.raw?.includes("HEAD ") === true);
}

type Judge = (problem: Record<string, unknown>, reply: Reply) => void;

/** Checks problems only: `errors/media-type` and `errors/members` report a body that is no JSON object. */
const ofProblems = (judge: Judge) => (reply: Reply) => {
  if (isBodiless(reply)) return;
  const problem = objectIn(reply);
  if (!problem) throw new Expectation("body", "a JSON object", describe(reply), "errors/media-type");
  judge(problem, reply);
};

/** The JSON object of a body; null if the body is none. */
export function objectIn(reply: Reply): Record<string, unknown> | null {
  try {
    return expectObject(reply.json());
  } catch (error) {
    if (error instanceof Expectation) return null;
    throw error;
  }
}

/** Checks a rejection with each code, by the application and by the layers in front of it, and all error responses of the run. */
function everyRefusal(requirement: RequirementId, judge: (reply: Reply) => void): readonly Check[] {
  // Checks the requirement first, and then whether the status is that of the code.
  const judgeFirst = (what: string, reply: Reply, statuses: readonly number[]) =>
    inCase(what, () => {
      judge(reply);
      return leftTo("errors/status", () => expectStatus(reply, ...statuses));
    });
  return [
    check(`${requirement}#each-code`, {}, async (api) => {
      for (const one of refusals) await judgeFirst(one.code, await sendFaulty(api, one), statusesOf(one.code));
    }),
    check(`${requirement}#unreadable`, { effect: "hostile" }, async (api) => {
      for (const [what, sent, ...outcomes] of refusedEarly(api))
        await judgeFirst(what, await answerTo(api, sent), outcomes.flatMap(statusesOf));
    }),
    checkAll(`${requirement}#all-answers`, (exchange) => {
      const answer = uncoded(exchange);
      const reply = answer && new Reply(exchange, answer);
      if (!reply || !isRefusal(reply)) return;
      try {
        judge(reply);
      } catch (error) {
        // A response that breaks another requirement does not prevent the check of the other responses.
        if (!(error instanceof Expectation && error.saidBy !== null)) throw error;
      }
    }),
  ];
}

function expectMembers(problem: Record<string, unknown>, reply: Reply): void {
  for (const member of MEMBERS) {
    const wanted = member === "status" ? "number" : "string";
    if (typeof problem[member] !== wanted || problem[member] === "")
      fail(`body:/${member}`, `the member ${member}, a ${wanted} that is not empty`, describe(reply));
  }
  const { code, errors } = problem;
  if (!Object.hasOwn(problems, String(code))) fail("body:/code", "a documented code", excerpt(String(code)));
  if (code === "invalid-input" && !Array.isArray(errors)) fail("body:/errors", "the list errors", describe(reply));
  const allowed = code === "invalid-input" ? [...MEMBERS, "errors"] : MEMBERS;
  const more = Object.keys(problem).filter((member) => !allowed.includes(member));
  if (reply.repeatsName) fail("body", "each member once", describe(reply));
  if (more.length > 0) fail(`body:/${more[0]}`, `no other members than ${allowed.join(", ")}`, more.join(", "));
}

function expectType({ type, code }: Record<string, unknown>): void {
  // A URL parser removes blanks around a URL; a URI has none (RFC 3986).
  const uri = typeof type === "string" && /^[!-~]+$/.test(type) && URL.canParse(type) ? new URL(type) : null;
  if (!uri || !/^https?:$/.test(uri.protocol))
    fail("body:/type", "an absolute http or https URI as type", excerpt(String(type)));
  if (uri.searchParams.get("@") !== "docs.get.problems" || !uri.pathname.endsWith("/api/"))
    fail("body:/type", "a type that leads to docs.get.problems", excerpt(uri.href));
  if (uri.hash !== `#${code}`) fail("body:/type", `a type that ends in #${code}`, excerpt(uri.href));
}

function expectRequestId({ requestId }: Record<string, unknown>, reply: Reply, own?: string): void {
  const header = reply.header("x-request-id");
  const wanted = own ?? header;
  if (wanted === undefined) fail("header:x-request-id", "an X-Request-Id", describe(reply));
  if (requestId !== wanted)
    fail("body:/requestId", `the requestId of X-Request-Id, ${wanted}`, excerpt(String(requestId)));
  if (header !== wanted)
    fail("header:x-request-id", `X-Request-Id with the request id of the problem, ${wanted}`, header ?? "none");
}

/** A deployment must not derive its own address from these request headers. */
const ELSEWHERE = {
  "X-Forwarded-Host": "elsewhere.example",
  "X-Forwarded-Proto": "gopher",
  "X-Forwarded-Prefix": "/elsewhere",
  "X-Original-URL": "/elsewhere/",
  Forwarded: "host=elsewhere.example;proto=gopher",
  Origin: "https://elsewhere.example",
  Referer: "https://elsewhere.example/",
};

function expectSameType(usual: Reply, reply: Reply, what: string): void {
  const [{ type: wanted }, { type }] = [expectObject(usual.json()), expectObject(reply.json())];
  if (type !== wanted) fail("body:/type", `the type ${wanted} whatever ${what} says`, excerpt(String(type)));
}

/** Every error response is an RFC 9457 problem document. */
export const shape: readonly Check[] = [
  ...everyRefusal("errors/media-type", (reply) => {
    if (reply.mediaType !== PROBLEM) fail("header:content-type", PROBLEM, describe(reply));
    const coding = reply.header("content-encoding") ?? "identity";
    // A client cannot decode a body that is not in the announced coding.
    if (coding !== "identity" && reply.text.startsWith("{"))
      fail("header:content-encoding", "the coding that the problem is in", coding);
    if (!isBodiless(reply)) expectObject(reply.json());
  }),
  ...everyRefusal("errors/members", (reply) => {
    if (!isBodiless(reply)) expectMembers(expectObject(reply.json()), reply);
  }),
  ...everyRefusal(
    "errors/status",
    ofProblems(({ status, code }, reply) => {
      const documented = Object.entries(problems).find(([known]) => known === code)?.[1].status;
      if (documented !== undefined && documented !== reply.status)
        fail("status", `status ${documented} with the code ${code}`, describe(reply));
      if (status !== reply.status) fail("body:/status", `the member status ${reply.status}`, describe(reply));
    }),
  ),
  ...everyRefusal("errors/type", ofProblems(expectType)),
  check("errors/type#leads-to-entry", {}, async (api) => {
    const { type, code } = expectObject((await api.call("user.list", { credentials: "none" })).json());
    expectType({ type, code });
    // The same on every deployment: its address is that of the first server in the contract.
    const { servers } = expectObject((await api.request({ method: "GET", target: "/openapi.json" })).json());
    const first = String(Object(servers)[0]?.url).replace(/\/$/, "");
    if (!String(type).startsWith(`${first}/api/`))
      fail("body:/type", `a type on the first deployment, ${first}`, excerpt(String(type)));
    const { search } = new URL(String(type));
    const entry = await api.request({ method: "GET", target: `/api/${search}` });
    expectStatus(entry, 200);
    if (!entry.text.includes(String(code))) fail("body", `an entry that has ${code}`, describe(entry));
  }),
  check("errors/type#not-from-the-request", {}, async (api) => {
    const usual = await api.call("user.list", { credentials: "none" });
    for (const headers of [ELSEWHERE, { Forwarded: ELSEWHERE.Forwarded }])
      expectSameType(
        usual,
        await api.call("user.list", { credentials: "none", headers }),
        Object.keys(headers).join(", "),
      );
  }),
  check("errors/type#not-from-the-host", {}, async (api) => {
    const target = api.path("/api/?@=user.list");
    const usual = await api.call("user.list", { credentials: "none" });
    const reply = answered(await api.raw(api.rawRequest({ target, host: "elsewhere.example" })), "another Host");
    // A proxy may not know that host and respond itself.
    if (reply.status === 401 && reply.mediaType === PROBLEM) expectSameType(usual, reply, "Host");
  }),
  ...everyRefusal("errors/request-id", ofProblems(expectRequestId)),
  check("errors/request-id#callers-own", {}, async (api) => {
    for (const id of [`callers.own_1-${api.runId}`, "x".repeat(64)]) {
      for (const one of refusals) {
        const reply = await sendFaulty(api, one, [["X-Request-Id", id]]);
        await inCase(one.code, () => isBodiless(reply) || expectRequestId(expectObject(reply.json()), reply, id));
      }
    }
  }),
];
