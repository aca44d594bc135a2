import { gatewayReason } from "../http/gateway.ts";
import { isProxied } from "../http/target.ts";
import { write } from "../http/write.ts";
import type { Request } from "../oracle/model-state.ts";
import { KEY } from "../oracle/parsed-request.ts";
import { mayEndAtParser, type Prediction } from "../oracle/predict.ts";
import { OUTSIDE_PROFILE } from "./options.ts";
import type { Run } from "./state.ts";

/** What a request may do to its target. */

const OVERSIZED = /^(?:content-too-large|uri-too-long|headers-too-large)$/;

/** Requests that no client sends by itself, by the code of their rejection. */
const HARM: readonly (readonly [code: RegExp, what: string])[] = [
  [OVERSIZED, "something oversized"],
  [/^(?:malformed-.*|expectation-failed)$/, "something malformed"],
  [/^credentials-invalid$/, "a key that is refused"],
];

function hostilityOf(
  { suite: { oracle }, model }: Run,
  request: Request,
  { code, or = [] }: Prediction,
): string | null {
  const [, what] = HARM.find(([some]) => [code, ...or].some((one) => some.test(String(one)))) ?? [];
  if (what !== undefined) return what;
  const { targetBytes, headBytes, headFields, bodyBytes } = oracle.contract.limits;
  const { target, fields, body } = request;
  const head = write({ ...request, body: "" }, "").length;
  if (
    target.length > targetBytes ||
    head > headBytes ||
    fields.length > headFields ||
    body.length > bodyBytes
  )
    return "something oversized";
  const reading = oracle.read(request, model);
  const claimsJson = reading
    .fields("Content-Type")
    .some((type) => /^application\/json\b/i.test(type));
  if (
    reading.pairs.some((pair) => pair.includes(null)) ||
    (reading.isPost && claimsJson && reading.json === null)
  )
    return "something malformed";
  // A target may count wrong keys, and block their sender; where no credentials are needed it
  // checks none.
  const keys = [...reading.fields(KEY), ...reading.named(KEY)];
  const isRefused = (key: string) => key !== "" && model.keys.get(key)?.valid !== true;
  return reading.operation?.auth && keys.some(isRefused) ? "a key that is refused" : null;
}

/**
 * Whether a request has data that a command could carry out, in a body or a query, whatever its
 * method is.
 */
function holdsData({ suite, model, runId }: Run, request: Request): boolean {
  const { data } = suite.oracle.read(request, model);
  return data !== null || [request.body, request.target].some((text) => text.includes(runId));
}

/** The operations that a request could make a server carry out, however it reads it. */
function isAimed({ suite, model }: Run, request: Request): boolean {
  const { name, json } = suite.oracle.read(request, model);
  const called = [name, json?.["@"]].flatMap((one) => (typeof one === "string" ? [one] : []));
  const all = Object.values(suite.oracle.contract.operations);
  return all.some(
    (operation) =>
      operation.method === "POST" &&
      Object.keys(operation.exampleFrom).length > 0 &&
      called.includes(operation.name),
  );
}

/** Whether a right server carries out a command for it. */
export const isCarriedOut = (
  { method }: Request,
  { code, or = [], operation, replayed }: Prediction,
): boolean =>
  method === "POST" && operation !== null && !replayed && (code === null || or.includes(null));

/** Bytes that a proxy in front may add to the head of a request. */
const OF_PROXY = 512;

/**
 * Whether a request just fits the head. A proxy may count a path prefix, and may add header fields:
 * then it may be too much.
 */
function isTight({ suite }: Run, { target, fields }: Request): boolean {
  const { targetBytes, headBytes, headFields } = suite.oracle.contract.limits;
  const head = fields.reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0);
  return (
    head > headBytes - OF_PROXY ||
    target.length > targetBytes - OF_PROXY ||
    fields.length >= headFields
  );
}

/** Whether a request is as large as the limits of HTTP itself allow, or larger. */
const isAtLimit = (run: Run, request: Request): boolean =>
  isTight(run, request) || request.body.length >= run.suite.oracle.contract.limits.bodyBytes;

/**
 * Whether dot segments of a path leave the deployment (RFC 3986, 5.2.4): behind a prefix there is
 * another resource.
 */
function leavesPrefix({ options }: Run, { target }: Request): boolean {
  if (options.target.prefix === "") return false;
  const path = target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, "").replace(/[?#].*$/s, "");
  const segments = path.split(/[/\\]/).slice(1);
  let depth = 0;
  return segments.some((segment) => {
    const plain = segment.replace(/%2e/gi, ".");
    depth += plain === ".." ? -1 : plain === "." ? 0 : 1;
    return depth < 0;
  });
}

/** Why this run may not send a request; null if it may. */
export function skipReason(run: Run, request: Request, prediction: Prediction): string | null {
  const { allowWrite, allowHostile, gateway, selection } = run.options;
  const { operation, code, by } = prediction;
  // A proxy in front may reject them in its own way.
  const isOfHttp = mayEndAtParser(prediction) || OVERSIZED.test(code ?? "");
  // Not every service has a landing page, or publishes its contract.
  const isPromised = run.suite.oracle.contract.requirements.some(({ id }) => id === by);
  const isBeside = operation === null && code === null && !isPromised;
  if (selection.profile !== null && (isOfHttp || isBeside || isAtLimit(run, request)))
    return OUTSIDE_PROFILE;
  const isTooLarge = /^(?:headers-too-large|uri-too-long)$/.test(code ?? "");
  if (isProxied(run.options.target) && isTight(run, request) && !isTooLarge)
    return "behind a proxy less may fit into the head of a request";
  if (leavesPrefix(run, request)) return "its path is outside of the deployment";
  const hostility = allowHostile ? null : hostilityOf(run, request, prediction);
  if (hostility !== null) return `needs --allow-hostile: it sends ${hostility}`;
  // A wrong server could carry out what it must reject.
  if (!allowWrite && holdsData(run, request))
    return "needs --allow-write: it sends the data of a command";
  if (isAimed(run, request) && (!operation || run.inputs.lacking.has(operation.id)))
    return "it needs a record of this run";
  if (isCarriedOut(request, prediction) && run.created.size >= run.mostCreated)
    return `this run may create no more than ${run.mostCreated} records`;
  return gatewayReason(request, gateway, run.suite.oracle.contract.limits);
}
