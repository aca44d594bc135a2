import type { Step, Steps } from "../generated/order.ts";
import { assetReply } from "./http/assets.ts";
import { judgeMediaType as judgeMediaTypeOf } from "./http/body.ts";
import { refuseRepeatedCredentials } from "./http/head.ts";
import { parseJsonObject } from "./http/json.ts";
import { negotiate as preferred } from "./http/negotiation.ts";
import { parseQuery } from "./http/query.ts";
import { jsonReply, jsonTextReply, type Outcome, type Reply, textReply } from "./http/reply.ts";
import { inTime } from "./in-time.ts";
import { Answer, type AnswerParts, type AnswerShape, answerCheck, bareAnswer } from "./protocol/answer.ts";
import { readCredentials as credentialsIn, requireBoth } from "./protocol/credentials.ts";
import { bodyInput, headerInput, queryInput } from "./protocol/input.ts";
import { type DispatcherOptions, type House, Known, type Knows, type Learned } from "./protocol/judgement.ts";
import { type Contract, type Found, operationTable } from "./protocol/operation-table.ts";
import { Problem } from "./protocol/problem.ts";
import type { Request, RequestFacts } from "./protocol/request.ts";

/** The life of a request at the endpoint. Each step rejects by throwing a `Problem`, so each fault has one response. */
const steps: Steps<"readQuery", Knows<"request">, Learned, House> = [
  { readQuery },
  { readHeaders },
  { judgeMediaType },
  { readBody },
  { parseBody },
  { nameOperation },
  { findOperation },
  { judgeMethod },
  { readCredentials },
  { requireCredentials },
  { authenticate },
  { judgeScope },
  { judgePlatform },
  { limitRate },
  { negotiate },
  { judgeInput },
  { handle },
];

type AnyStep = (known: never, house: House) => unknown;

/** The endpoint: runs the steps until one rejects. */
export function createDispatcher<S>(contract: Contract<S>, options: DispatcherOptions<S>) {
  const checkAnswer = answerCheck(options.config.checkAnswers, options.onUndocumented);
  const house: House = { ...options, find: operationTable(contract), checkAnswer };
  const list = steps.flatMap((step) => Object.entries(step) as [Step, AnyStep][]); // one member each, named after its step
  return async (request: Request): Promise<Outcome> => {
    const known: Partial<Known> = new Known(request);
    let at: Step = "readQuery";
    try {
      for (const [step, carryOut] of list) {
        at = step;
        const learned = carryOut(known as never, house); // `Steps` proves that its needs are known
        // Awaiting a value that is already there, or storing nothing, costs more than most steps do.
        if (learned !== undefined) Object.assign(known, learned instanceof Promise ? await learned : learned);
      }
    } catch (thrown) {
      const problem = Problem.from(thrown);
      // D21: rejected credentials are counted, whatever was wrong with them.
      const reply = problem.status === 401 ? await house.rateLimits.refuse(request, problem) : problem;
      Object.assign(known, { reply });
    }
    // `handle` replies when all steps pass.
    const { operation, headers, counted, caller, query, reply = new Problem("internal-error") } = known;
    const keyInQuery = Boolean(query?.get("X-API-KEY"));
    return { reply, step: at, headers, counted, operation: operation?.id, keyId: caller?.keyId, keyInQuery };
  };
}

function readQuery({ request }: Knows<"request">) {
  return { query: parseQuery(request.search) };
}

function readHeaders({ request }: Knows<"request">): void {
  refuseRepeatedCredentials(request.rawHeaders);
}

function judgeMediaType({ request }: Knows<"request">): void {
  if (request.method === "POST") judgeMediaTypeOf(request);
}

/** A body on GET counts against the limit, and is ignored. */
function readBody({ request }: Knows<"request">) {
  const body = request.readBody();
  return body instanceof Promise ? body.then((bytes) => ({ bytes })) : { bytes: body };
}

function parseBody({ request, bytes }: Knows<"request" | "bytes">, { config }: House) {
  return { body: request.method === "POST" ? parseJsonObject(bytes, config.limits) : null };
}

/** D1. */
function nameOperation({ query, body }: Knows<"query" | "body">) {
  const name = body ? body["@"] : query.get("@");
  if (typeof name !== "string" || name === "") throw new Problem("operation-missing");
  if (body && query.has("@")) throw new Problem("operation-ambiguous");
  return { name };
}

/** D3. */
function findOperation({ name }: Knows<"name">, { find }: House) {
  const found = find(name);
  if (!found) throw new Problem("operation-not-found");
  return found;
}

/** D4. HEAD is GET without the body. */
function judgeMethod({ request, operation }: Knows<"request" | "operation">): void {
  if ((request.method === "POST") === (operation.method === "POST")) return;
  throw new Problem("method-not-allowed", {
    detail: `\`${operation.name}\` is called by ${operation.method}.`,
    headers: { Allow: operation.method === "POST" ? "POST, OPTIONS" : "GET, HEAD, OPTIONS" },
  });
}

function readCredentials({ request, query, operation }: Knows<"request" | "query" | "operation">) {
  return { credentials: operation.auth ? credentialsIn(request.rawHeaders, query) : null };
}

function requireCredentials({ credentials }: Knows<"credentials">) {
  return { sent: credentials && requireBoth(credentials) };
}

function authenticate({ sent }: Knows<"sent">, { findKey }: House) {
  return sent ? findKey(sent.key).then((record) => ({ record })) : { record: null };
}

/** D16. */
function judgeScope({ record, operation: { scope } }: Knows<"record" | "operation">): void {
  if (record && scope !== null && !record.scopes.includes(scope)) throw new Problem("scope-missing");
}

/** D17: the deployment and the key must both allow the platform. */
function judgePlatform({ sent, record }: Knows<"sent" | "record">, { config }: House) {
  if (!sent || !record) return { caller: null };
  const { id: keyId, name, scopes, platforms } = record;
  if (![config.platforms, platforms].every((some) => some.includes(sent.platform)))
    throw new Problem("platform-not-allowed");
  return { caller: { keyId, name, scopes, platforms } };
}

/** D21. */
function limitRate({ request, caller }: Knows<"request" | "caller">, { rateLimits }: House) {
  return rateLimits.count(request, caller);
}

/** D10. The representations of a success are those of the first response of the operation. */
function negotiate({ request, operation: { answers } }: Knows<"request" | "operation">) {
  const mediaType = preferred(request.headers.accept, answers[0]?.mediaTypes ?? []);
  if (mediaType === null) throw new Problem("not-acceptable");
  return { mediaType };
}

const PROTOCOL_PARAMETERS = ["@", "X-API-KEY", "X-PLATFORM"];

/** D8. */
function judgeInput(known: Knows<"request" | "query" | "body" | keyof Found>) {
  const { request, query, body, operation, parts, validator } = known;
  const names = [...query.keys()].filter((name) => !PROTOCOL_PARAMETERS.includes(name));
  const { headers: sentHeaders, faults } = headerInput(operation, validator, request.rawHeaders);
  const input = body
    ? bodyInput(validator, names, body, faults)
    : queryInput(operation, validator, query, names, parts, faults);
  return { input, sentHeaders };
}

function handle(known: Omit<Known, "reply">, house: House) {
  const { request, operation, validator, handler, caller, mediaType, input, sentHeaders: headers } = known;
  const { clientAddress } = request;
  const { handlerTimeoutMs } = house.config.timeouts;
  const method = request.method as RequestFacts["method"]; // proven by judgeMethod
  const deadline = performance.now() + handlerTimeoutMs;
  const idempotencyKey = request.headers["idempotency-key"]?.toString() ?? "";
  const facts: RequestFacts = { caller, headers, mediaType, method, clientAddress, deadline, idempotencyKey };
  // Not a spread: V8 takes 3 µs for a spread with added members.
  const context = Object.assign(facts, house.services);
  const returned = handler(input as never, context as never);
  const answered = (result: unknown) => {
    const answer = result instanceof Answer ? result.parts : bareAnswer(result, operation);
    house.checkAnswer(operation.id, validator, answer, request.id);
    return { reply: replyOf(answer, request.headers, house.config.docsMaxAgeS) };
  };
  if (!(returned instanceof Promise)) return answered(returned);
  return inTime(handlerTimeoutMs, returned, () => late(operation)).then(answered);
}

/** D13. */
function late({ method }: Found["operation"]): Problem {
  const detail = "The operation took too long, and may still have happened; see the header Retry-After.";
  return new Problem("deadline-exceeded", {
    detail: method === "POST" ? detail : undefined,
    headers: { "Retry-After": "5" },
  });
}

function replyOf(answer: AnswerParts<AnswerShape>, asked: Request["headers"], maxAgeS: number): Reply {
  if ("asset" in answer) return assetReply(answer.asset, asked, { maxAgeS, vary: "Accept" });
  if ("json" in answer) return jsonTextReply(answer.json, answer);
  if (answer.mediaType === "application/json") return jsonReply(answer.body, answer);
  return textReply(answer.mediaType, String(answer.body), answer);
}
