import { order, type Step } from "../../../../generated/order.ts";
import { checksOf } from "../../../checks/dispatch/steps.ts";
import { caught } from "../../caught.ts";
import type { Context, Defect, ProxyAnswer, ProxyRequest } from "../../defect.ts";
import { header, operationOf, problemCode, queryOf } from "../../look.ts";
import { withHeader, withJsonBody, withoutHeader, withQuery } from "../../shape.ts";
import { knownOperation, namesPost } from "./words.ts";

type Repair = (request: ProxyRequest, context: Context) => ProxyRequest;

const KEY = "X-API-KEY";
const PLATFORM = "X-PLATFORM";
const isSent = (request: ProxyRequest, name: string) => header(request, name) !== null || queryOf(request).has(name);
const withCredential = (request: ProxyRequest, name: string, value = "") =>
  withHeader(
    withQuery(request, (query) => query.delete(name)),
    name,
    value,
  );

const READ = new Set(["host", "connection", "accept", "content-type", "content-length", "x-api-key", "x-platform"]);

/** For the first of the fields with each name. */
const onceEach: Repair = (request) => {
  const names = request.headers.map(([name]) => name.toLowerCase());
  return { ...request, headers: request.headers.filter((_, index) => names.indexOf(names[index] ?? "") === index) };
};

/** Names an operation that takes the method, or one that does not. */
const named = (request: ProxyRequest, takesIt: boolean) =>
  request.method === "POST"
    ? withJsonBody(request, (body) => ({ ...body, "@": takesIt ? "user.create" : "user.list" }))
    : withQuery(request, (query) => query.set("@", takesIt ? "user.list" : "user.create"));

/** The GET that a POST of its operation would be. */
const asGet = (request: ProxyRequest) =>
  withQuery({ ...withoutHeader(request, "Content-Type"), method: "GET", body: Buffer.alloc(0) }, (query) =>
    query.set("@", operationOf(request) ?? ""),
  );
/** The POST that a GET of its operation would be. */
const asPost = (request: ProxyRequest) => {
  const body = Buffer.from(JSON.stringify({ "@": operationOf(request) }));
  const post = withQuery(request, (query) => query.delete("@"));
  return withHeader({ ...post, method: "POST", body }, "Content-Type", "application/json");
};
const known = ["GET", "HEAD", "POST"];

/** The request without its fault, so that a server which lacks the step, or takes it later, sees the next one. */
const repairs: Partial<Record<Step, Repair>> = {
  readHead: (request) => ({ ...request, headers: request.headers.filter(([name]) => READ.has(name.toLowerCase())) }),
  findPath: (request) => ({ ...request, target: request.target.replace(/^[^?]*/, "/api/") }),
  allowMethod: (request) =>
    known.includes(request.method) ? request : { ...request, method: request.body.length > 0 ? "POST" : "GET" },
  readQuery: (request) => ({ ...request, target: request.target.replace(/[?&]%(?![0-9a-f]{2})[^&]*/gi, "") }),
  readHeaders: onceEach,
  judgeMediaType: (request) =>
    withHeader(withoutHeader(request, "Content-Encoding"), "Content-Type", "application/json"),
  readBody: (request) => ({ ...request, body: Buffer.from(request.body.toString().trimEnd()) }),
  parseBody: (request) => ({
    ...request,
    body: Buffer.from(request.body.toString("latin1").replace(/,(?!"@").*}/s, "}")),
  }),
  nameOperation: (request) => (operationOf(request) === null ? named(request, true) : request),
  findOperation: (request) => (knownOperation(request) === null ? named(request, false) : request),
  judgeMethod: (request) => {
    if (namesPost(request)) return asPost(request);
    return request.method === "POST" && knownOperation(request)?.method === "GET" ? asGet(request) : request;
  },
  readCredentials: (request) =>
    withQuery(request, (query) => {
      for (const name of [KEY, PLATFORM]) if (header(request, name) !== null) query.delete(name);
    }),
  requireCredentials: (request, { credentials }) => {
    const keyed = isSent(request, KEY) ? request : withCredential(request, KEY, credentials?.key);
    return isSent(request, PLATFORM) ? keyed : withCredential(keyed, PLATFORM, credentials?.platform);
  },
  authenticate: (request, { credentials }) => withCredential(request, KEY, credentials?.key),
  judgeScope: (request, { credentials }) => withCredential(request, KEY, credentials?.key),
  judgePlatform: (request, { credentials }) => withCredential(request, PLATFORM, credentials?.platform),
  negotiate: (request) => withoutHeader(request, "Accept"),
  judgeInput: (request) => withQuery(request, (query) => query.delete("no-such-parameter")),
};

const steps: readonly Step[] = order.map(({ step }) => step);
const refusals = new Map<Step, readonly string[]>(order.map(({ step, refuses }) => [step, refuses]));
const isOf = (step: Step, answer: ProxyAnswer) => refusals.get(step)?.includes(problemCode(answer) ?? "") ?? false;

/** What a server without the step answers; null where the step does not refuse the request. */
async function without(step: Step, answer: ProxyAnswer, request: ProxyRequest, context: Context) {
  const repaired = isOf(step, answer) ? repairs[step]?.(request, context) : request;
  return !repaired || repaired === request ? null : context.forward(repaired);
}

/** Out of the table: each step left out, and each two neighbours exchanged. */
export const stepDefects: readonly Defect[] = steps.slice(0, -1).flatMap((step, index) => {
  const next = steps[index + 1] ?? step;
  const exchanged = checksOf(step, next);
  return [
    caught(`order/without-${step}`, `Leaves out the step ${step}.`, checksOf(step), /status \d{3} |the code /, {
      answer: async (answer, request, context) => (await without(step, answer, request, context)) ?? answer,
    }),
    ...(exchanged.length === 0
      ? []
      : [
          caught(
            `order/${next}-before-${step}`,
            `Takes the step ${next} before ${step}.`,
            exchanged,
            /status \d{3} |the code /,
            {
              answer: async (answer, request, context) => {
                const later = await without(step, answer, request, context);
                return later && isOf(next, later) ? later : answer;
              },
            },
          ),
        ]),
  ];
});
