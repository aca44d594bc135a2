import type { Step, Steps } from "../generated/order.ts";
import { assetReply } from "./http/assets.ts";
import { judgeMediaType as judgeMediaTypeOf } from "./http/body.ts";
import { refuseRepeatedCredentials } from "./http/head.ts";
import { parseJsonObject } from "./http/json.ts";
import { negotiate as preferred } from "./http/negotiation.ts";
import { parseQuery } from "./http/query.ts";
import { jsonReply, type Outcome, type Reply, textReply } from "./http/reply.ts";
import { SafeError } from "./log/safe-error.ts";
import { Answer, type AnswerParts, type AnswerShape, answerFaults, bareAnswer } from "./protocol/answer.ts";
import { readCredentials as credentialsIn, requireBoth } from "./protocol/credentials.ts";
import { bodyInput, queryInput } from "./protocol/input.ts";
import type { Contract, DispatcherOptions, House, Known, Knows, Learned } from "./protocol/judgement.ts";
import { type Found, type OperationFacts, operationTable } from "./protocol/operation-table.ts";
import { Problem } from "./protocol/problem.ts";
import type { Request, RequestFacts } from "./protocol/request.ts";

/** The life of a request at the endpoint. Each step refuses by throwing a `Problem`, so that each fault has one answer. */
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
  { negotiate },
  { judgeInput },
  { handle },
];

type AnyStep = (known: never, house: House) => unknown;

/** The endpoint: carries out the steps until one refuses. */
export function createDispatcher<S>({ operations, validators, handlers }: Contract<S>, options: DispatcherOptions<S>) {
  const house: House = { ...options, find: operationTable(operations), validators, handlers };
  const list = steps.flatMap((step) => Object.entries(step) as [Step, AnyStep][]); // one member each, named by its step
  return async (request: Request): Promise<Outcome> => {
    const known: Partial<Known> = { request };
    let at: Step = "readQuery";
    try {
      for (const [step, carryOut] of list) {
        at = step;
        Object.assign(known, await carryOut(known as never, house)); // `Steps` proves that it knows what it needs
      }
    } catch (thrown) {
      Object.assign(known, { reply: Problem.from(thrown) });
    }
    // `handle` replies when all went well.
    const { operation, caller, reply = new Problem("internal-error") } = known;
    const headers = operation ? headersOf(operation) : {};
    return { reply, step: at, headers, operation: operation?.id, keyId: caller?.keyId };
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
async function readBody({ request }: Knows<"request">) {
  return { bytes: await request.readBody() };
}

function parseBody({ request, bytes }: Knows<"request" | "bytes">, { config }: House) {
  return { body: request.method === "POST" ? parseJsonObject(bytes, config.limits.maxJsonDepth) : null };
}

/** D1. */
function nameOperation({ query, body }: Knows<"query" | "body">) {
  const name = body ? body["@"] : query.get("@");
  if (typeof name !== "string" || name === "") throw new Problem("operation-missing");
  if (body && query.has("@")) throw new Problem("operation-ambiguous");
  return { name };
}

/** D3. */
function findOperation({ name }: Knows<"name">, { find, validators, handlers }: House) {
  const found = find(name);
  if (!found) throw new Problem("operation-not-found");
  const validator = validators[found.operation.id];
  if (!validator || !handlers[found.operation.id])
    throw new SafeError(`the operation ${found.operation.id} is not complete`);
  return { ...found, validator };
}

/** D4. HEAD is GET without the body. */
function judgeMethod({ request, operation }: Knows<"request" | "operation">): void {
  if ((request.method === "POST") === (operation.method === "POST")) return;
  throw new Problem("method-not-allowed", {
    headers: { Allow: operation.method === "POST" ? "POST, OPTIONS" : "GET, HEAD, OPTIONS" },
  });
}

function readCredentials({ request, query, operation }: Knows<"request" | "query" | "operation">) {
  return { credentials: operation.auth ? credentialsIn(request.rawHeaders, query) : null };
}

function requireCredentials({ credentials }: Knows<"credentials">) {
  return { sent: credentials && requireBoth(credentials) };
}

async function authenticate({ sent }: Knows<"sent">, { findKey }: House) {
  return { record: sent && (await findKey(sent.key)) };
}

/** D16. */
function judgeScope({ record, operation: { scope } }: Knows<"record" | "operation">): void {
  if (record && scope !== null && !record.scopes.includes(scope)) throw new Problem("scope-missing");
}

/** D17: one of the deployment's, and one of the key's. */
function judgePlatform({ sent, record }: Knows<"sent" | "record">, { config }: House) {
  if (!sent || !record) return { caller: null };
  const { id: keyId, name, scopes, platforms } = record;
  if (![config.platforms, platforms].every((some) => some.includes(sent.platform)))
    throw new Problem("platform-not-allowed");
  return { caller: { keyId, name, scopes, platforms } };
}

/** D10. The representations of a success are those of the operation's first answer. */
function negotiate({ request, operation: { answers } }: Knows<"request" | "operation">) {
  const mediaType = preferred(request.headers.accept, answers[0]?.mediaTypes ?? []);
  if (mediaType === null) throw new Problem("not-acceptable");
  return { mediaType };
}

const PROTOCOL_PARAMETERS = ["@", "X-API-KEY", "X-PLATFORM"];

/** D8. */
function judgeInput({ query, body, operation, parts, validator }: Knows<"query" | "body" | keyof Found | "validator">) {
  const inputs = new Map([...query].filter(([name]) => !PROTOCOL_PARAMETERS.includes(name)));
  return { input: body ? bodyInput(validator, inputs, body) : queryInput(operation, validator, inputs, parts) };
}

async function handle(known: Omit<Known, "reply">, house: House) {
  const { request, operation, caller, mediaType, input } = known;
  const facts: RequestFacts = {
    caller,
    mediaType,
    method: request.method as RequestFacts["method"], // proven by judgeMethod
    clientAddress: request.clientAddress,
  };
  const context = { ...(house.services as object), ...facts };
  const result = await house.handlers[operation.id]?.(input as never, context as never);
  const answer = result instanceof Answer ? result.parts : bareAnswer(result, operation);
  checkAnswer(known, answer, house);
  return { reply: replyOf(answer, request.headers, house.config.docsMaxAgeS) };
}

/** Our own answers are held against the contract: thrown in tests, logged in production, never broken there. Assets were, at start. */
function checkAnswer(
  { request, operation: { id }, validator }: Knows<"request" | "operation" | "validator">,
  answer: AnswerParts<AnswerShape>,
  { config, onUndocumented }: House,
): void {
  if (config.checkAnswers === "off" || "asset" in answer) return;
  const faults = answerFaults(validator, answer, answer.body);
  if (faults.length === 0) return;
  if (config.checkAnswers === "throw")
    throw new SafeError(`${id} answered what the contract does not have: ${faults.join(", ")}`);
  onUndocumented(id, faults, request.id);
}

function replyOf(answer: AnswerParts<AnswerShape>, asked: Request["headers"], maxAgeS: number): Reply {
  const { status, mediaType, headers = {} } = answer;
  const more = { status, headers };
  if ("asset" in answer) return assetReply(answer.asset, asked, { ...more, maxAgeS, vary: ["Accept"] });
  if (mediaType === "application/json") return jsonReply(answer.body, more);
  return textReply(mediaType, String(answer.body), more);
}

/** Of every answer of an operation, refusals too. D33: RFC 9745 and RFC 8594. */
function headersOf({ id, deprecation }: OperationFacts): Readonly<Record<string, string>> {
  if (!deprecation) return { "X-Operation": id };
  return {
    "X-Operation": id,
    Deprecation: `@${Date.parse(deprecation.since) / 1000}`,
    Sunset: new Date(deprecation.sunset).toUTCString(),
    Link: `<${deprecation.link}>; rel="deprecation"`,
  };
}
