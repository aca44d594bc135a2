import { order, type Step } from "../../../generated/order.ts";
import { commands, every, guarded, type Known } from "../../client/operation.ts";
import { answersOtherwise, type Mutant, OUTCOME } from "../mutant.ts";
import { header, namedIn, operationOf, problemCode } from "../proxy/look.ts";
import type { ProxyAnswer, ProxyRequest } from "../proxy/message.ts";
import { withHeader, withJsonBody, withoutHeader, withQuery } from "../proxy/shape.ts";
import {
  asGet,
  asPost,
  called,
  credentialNames,
  isPost,
  isSent,
  KEY,
  onEndpoint,
  PLATFORM,
  type Repair,
  withCredential,
} from "../requests.ts";
import { passing } from "./parameters.ts";

/** The order of judgement broken: each step left out, for all or for one operation, and each two neighbours exchanged. */

const READ = new Set(["host", "connection", "accept", "content-type", "content-length", "x-api-key", "x-platform"]);

const query = guarded.find(({ method }) => method === "GET") ?? null;
const command = guarded.find(({ method }) => method === "POST") ?? null;

/** For the first of the fields with each name. */
const onceEach: Repair = (request) => {
  const names = request.headers.map(([name]) => name.toLowerCase());
  return { ...request, headers: request.headers.filter((_, index) => names.indexOf(names[index] ?? "") === index) };
};

/** Names an operation that takes the method, or one that does not. */
const naming = (request: ProxyRequest, takesIt: boolean) => {
  const { name = "" } = (isPost(request) === takesIt ? command : query) ?? {};
  return isPost(request)
    ? withJsonBody(request, (body) => ({ ...body, "@": name }))
    : withQuery(request, (query) => query.set("@", name));
};

/** The request without the fault that a step refuses, so that a server which lacks the step, or takes it later, sees the next fault. */
const repairs: Partial<Record<Step, Repair>> = {
  readHead: (request) => ({ ...request, headers: request.headers.filter(([name]) => READ.has(name.toLowerCase())) }),
  findPath: (request) => ({ ...request, target: request.target.replace(/^[^?]*/, "/api/") }),
  allowMethod: (request) =>
    ["GET", "HEAD", "POST"].includes(request.method)
      ? request
      : { ...request, method: request.body.length > 0 ? "POST" : "GET" },
  readQuery: (request) => {
    const target = request.target.replace(/[?&]%(?![0-9a-f]{2})[^&]*/gi, "");
    const once = [...new Map(new URLSearchParams(/\?(.*)$/s.exec(target)?.[1] ?? ""))];
    return target === request.target
      ? withQuery(request, (query) => {
          for (const [name, value] of once) query.set(name, value);
        })
      : { ...request, target };
  },
  readHeaders: onceEach,
  judgeMediaType: (request) =>
    withHeader(withoutHeader(request, "Content-Encoding"), "Content-Type", "application/json"),
  readBody: (request) => ({ ...request, body: Buffer.from(request.body.toString().trimEnd()) }),
  parseBody: (request) => ({
    ...request,
    body: Buffer.from(request.body.toString("latin1").replace(/,(?!"@").*}/s, "}")),
  }),
  nameOperation: (request) => {
    if (operationOf(request) === null) return naming(request, true);
    return isPost(request) ? withQuery(request, (query) => query.delete("@")) : request;
  },
  findOperation: (request) => (called(request) === null ? naming(request, false) : request),
  judgeMethod: (request, context) => {
    const method = called(request)?.method;
    if (isPost(request)) return method === "GET" ? asGet(request, context) : request;
    return method === "POST" ? asPost(request, context) : request;
  },
  readCredentials: (request) =>
    withQuery(request, (query) => {
      for (const name of credentialNames) if (header(request, name) !== null) query.delete(name);
    }),
  requireCredentials: (request, { credentials }) => {
    const keyed = isSent(request, KEY) ? request : withCredential(request, KEY, credentials?.key);
    return isSent(request, PLATFORM) ? keyed : withCredential(keyed, PLATFORM, credentials?.platform);
  },
  authenticate: (request, { credentials }) => withCredential(request, KEY, credentials?.key),
  judgeScope: (request, { credentials }) => withCredential(request, KEY, credentials?.key),
  judgePlatform: (request, { credentials }) => withCredential(request, PLATFORM, credentials?.platform),
  negotiate: (request) => withoutHeader(request, "Accept"),
  judgeInput: passing(() => true),
};

/** Whether somebody has called too often, no one request shows: see wild/limits.ts. */
const steps: readonly Step[] = order.map(({ step }) => step).filter((step) => step !== "limitRate");
const refusals = new Map<Step, readonly string[]>(order.map(({ step, refuses }) => [step, refuses]));
const isOf = (step: Step, answer: ProxyAnswer) => refusals.get(step)?.includes(problemCode(answer) ?? "") ?? false;

/** Whether the request is of the operation, whatever is wrong with it; null stands for all. */
const isFor = (operation: Known | null, request: ProxyRequest) =>
  operation === null || called(request)?.id === operation.id || namedIn(request) === operation.name;

/** A server without the step: it answers the repaired request, or what comes after it. */
function without(
  step: Step,
  operation: Known | null,
  exchangedWith: Step | null,
  repair: Repair = repairs[step] ?? ((request) => request),
): Mutant {
  const name = operation ? operation.id : "the service";
  return {
    id: `${name} ${exchangedWith ? `takes ${exchangedWith} before ${step}` : `leaves out ${step}`}`,
    // Two steps refuse a method, each with its own Allow.
    breaks: [...OUTCOME, "header:allow"],
    hooks: {
      answer: async (answer, request, context) => {
        const after = isOf(step, answer) && isFor(operation, request) ? repair(request, context) : request;
        if (after === request) return answer;
        const later = await context.forward(after);
        return exchangedWith === null || isOf(exchangedWith, later) ? later : answer;
      },
    },
    touches: ({ request, answer }, _check, context) =>
      request !== null && isOf(step, answer) && isFor(operation, request) && repair(request, context) !== request,
  };
}

/** An unknown name taken for one that may be called so. */
const known: Repair = (request) => (called(request) === null ? naming(request, true) : request);

/** Steps further apart that are often exchanged: whoever asks who it is, or what is wanted, before what can be known without. */
const FAR: readonly (readonly [step: Step, later: Step])[] = [
  ["allowMethod", "judgeMediaType"],
  ["allowMethod", "parseBody"],
  ["readQuery", "judgeMethod"],
  ["readQuery", "requireCredentials"],
  ["readHeaders", "authenticate"],
  ["nameOperation", "requireCredentials"],
  ["nameOperation", "authenticate"],
  ["nameOperation", "negotiate"],
  ["findOperation", "requireCredentials"],
  ["findOperation", "authenticate"],
  ["findOperation", "judgePlatform"],
  ["findOperation", "negotiate"],
  ["findOperation", "judgeInput"],
  ["judgeMethod", "requireCredentials"],
  ["judgeMethod", "judgeInput"],
  ["judgeMethod", "handle"],
];

/** Does what it refuses: it judges by the step when the work is done. */
const tooLate = (step: Step, operation: Known): Mutant =>
  answersOtherwise(
    {
      name: operation.id,
      takes: (answer, request) => request !== null && isOf(step, answer) && called(request)?.id === operation.id,
    },
    `is done before ${step}`,
    ["state"],
    async (answer, request, context) => {
      const repaired = repairs[step]?.(request, context) ?? request;
      if (repaired !== request) await context.forward(repaired);
      return answer;
    },
  );

/** Those behind which a command that is right but for the one fault is carried out. */
const behind = steps.slice(steps.indexOf("readCredentials"), steps.indexOf("negotiate") + 1);
const ofCredentials = behind.slice(0, -1);

/** Steps whose fault a repair cannot take away without inventing what was meant. */
const PARTICULAR = new Set<Step>(["handle"]);

/** Whether a step may be one operation's own: that it is known, that somebody sends what the step refuses, and a repair can mend it. */
function mayLeaveOut(step: Step, { auth, method }: Known): boolean {
  if (step === "judgeMediaType" || step === "parseBody") return method === "POST";
  if (step === "judgeInput") return method === "GET";
  if (step === "readQuery" || step === "readHeaders") return true;
  return steps.indexOf(step) > steps.indexOf("findOperation") && (auth || !ofCredentials.includes(step));
}

/** OPTIONS judged as another method is, at one step. */
const onOptions = (step: Step): Mutant =>
  answersOtherwise(
    {
      name: "OPTIONS",
      takes: (answer, request) => answer.status === 204 && request?.method === "OPTIONS" && onEndpoint(request),
    },
    `is judged at ${step}`,
    OUTCOME,
    async (answer, request, context) => {
      const judged = await context.forward({ ...request, method: request.body.length > 0 ? "POST" : "GET" });
      return isOf(step, judged) ? judged : answer;
    },
  );

/** What a request that only asks for the methods can have wrong, and a mutant can see. */
const OF_OPTIONS = steps
  .slice(steps.indexOf("readQuery"), steps.indexOf("handle"))
  .filter((step) => step !== "readBody" && step !== "judgeScope");

export const mutants: readonly Mutant[] = [
  ...steps.flatMap((step, index) => {
    if (PARTICULAR.has(step)) return [];
    const next = steps[index + 1];
    return [
      without(step, null, null),
      ...(next ? [without(step, null, next)] : []),
      ...every.filter((one) => mayLeaveOut(step, one)).map((operation) => without(step, operation, null)),
      ...commands.filter(() => behind.includes(step)).map((operation) => tooLate(step, operation)),
    ];
  }),
  ...FAR.map(([step, later]) => without(step, null, later, step === "findOperation" ? known : repairs[step])),
  ...OF_OPTIONS.map(onOptions),
];
