import type { Contract } from "./contract.ts";
import type { RequestContext } from "./handler.ts";
import { ClientGone, type HandlerCalls } from "./handler-calls.ts";
import type { FindKey } from "./keys/find-key.ts";
import type { RateLimits } from "./limits/rate-limits.ts";
import { Problem } from "./problem.ts";
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
import { type AnyHandlers, operationTable } from "./request/operation-table.ts";
import { parseQuery } from "./request/query.ts";
import type { Request } from "./request/request.ts";
import type { onceByKey } from "./resources/idempotency.ts";
import type { OnUndocumented } from "./response/problem-contents.ts";
import { contentOf, responseCheck, responseOf } from "./response/response.ts";
import type { DispatchResult, ResponseContent } from "./response/send.ts";
import type { Config } from "./settings/config.ts";

export interface DispatcherOptions {
  readonly contract: Contract;
  readonly handlers: AnyHandlers;
  /** What the handlers work with. */
  readonly services: unknown;
  readonly now: () => Date;
  readonly createOnce: ReturnType<typeof onceByKey>;
  readonly calls: HandlerCalls;
  readonly findKey: FindKey;
  readonly rateLimits: RateLimits;
  readonly config: Pick<Config, "limits" | "platforms" | "checkAnswers" | "docsMaxAgeS">;
  readonly onUndocumented: OnUndocumented;
}

/** A result while the request is checked: after a rejection it has what was known by then. */
type Progress = { -readonly [Member in keyof DispatchResult]: DispatchResult[Member] };

/** The endpoint: the order of checks. The first that fails decides the response, so each fault has one response. */
export function createDispatcher(options: DispatcherOptions) {
  const {
    contract,
    handlers,
    services,
    now,
    createOnce,
    calls,
    findKey,
    rateLimits,
    config,
    onUndocumented,
  } = options;
  const find = operationTable(contract, handlers);
  const challenge = challengeOf(contract.keys.realm);
  const checkResponse = responseCheck(config.checkAnswers, onUndocumented);

  /** Each step rejects by throwing a `Problem`. A test compares the steps named here with the order of the spec. */
  async function check(request: Request, at: Progress): Promise<ResponseContent> {
    const isPost = request.method === "POST";

    at.step = "readQuery";
    const query = parseQuery(request.search);
    at.keyInQuery = Boolean(query.get("X-API-KEY"));

    at.step = "readHeaders";
    rejectRepeatedCredentials(request.rawHeaders);

    at.step = "checkMediaType";
    if (isPost) checkMediaType(request);

    at.step = "readBody"; // A body on GET counts against the limit, and is ignored.
    const read = request.readBody();
    // Awaiting a value that is already there costs more than most steps do.
    const bytes = read instanceof Promise ? await read : read;

    at.step = "parseBody";
    const body = isPost ? parseJsonObject(bytes, config.limits) : null;

    at.step = "nameOperation"; // D1
    const name = body ? body["@"] : query.get("@");
    if (typeof name !== "string" || name === "") throw new Problem("operation-missing");
    if (body && query.has("@")) throw new Problem("operation-ambiguous");

    at.step = "findOperation"; // D3
    const found = find(name);
    if (!found) throw new Problem("operation-not-found");
    const { operation, validator, handler, parts } = found;
    at.operation = operation.id;
    at.headers = found.headers;

    at.step = "checkMethod"; // D4: HEAD is GET without the body.
    if (isPost !== (operation.method === "POST"))
      throw new Problem("method-not-allowed", {
        detail: `\`${operation.name}\` is called by ${operation.method}.`,
        headers: { Allow: isPost ? "GET, HEAD, OPTIONS" : "POST, OPTIONS" },
      });

    at.step = "readCredentials";
    const credentials = operation.auth ? readCredentials(request.rawHeaders, query) : null;

    at.step = "requireCredentials";
    const sent = credentials && requireBoth(credentials, challenge);

    at.step = "authenticate";
    const key = sent && (await findKey(sent.key));

    at.step = "checkScope"; // D16
    if (key && operation.scope !== null && !key.scopes.includes(operation.scope))
      throw new Problem("scope-missing");

    at.step = "checkPlatform"; // D17: the deployment and the key must both allow the platform.
    const { platform = "" } = sent ?? {};
    if (key && !(config.platforms.includes(platform) && key.platforms.includes(platform)))
      throw new Problem("platform-not-allowed");
    const caller = key && {
      keyId: key.id,
      name: key.name,
      scopes: key.scopes,
      platforms: key.platforms,
    };
    at.keyId = caller?.keyId;

    at.step = "limitRate"; // D21
    const counting = rateLimits.count(request, caller);
    at.rateLimitHeaders = counting instanceof Promise ? await counting : counting;

    at.step = "negotiate"; // D10: the representations of a success are those of the first response of the operation.
    const mediaType = negotiate(request.headers.accept, operation.answers[0]?.mediaTypes ?? []);
    if (mediaType === null) throw new Problem("not-acceptable");

    at.step = "validateInput"; // D8
    const names = [...query.keys()].filter((name) => !PROTOCOL_PARAMETERS.includes(name));
    const { headers, faults } = headerInput(operation, validator, request.rawHeaders);
    const input = body
      ? bodyInput(validator, names, body, faults)
      : queryInput(operation, validator, query, names, parts, faults);

    at.step = "handle";
    const idempotencyKey = request.headers["idempotency-key"]?.toString() ?? "";
    const call = calls.begin(request, operation);
    const members: Omit<RequestContext, "deadline" | "signal"> = {
      services,
      caller,
      headers,
      mediaType,
      method: request.method as RequestContext["method"], // proven by checkMethod
      clientAddress: request.clientAddress,
      now,
      createOnce: (creation) => createOnce({ operation, input, caller, idempotencyKey }, creation),
    };
    // Not an object with a getter of its own, which costs V8 a tenth of a small request.
    const context: RequestContext = Object.assign(call, members);
    const returned = handler(input as never, context as never); // the validators prove the input
    const result = returned instanceof Promise ? await call.settle(returned) : returned;
    const response = responseOf(result, operation);
    checkResponse(operation.id, validator, response, request.id);
    return contentOf(response, request.headers, config.docsMaxAgeS);
  }

  return async (request: Request): Promise<DispatchResult> => {
    // Every member from the start: an object that grows member by member costs V8 three times as much.
    const at: Progress = {
      content: INTERNAL_ERROR,
      step: "readQuery",
      headers: undefined,
      rateLimitHeaders: undefined,
      operation: undefined,
      keyId: undefined,
      keyInQuery: false,
    };
    try {
      at.content = await check(request, at);
    } catch (thrown) {
      if (thrown instanceof ClientGone) return Object.assign(at, { content: CLIENT_GONE });
      const problem = Problem.from(thrown);
      // D21: rejected credentials are counted, whatever was wrong with them.
      const isRejected = contract.problems[problem.code]?.status === 401;
      at.content = isRejected ? await rateLimits.countRejected(request, problem) : problem;
    }
    return at;
  };
}

const INTERNAL_ERROR = new Problem("internal-error");

/** No caller reads it: the status that logs and metrics have for a client that is gone, as nginx has. */
const CLIENT_GONE: ResponseContent = { status: 499, headers: {} };

const PROTOCOL_PARAMETERS = ["@", "X-API-KEY", "X-PLATFORM"];
