import { problems } from "../../../generated/operations.ts";
import type { RequirementId } from "../../../generated/requirements.ts";
import { describe, expectObject, expectStatus, fail } from "../../client/expect.ts";
import { excerpt, type Reply } from "../../client/reply.ts";
import { type Check, check } from "../check.ts";
import { answered, inCase } from "../probe.ts";
import { everyAnswer } from "../wire/layers.ts";
import { refusals } from "./refusals.ts";

const PROBLEM = "application/problem+json";
const MEMBERS = ["type", "title", "status", "detail", "code", "requestId"];

/** D28: the one refusal that is no problem, a health document that says `fail`. */
const isHealth = (reply: Reply) =>
  reply.status === 503 &&
  reply.mediaType === "application/json" &&
  /[?&](?:@|%40)=test\.health(?:&|$)/.test(reply.exchange.request.url);

const isRefusal = (reply: Reply) => reply.status >= 400 && !isHealth(reply);

/** An answer to HEAD; of requests sent ahead only the first is on record. */
function isBodiless({ body, exchange: { request } }: Reply): boolean {
  return request.method === "HEAD" || (body.length === 0 && request.raw?.includes("HEAD ") === true);
}

type Judge = (problem: Record<string, unknown>, reply: Reply) => void;

const ofProblems = (judge: Judge) => (reply: Reply) => {
  if (isRefusal(reply) && !isBodiless(reply)) judge(expectObject(reply.json()), reply);
};

/** Over every layer, over all answers of the run, and over what keys, platforms, headers and bodies are refused for. */
function everyRefusal(requirement: RequirementId, judge: (reply: Reply) => void): readonly Check[] {
  return [
    ...everyAnswer(requirement, judge),
    check(`${requirement}#each-code`, { effect: "write" }, async (api) => {
      for (const { code, statuses, send } of refusals)
        await inCase(code, async () => {
          const reply = await send(api);
          expectStatus(reply, ...statuses);
          judge(reply);
        });
    }),
  ];
}

function expectMembers(problem: Record<string, unknown>, reply: Reply): void {
  for (const member of MEMBERS) {
    const wanted = member === "status" ? "number" : "string";
    if (typeof problem[member] !== wanted) fail("body", `the member ${member}, a ${wanted}`, describe(reply));
    if (problem[member] === "") fail("body", `a member ${member} that is not empty`, describe(reply));
  }
  const { code } = problem;
  if (!Object.hasOwn(problems, String(code))) fail("body", "a documented code", excerpt(String(code)));
  const allowed = code === "invalid-input" ? [...MEMBERS, "errors"] : MEMBERS;
  if (code === "invalid-input" && !Array.isArray(problem.errors)) fail("body", "the list errors", describe(reply));
  const more = Object.keys(problem).filter((member) => !allowed.includes(member));
  if (more.length > 0) fail("body", `no other members than ${allowed.join(", ")}`, more.join(", "));
}

function expectType({ type, code }: Record<string, unknown>): void {
  const uri = typeof type === "string" && URL.canParse(type) ? new URL(type) : null;
  if (!uri || !/^https?:$/.test(uri.protocol))
    fail("body", "an absolute http or https URI as type", excerpt(String(type)));
  if (uri.searchParams.get("@") !== "docs.get.problems" || !uri.pathname.endsWith("/api/"))
    fail("body", "a type that leads to docs.get.problems", excerpt(uri.href));
  if (uri.hash !== `#${code}`) fail("body", `a type that ends in #${code}`, excerpt(uri.href));
}

/** Who asks where a deployment is must not be told by the request. */
const ELSEWHERE = {
  "X-Forwarded-Host": "elsewhere.example",
  "X-Forwarded-Proto": "gopher",
  "X-Forwarded-Prefix": "/elsewhere",
  "X-Original-URL": "/elsewhere/",
  Forwarded: "host=elsewhere.example;proto=gopher",
  Origin: "https://elsewhere.example",
  Referer: "https://elsewhere.example/",
};

/** Every refusal is an RFC 9457 problem document. */
export const shape: readonly Check[] = [
  ...everyRefusal("errors/media-type", (reply) => {
    if (!isRefusal(reply)) return;
    if (reply.mediaType !== PROBLEM) fail("body", PROBLEM, describe(reply));
    if (!isBodiless(reply)) expectObject(reply.json());
  }),
  ...everyRefusal("errors/members", ofProblems(expectMembers)),
  ...everyRefusal(
    "errors/status",
    ofProblems(({ status, code }, reply) => {
      if (status !== reply.status)
        fail("status", `the member status ${reply.status}`, `${status} in ${describe(reply)}`);
      const documented = Object.entries(problems).find(([known]) => known === code)?.[1].status;
      if (documented !== undefined && documented !== reply.status)
        fail("status", `status ${documented} with the code ${code}`, describe(reply));
    }),
  ),
  ...everyRefusal("errors/type", ofProblems(expectType)),
  check("errors/type#leads-to-entry", {}, async (api) => {
    const { type, code } = expectObject((await api.call("user.list", { credentials: "none" })).json());
    expectType({ type, code });
    const { search } = new URL(String(type));
    const entry = await api.request({ method: "GET", target: `/api/${search}` });
    expectStatus(entry, 200);
    if (!entry.text.includes(String(code))) fail("body", `an entry that has ${code}`, describe(entry));
  }),
  check("errors/type#not-from-the-request", {}, async (api) => {
    const usual = expectObject((await api.call("user.list", { credentials: "none" })).json());
    for (const [name, value] of Object.entries(ELSEWHERE)) {
      const reply = await api.call("user.list", { credentials: "none", headers: { [name]: value } });
      const { type } = expectObject(reply.json());
      if (type !== usual.type) fail("body", `the type ${usual.type} whatever ${name} says`, excerpt(String(type)));
    }
  }),
  check("errors/type#not-from-the-host", {}, async (api) => {
    const target = api.path("/api/?@=user.list");
    const usual = expectObject((await api.call("user.list", { credentials: "none" })).json());
    const reply = answered(await api.raw(api.rawRequest({ target, host: "elsewhere.example" })), "another Host");
    // A proxy may know nothing of that host; then it is not the deployment that answers.
    if (reply.status !== 401 || reply.mediaType !== PROBLEM) return;
    const { type } = expectObject(reply.json());
    if (type !== usual.type) fail("body", `the type ${usual.type} whatever Host says`, excerpt(String(type)));
  }),
  ...everyRefusal(
    "errors/request-id",
    ofProblems(({ requestId }, reply) => {
      const header = reply.header("x-request-id");
      if (header === undefined || requestId !== header)
        fail(
          "header:x-request-id",
          `the requestId of X-Request-Id, ${header ?? "which is missing"}`,
          excerpt(String(requestId)),
        );
    }),
  ),
  check("errors/request-id#callers-own", {}, async (api) => {
    for (const id of ["callers.own_1-2", "x".repeat(64)]) {
      const headers = { "X-Request-Id": id };
      const replies = [
        await api.call("user.list", { credentials: "none", headers }),
        await api.call("no.such.operation", { headers }),
        await api.call("user.create", { body: "{", headers }),
        await api.request({ method: "GET", target: "/no-such-path", headers: Object.entries(headers) }),
      ];
      for (const reply of replies) {
        const { requestId } = expectObject(reply.json());
        if (requestId !== id) fail("header:x-request-id", `the caller's request id, ${id}`, describe(reply));
        const header = reply.header("x-request-id");
        if (header !== id)
          fail("header:x-request-id", `X-Request-Id with the request id of the problem, ${id}`, header ?? "none");
      }
    }
  }),
];
