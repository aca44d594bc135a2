import type { Context } from "koa";
import type { OperationValidators } from "../generated/validators.ts";
import { Answer, type AnswerParts, type AnswerShape } from "./answer.ts";
import { answerFaults } from "./answer-faults.ts";
import type { Config } from "./config.ts";
import type { RequestFacts } from "./context.ts";
import type { Authenticate } from "./credentials/authenticate.ts";
import { readCredentials } from "./credentials/credentials.ts";
import { judgeMediaType, readBody } from "./http/body.ts";
import { clientAddress } from "./http/client-address.ts";
import { refuseRepeatedCredentials } from "./http/head.ts";
import { parseJsonObject } from "./http/json.ts";
import { negotiate } from "./http/negotiate.ts";
import { parseQuery } from "./http/query.ts";
import { sendAsset, sendJson, sendText } from "./http/send.ts";
import { bodyInput, queryInput } from "./input.ts";
import { type OperationFacts, operationTable } from "./operation-table.ts";
import { Problem } from "./problem.ts";
import { SafeError } from "./safe-error.ts";

/** A contract as it was generated, and the handlers that carry it out. */
export interface Contract<S> {
  readonly operations: Readonly<Record<string, OperationFacts>>;
  readonly validators: Readonly<Record<string, OperationValidators>>;
  // Each handler takes the input of its own operation; the validators prove it, so the table need not know.
  readonly handlers: Readonly<Record<string, (input: never, context: S & RequestFacts) => unknown>>;
}

interface DispatcherOptions<S> {
  readonly services: S;
  readonly authenticate: Authenticate;
  readonly config: Pick<Config, "limits" | "timeouts" | "trustProxyHops" | "checkAnswers" | "docsMaxAgeS">;
  /** Told of an answer that does not fit the contract, when `checkAnswers` is `log`. */
  readonly onUndocumented: (operation: string, faults: readonly string[], requestId: string) => void;
}

/** What a request says, once it was read. */
interface Read {
  readonly query: ReadonlyMap<string, string>;
  /** The body of a POST; null on GET and HEAD. */
  readonly body: Record<string, unknown> | null;
}

/** The endpoint, and the order of judgement: each step refuses by throwing a `Problem`, so each fault has one answer. */
export function createDispatcher<S>({ operations, validators, handlers }: Contract<S>, options: DispatcherOptions<S>) {
  const { services, authenticate, config } = options;
  const find = operationTable(operations);

  return async (ctx: Context): Promise<void> => {
    const { query, body } = await readRequest(ctx, config);
    const found = find(nameOf(query, body));
    if (!found) throw new Problem("operation-not-found");
    const { operation, parts } = found;
    const validator = validators[operation.id];
    const handler = handlers[operation.id];
    if (!validator || !handler) throw new SafeError(`the operation ${operation.id} is not complete`);
    ctx.state.operation = operation.id;
    ctx.set("X-Operation", operation.id);
    deprecate(ctx, operation);
    judgeMethod(ctx.method, operation);
    const caller = operation.auth
      ? await authenticate(readCredentials(ctx.req.rawHeaders, query), operation.scope)
      : null;
    ctx.state.keyId = caller?.keyId;
    const mediaType = judgeAccept(ctx.get("Accept"), operation);
    const input = body
      ? bodyInput(validator, inputsOf(query), body)
      : queryInput(operation, validator, inputsOf(query), parts);
    const facts: RequestFacts = {
      caller,
      mediaType,
      method: ctx.method as RequestFacts["method"], // proven by judgeMethod
      clientAddress: clientAddress(ctx.req.socket.remoteAddress, ctx.get("X-Forwarded-For"), config.trustProxyHops),
    };
    const result = await handler(input as never, { ...services, ...facts });
    const answer: AnswerParts<AnswerShape> = result instanceof Answer ? result.parts : bare(result, operation);
    checkAnswer(ctx.state.requestId, answer, operation, validator, options);
    send(ctx, answer, config.docsMaxAgeS);
  };
}

/** D2, D6, D7: the query, the media type, the bytes and the JSON. A body on GET counts against the limit and is ignored. */
async function readRequest(ctx: Context, { limits, timeouts }: DispatcherOptions<unknown>["config"]): Promise<Read> {
  const query = parseQuery(ctx.state.search);
  refuseRepeatedCredentials(ctx.req.rawHeaders);
  if (ctx.method === "POST") judgeMediaType(ctx.req);
  const bytes = await readBody(ctx.req, { maxBodyBytes: limits.maxBodyBytes, drainTimeoutMs: timeouts.drainTimeoutMs });
  return { query, body: ctx.method === "POST" ? parseJsonObject(bytes, limits.maxJsonDepth) : null };
}

/** D1. */
function nameOf(query: ReadonlyMap<string, string>, body: Read["body"]): string {
  const name = body ? body["@"] : query.get("@");
  if (typeof name !== "string" || name === "") throw new Problem("operation-missing");
  if (body && query.has("@")) throw new Problem("operation-ambiguous");
  return name;
}

/** D4. HEAD is GET without the body. */
function judgeMethod(method: string, operation: OperationFacts): void {
  if ((method === "POST") === (operation.method === "POST")) return;
  throw new Problem("method-not-allowed", {
    headers: { Allow: operation.method === "POST" ? "POST, OPTIONS" : "GET, HEAD, OPTIONS" },
  });
}

/** D10. The representations of a success are those of the operation's first answer. */
function judgeAccept(accept: string, { answers }: OperationFacts): string {
  const mediaType = negotiate(accept, answers[0]?.mediaTypes ?? []);
  if (mediaType === null) throw new Problem("not-acceptable");
  return mediaType;
}

const PROTOCOL_PARAMETERS = ["@", "X-API-KEY", "X-PLATFORM"];

/** The query without what belongs to the protocol. */
const inputsOf = (query: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
  new Map([...query].filter(([name]) => !PROTOCOL_PARAMETERS.includes(name)));

/** D33: RFC 9745 and RFC 8594. */
function deprecate(ctx: Context, { deprecation }: OperationFacts): void {
  if (!deprecation) return;
  ctx.set("Deprecation", `@${Date.parse(deprecation.since) / 1000}`);
  ctx.set("Sunset", new Date(deprecation.sunset).toUTCString());
  ctx.set("Link", `<${deprecation.link}>; rel="deprecation"`);
}

function bare(body: unknown, { answers }: OperationFacts): AnswerParts<AnswerShape> {
  const [answer] = answers;
  if (!answer) throw new SafeError("an operation without an answer");
  return { status: answer.status, mediaType: answer.mediaTypes[0] ?? "application/json", body };
}

/** Our own answers are held against the contract: thrown in tests, logged in production, never broken there. Assets were, at start. */
function checkAnswer(
  requestId: string,
  answer: AnswerParts<AnswerShape>,
  { id }: OperationFacts,
  validators: OperationValidators,
  { config, onUndocumented }: Pick<DispatcherOptions<unknown>, "config" | "onUndocumented">,
): void {
  if (config.checkAnswers === "off" || "asset" in answer) return;
  const faults = answerFaults(validators, answer, answer.body);
  if (faults.length === 0) return;
  if (config.checkAnswers === "throw")
    throw new SafeError(`${id} answered what the contract does not have: ${faults.join(", ")}`);
  onUndocumented(id, faults, requestId);
}

function send(ctx: Context, answer: AnswerParts<AnswerShape>, maxAgeS: number): void {
  for (const [name, value] of Object.entries(answer.headers ?? {})) ctx.append(name, value);
  ctx.status = answer.status;
  if ("asset" in answer) sendAsset(ctx, answer.asset, maxAgeS);
  else if (answer.mediaType === "application/json") sendJson(ctx, answer.body);
  else sendText(ctx, answer.mediaType, String(answer.body));
}
