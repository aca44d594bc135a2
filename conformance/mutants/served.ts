import type { Credentials } from "../client/credentials.ts";
import { queryOf } from "../client/operation.ts";
import { ours } from "../lists/ours.ts";
import { Model } from "../models/model.ts";
import { nameOf as idOf, mutationsOf, predictedBy, trialsOf } from "../next/requests/points.ts";
import type { Operation } from "../oracle/contract.ts";
import type { Mutation } from "../oracle/points.ts";
import { type Prediction, visible } from "../oracle/predict.ts";
import type { Request } from "../oracle/world.ts";
import { mutants } from "./index.ts";
import type { Mutant } from "./mutant.ts";
import { offline } from "./offline.ts";
import { perturbing } from "./perturbations.ts";
import type { Context, ProxyAnswer, ProxyRequest } from "./proxy/message.ts";
import { letIn, respond, withHeader, withJson, withoutHeader, withStatus } from "./proxy/shape.ts";

/** Every mutant as a deployment: a right one behind a proxy that sends the mutant's response where it differs. */

const wireOf = ({ method, target, version, headers, body }: ProxyRequest, prefix: string): Request => ({
  ...{ method, version, fields: headers, target: target.startsWith(prefix) ? target.slice(prefix.length) : target },
  body: body.toString("latin1"),
});

/** A valid request, with only those parts of the original that every response depends on. */
function plain(request: ProxyRequest, method: string, target: string, context: Context): ProxyRequest {
  const kept = request.headers.filter(([name]) => /^(?:host|origin|x-request-id|accept)$/i.test(name));
  const prefix = context.target.pathname.replace(/\/$/, "");
  return { ...request, method, target: prefix + target, headers: kept, body: Buffer.alloc(0) };
}

const named = (answer: ProxyAnswer, { operation, allow, location }: Prediction): ProxyAnswer => {
  const bare = withoutHeader(withoutHeader(answer, "X-Operation"), "Allow");
  const fields = { "X-Operation": operation?.id, Allow: allow, Location: location };
  return Object.entries(fields).reduce((one, [name, value]) => (value ? withHeader(one, name, value) : one), bare);
};

/** A rejection as the target writes it, with another code. */
async function rejected(request: ProxyRequest, prediction: Prediction, context: Context): Promise<ProxyAnswer> {
  const { status, code, missing, places } = prediction;
  const method = request.method === "HEAD" ? "HEAD" : "GET";
  const problem = await context.forward(plain(request, method, "/api/?@=", context));
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
  return status === 401 ? withHeader(answer, "WWW-Authenticate", 'ApiKey realm="atpoint"') : answer;
}

/** The success of an operation: for a query with its example; for a command without creating anything. */
async function succeeded(operation: Operation, request: ProxyRequest, context: Context): Promise<ProxyAnswer> {
  if (operation.method === "POST") return respond(201, operation.example);
  const method = request.method === "HEAD" ? "HEAD" : "GET";
  const call = plain(request, method, `/api/?${queryOf(operation, operation.example)}`, context);
  return context.forward(operation.auth ? letIn(call, context) : call);
}

async function answered(request: ProxyRequest, prediction: Prediction, context: Context): Promise<ProxyAnswer> {
  if (prediction.code !== null) return rejected(request, prediction, context);
  const { operation, status } = prediction;
  if (operation) return named(withStatus(await succeeded(operation, request, context), status), prediction);
  return named(respond(status, {}), prediction);
}

/** A deployment that decides one point wrongly. */
function deciding(mutation: Mutation, credentials: Credentials): Mutant {
  const wrongly = predictedBy(ours, mutation);
  const models = new WeakMap<Context["state"], Model>();
  const modelOf = ({ state, target }: Context) => {
    const model = models.get(state) ?? new Model(ours, credentials, target.pathname.replace(/\/$/, ""));
    models.set(state, model);
    return model;
  };
  return {
    id: idOf(mutation),
    breaks: ["status", "body", "header:x-operation", "header:allow", "header:content-type"],
    hooks: {
      request: (request, context) => {
        const wire = wireOf(request, context.target.pathname.replace(/\/$/, ""));
        const [right, wrong] = [ours.predict(wire, modelOf(context)), wrongly(wire, modelOf(context))];
        const head = request.method === "HEAD";
        return visible(right, head) === visible(wrong, head) ? request : answered(request, wrong, context);
      },
      answer: (answer, { method, target, headers, body }, context) => {
        // The absolute form is an address already.
        const url = /^https?:/i.test(target) ? target : context.target.origin + target;
        const request = { method, url, headers, body, raw: null };
        const received = { ...answer, httpVersion: "1.1" };
        modelOf(context).see({ request, answer: received, error: null, durationMs: 0 });
        return answer;
      },
    },
  };
}

/** Every mutation of the oracle that a request of the lists could show. */
export function mutations(): readonly Mutation[] {
  const { requests, world } = offline();
  return [...mutationsOf(ours, trialsOf(ours, world, requests))].map(([mutation]) => mutation);
}

/**
 * A mutant by its id: a hand-written one, a point (`the key | trimmed | all`) or a perturbation (`sysinfo 200 application/json
 * drops /time`); undefined if there is none.
 */
export function mutantCalled(id: string, credentials: Credentials): Mutant | undefined {
  const own = mutants.find((one) => one.id === id);
  if (own) return own;
  const mutation = id.includes(" | ") ? mutations().find((one) => idOf(one) === id) : undefined;
  if (mutation) return deciding(mutation, credentials);
  return !id.includes(" | ") && /(?:^| )[1-5]\d\d .* /.test(id) ? perturbing(ours.contract, id) : undefined;
}
