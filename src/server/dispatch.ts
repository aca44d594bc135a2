import type { Contract } from "./contract.ts";
import type { RequestContext } from "./handler.ts";
import { ClientGone, type HandlerCalls } from "./handler-calls.ts";
import type { FindKey } from "./keys/find-key.ts";
import type { RateLimits } from "./limits/rate-limits.ts";
import { Problem, type ProblemOptions } from "./problem.ts";
import { checkMediaType } from "./request/body.ts";
import {
  challengeOf,
  readCredentials,
  rejectRepeatedCredentials,
  requireBoth,
} from "./request/credentials.ts";
import { bodyInput, headerInput, queryInput } from "./request/input.ts";
import { parseJsonObject } from "./request/json.ts";
import { negotiate } from "./request/negotiation.ts";
import { type AnyHandlers, nearestOperation, operationTable } from "./request/operation-table.ts";
import { parseQuery } from "./request/query.ts";
import type { Request } from "./request/request.ts";
import type { IdempotencyKeys } from "./resources/idempotency.ts";
import type { OnUndocumented } from "./response/problem-contents.ts";
import { replyOf, responseCheck, responseOf } from "./response/response.ts";
import type { DispatchResult, Reply } from "./response/send.ts";
import type { Config } from "./settings/config.ts";
import { StorageUnavailable } from "./storage/errors.ts";

export interface DispatcherOptions {
  readonly contract: Contract;
  readonly handlers: AnyHandlers;
  /** What the handlers work with. */
  readonly services: unknown;
  readonly now: () => Date;
  readonly once: IdempotencyKeys["once"];
  readonly calls: HandlerCalls;
  readonly findKey: FindKey;
  readonly rateLimits: RateLimits;
  readonly config: Pick<
    Config,
    "MAX_JSON_DEPTH" | "MAX_JSON_PARTS" | "PLATFORMS" | "checkResponses" | "DOCS_MAX_AGE_S"
  >;
  readonly onUndocumented: OnUndocumented;
}

/** The result of a request so far: a rejection has what was known by then. */
type DispatchState = { -readonly [Member in keyof DispatchResult]: DispatchResult[Member] };

/**
 * The endpoint: the order of checks. The first that fails decides the response, so each fault has
 * one response.
 */
export function createDispatcher(options: DispatcherOptions) {
  const {
    contract,
    handlers,
    services,
    now,
    once,
    calls,
    findKey,
    rateLimits,
    config,
    onUndocumented,
  } = options;
  const find = operationTable(contract, handlers);
  const operations = Object.values(contract.operations);
  const challenge = challengeOf(contract.keys.realm);
  const checkResponse = responseCheck(config.checkResponses, onUndocumented);

  /**
   * Each step rejects by throwing a `Problem`. A test compares the steps named here with the order
   * of the spec.
   */
  async function handleRequest(request: Request, state: DispatchState): Promise<Reply> {
    const isPost = request.method === "POST";

    state.step = "readQuery";
    const query = parseQuery(request.search);
    state.keyInQuery = Boolean(query.get("X-API-KEY"));

    state.step = "readHeaders";
    rejectRepeatedCredentials(request.rawHeaders);

    state.step = "checkMediaType";
    if (isPost) checkMediaType(request);

    state.step = "readBody"; // A body on GET counts against the limit, and is ignored.
    const read = request.readBody();
    // Awaiting a value that is already there costs more than most steps do.
    const bytes = read instanceof Promise ? await read : read;

    state.step = "parseBody";
    const body = isPost ? parseJsonObject(bytes, config) : null;

    state.step = "nameOperation"; // D1
    const name = body ? body["@"] : query.get("@");
    if (typeof name !== "string" || name === "") throw new Problem("operation-missing");
    if (body && query.has("@")) throw new Problem("operation-ambiguous");

    state.step = "findOperation"; // D3
    const resolved = find(name);
    if (!resolved) {
      const near = nearestOperation(operations, name);
      throw new Problem("operation-not-found", {
        detail: near && `No operation has this name; did you mean ${near}?`,
      });
    }
    const { operation, validator, handler, pathParams } = resolved;
    state.operation = operation.id;
    state.headers = resolved.headers;

    state.step = "checkMethod"; // D4: HEAD is GET without the body.
    if (isPost !== (operation.method === "POST"))
      throw new Problem("method-not-allowed", {
        detail: `\`${operation.name}\` is called by ${operation.method}.`,
        headers: { Allow: isPost ? "GET, HEAD, OPTIONS" : "POST, OPTIONS" },
      });

    state.step = "readCredentials";
    const credentials = operation.auth ? readCredentials(request.rawHeaders, query) : null;

    state.step = "requireCredentials";
    const sent = credentials && requireBoth(credentials, challenge);

    state.step = "authenticate";
    const key = sent && (await findKey(sent.key));

    state.step = "checkScope"; // D16
    if (key && operation.scope !== null && !key.scopes.includes(operation.scope))
      throw new Problem("scope-missing", {
        detail: `The API key lacks the scope ${operation.scope}. ${ASK_FOR_KEY}`,
      });

    state.step = "checkPlatform"; // D17: the deployment and the key must both allow the platform.
    const { platform = "" } = sent ?? {};
    if (key && !(config.PLATFORMS.includes(platform) && key.platforms.includes(platform)))
      throw new Problem("platform-not-allowed");
    const caller = key && {
      keyId: key.id,
      name: key.name,
      scopes: key.scopes,
      platforms: key.platforms,
    };
    state.keyId = caller?.keyId;

    state.step = "limitRate"; // D21
    const counting = rateLimits.count(request, caller);
    state.rateLimitHeaders = counting instanceof Promise ? await counting : counting;

    // D10: the representations of a success are those of the first response of the operation.
    state.step = "negotiate";
    const mediaType = negotiate(request.headers.accept, operation.answers[0]?.mediaTypes ?? []);
    if (mediaType === null) throw new Problem("not-acceptable");

    state.step = "validateInput"; // D8
    const names = [...query.keys()].filter((name) => !PROTOCOL_PARAMETERS.includes(name));
    const { headers, faults } = headerInput(operation, validator, request.rawHeaders);
    const input = body
      ? bodyInput(validator, names, body, faults)
      : queryInput(operation, validator, query, names, pathParams, faults);

    state.step = "handle";
    const idempotencyKey = request.headers["idempotency-key"]?.toString() ?? "";
    const call = calls.begin(request, operation);
    state.call = call;
    const members: Omit<RequestContext, keyof typeof call> = {
      services,
      problem,
      caller,
      headers,
      mediaType,
      method: request.method as RequestContext["method"], // proven by checkMethod
      clientAddress: request.clientAddress,
      now,
      once: (command, work) =>
        once(
          { operation, input, caller, idempotencyKey, now, deadline: call.deadline },
          command,
          work,
        ),
    };
    // Not an object with a getter of its own, which costs V8 a tenth of a small request.
    const context: RequestContext = Object.assign(call, members);
    const handling = handler(input as never, context as never); // the validators prove the input
    const result = handling instanceof Promise ? await call.settle(handling) : handling;
    const response = responseOf(result, operation);
    checkResponse(operation.id, validator, response, request.id);
    return replyOf(response, request.headers, config.DOCS_MAX_AGE_S);
  }

  return async (request: Request): Promise<DispatchResult> => {
    // Every member from the start: an object that grows member by member costs V8 three times as
    // much.
    const state: DispatchState = {
      outcome: INTERNAL_ERROR,
      step: "readQuery",
      headers: undefined,
      rateLimitHeaders: undefined,
      operation: undefined,
      keyId: undefined,
      call: undefined,
      keyInQuery: false,
    };
    try {
      state.outcome = await handleRequest(request, state);
    } catch (thrown) {
      if (thrown instanceof ClientGone) return Object.assign(state, { outcome: CLIENT_GONE });
      const problem = problemOf(thrown);
      // D21: rejected credentials are counted, whatever was wrong with them.
      const isRejected = contract.problems[problem.code]?.status === 401;
      state.outcome = isRejected ? await rateLimits.countRejected(request, problem) : problem;
    }
    return state;
  };
}

/** What a caller gets for anything thrown: the one place that knows errors of the storage too. */
export function problemOf(thrown: unknown): Problem {
  if (!(thrown instanceof StorageUnavailable)) return Problem.from(thrown);
  return new Problem("storage-unavailable", {
    detail: thrown.mayHaveHappened ? UNCONFIRMED : undefined,
    headers: { "Retry-After": "5" },
    cause: thrown.cause,
  });
}

const problem = (code: string, options?: ProblemOptions) => new Problem(code, options);

const UNCONFIRMED =
  "The storage cannot be used at the moment, and the change may still have happened; see " +
  "the header Retry-After.";

const ASK_FOR_KEY = "Ask the operator for a key that has it.";

const INTERNAL_ERROR = new Problem("internal-error");

/**
 * No caller reads it: the status that logs and metrics have for a client that is gone, as nginx
 * has.
 */
const CLIENT_GONE: Reply = { status: 499, headers: {} };

const PROTOCOL_PARAMETERS = ["@", "X-API-KEY", "X-PLATFORM"];
