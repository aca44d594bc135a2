import { createResponse } from "../http/response.ts";
import { type Known, learn } from "../model/learn.ts";
import type { Operation } from "../oracle/contract.ts";
import type { Mutation } from "../oracle/points.ts";
import { type Prediction, visible } from "../oracle/predict.ts";
import type { Request } from "../oracle/world.ts";
import { packaged } from "../packaged.ts";
import { plain, written } from "../requests/draft.ts";
import { nameOf, predictedBy } from "../requests/points.ts";
import type { Credentials } from "../run/options.ts";
import { begin } from "../run/run.ts";
import { mutants } from "./broken/index.ts";
import { mutations } from "./points.ts";
import type { Context, Mutant, ProxyAnswer } from "./proxy/message.ts";
import { letIn, respond, withHeader, withJson, withoutHeader, withStatus } from "./proxy/shape.ts";
import { responseMutant } from "./responses/mutants.ts";
import { optionsFor } from "./service.ts";

/** Every mutant as a deployment: a right one behind a proxy that sends the mutant's response where it differs. */

const { oracle } = packaged;

/** A request as the oracle reads it: below the prefix. */
const below = ({ target: { prefix } }: Context, request: Request): Request =>
  request.target.startsWith(prefix)
    ? { ...request, target: request.target.slice(prefix.length) }
    : request;

/** A valid request, with only those parts of the original that every response depends on. */
function bare(request: Request, target: string, context: Context): Request {
  const fields = request.fields.filter(([name]) =>
    /^(?:host|origin|x-request-id|accept)$/i.test(name),
  );
  const method = request.method === "HEAD" ? "HEAD" : "GET";
  return { ...request, method, target: context.target.prefix + target, fields, body: "" };
}

const named = (answer: ProxyAnswer, { operation, allow, location }: Prediction): ProxyAnswer => {
  const unnamed = withoutHeader(withoutHeader(answer, "X-Operation"), "Allow");
  const fields = { "X-Operation": operation?.id, Allow: allow, Location: location };
  return Object.entries(fields).reduce(
    (one, [name, value]) => (value ? withHeader(one, name, value) : one),
    unnamed,
  );
};

/** A rejection as the target writes it, with another code. */
async function rejected(
  request: Request,
  prediction: Prediction,
  context: Context,
): Promise<ProxyAnswer> {
  const { status, code, missing, places } = prediction;
  const problem = await context.forward(bare(request, "/api/?@=", context));
  const fault = (place: string) => ({
    [place.startsWith("#") ? "pointer" : "parameter"]: place,
    detail: "It is wrong.",
  });
  const answer = withJson(named(withStatus(problem, status), prediction), (json) => ({
    ...json,
    ...{ type: String(json.type).replace(/#.*/, `#${code}`), title: code, status, code },
    detail: missing?.join(" and ") ?? "It is rejected.",
    ...(places && { errors: places.map(fault) }),
  }));
  const challenge = `ApiKey realm="${oracle.contract.keys.realm}"`;
  return status === 401 ? withHeader(answer, "WWW-Authenticate", challenge) : answer;
}

/** The success of an operation: for a query with its example; for a command without creating anything. */
async function succeeded(
  operation: Operation,
  request: Request,
  context: Context,
): Promise<ProxyAnswer> {
  if (operation.method === "POST") return respond(201, operation.example);
  const caller = { host: context.target.host, key: "", platform: "", others: {}, canary: "" };
  const { target } = written(plain(operation, operation.example, caller));
  const call = bare(request, target, context);
  return context.forward(operation.auth ? letIn(call, context) : call);
}

async function answered(
  request: Request,
  prediction: Prediction,
  context: Context,
): Promise<ProxyAnswer> {
  if (prediction.code !== null) return rejected(request, prediction, context);
  const { operation, status } = prediction;
  if (operation)
    return named(withStatus(await succeeded(operation, request, context), status), prediction);
  return named(respond(status, {}), prediction);
}

/** A deployment that decides one point wrongly. */
function deciding(mutation: Mutation, credentials: Credentials): Mutant {
  const wrongly = predictedBy(oracle, mutation);
  const worlds = new WeakMap<Context["state"], Known>();
  const worldOf = ({ state, target }: Context) => {
    const world = worlds.get(state) ?? begin(packaged, optionsFor(target.url, credentials)).world;
    worlds.set(state, world);
    return world;
  };
  return {
    id: nameOf(mutation),
    request: (sent, context) => {
      const request = below(context, sent);
      const world = worldOf(context);
      const [right, wrong] = [oracle.predict(request, world), wrongly(request, world)];
      const isHead = request.method === "HEAD";
      return visible(right, isHead) === visible(wrong, isHead)
        ? sent
        : answered(sent, wrong, context);
    },
    answer: (answer, sent, context) => {
      const request = below(context, sent);
      const world = worldOf(context);
      const response = createResponse({ ...answer, version: "1.1" }, answer.body);
      const exchange = {
        request,
        response,
        prediction: oracle.predict(request, world),
        error: null,
      };
      learn(world, { ...exchange, sentAt: 0, endedAt: 0, connection: 1 });
      return answer;
    },
  };
}

/**
 * A mutant by its id: a hand-written one, a point (`the key | trimmed | all`) or a response mutant (`sysinfo 200 application/json
 * drops /time`); undefined if there is none.
 */
export function mutantCalled(id: string, credentials: Credentials): Mutant | undefined {
  const own = mutants.find((one) => one.id === id);
  if (own) return own;
  const mutation = id.includes(" | ") ? mutations().find((one) => nameOf(one) === id) : undefined;
  if (mutation) return deciding(mutation, credentials);
  return !id.includes(" | ") && /(?:^| )[1-5]\d\d .* /.test(id) ? responseMutant(id) : undefined;
}
