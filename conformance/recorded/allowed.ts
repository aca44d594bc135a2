import type { Response } from "../exchange.ts";
import type { KnownState } from "../model/known-state.ts";
import { listOf } from "../oracle/lists.ts";
import { fieldsOf, type Request } from "../oracle/model-state.ts";
import { uniqueOf } from "../oracle/operation-extension.ts";
import { CREDENTIALS, KEY, type ParsedRequest, PLATFORM } from "../oracle/parsed-request.ts";
import { mayBeCurrent, type Prediction, visible } from "../oracle/predict.ts";
import { idempotencyKeyOf, replayedBy } from "../oracle/rules.ts";
import type { Predicted } from "../run/exchange.ts";
import type { Answered, Entry } from "./entries.ts";

/** A right response, as far as is known; `why`: what it takes for granted, null if nothing. */
export interface Allowed {
  readonly prediction: Prediction;
  readonly why: string | null;
  /** The request as it may have been sent. */
  readonly request: Request;
}

export const PARTIAL_HEAD = "head not recorded as sent";
/** Replaces a value that was not recorded. */
const UNRECORDED = "not-recorded";

/** A request with all that it may have had in addition, as its response shows. */
function completed(model: KnownState, request: Request, { status, fields }: Response): Request {
  const shown = (name: string) => fieldsOf(fields, name).join(", ");
  const r = model.oracle.read(request, model);
  const may: Readonly<Record<string, string>> = {
    Accept: status < 300 ? `${shown("Content-Type").replace(/;.*/s, "") || "*/*"}, */*;q=0.1` : "",
    "Content-Type": r.isPost ? "application/json" : "",
    "Idempotency-Key": shown("Idempotent-Replayed") && crypto.randomUUID(),
    // With an unknown tag, since the representation is not known either.
    "If-None-Match": status === 304 ? `"${UNRECORDED}", ${shown("ETag")}` : "",
    Origin: shown("Access-Control-Allow-Origin"),
    "X-Request-Id": shown("ETag") ? "" : shown("X-Request-Id"),
    ...Object.fromEntries(
      CREDENTIALS.map((name) => [name, r.credential(name).value ? "" : UNRECORDED]),
    ),
  };
  const lacking = Object.entries(may).filter(
    ([name, value]) => value !== "" && r.fields(name).length === 0,
  );
  return { ...request, fields: [...request.fields, ...lacking] };
}

/** The rejection with this code, where a success is possible. */
function rejection(
  { oracle }: KnownState,
  { operation }: Prediction,
  code: string,
  r: ParsedRequest,
): Prediction {
  const { by, step = "handle" } = oracle.rules.find((one) => one.code === code) ?? {};
  const { status = 0 } = oracle.contract.problems[code] ?? {};
  return {
    by: (typeof by === "function" ? by(r) : by) ?? "dispatch/order",
    step,
    status,
    code,
    operation,
  };
}

/**
 * The state in which a key or a platform that is unknown is right for everything, and what is right
 * otherwise.
 */
function granted(model: KnownState, r: ParsedRequest) {
  const { keys, platforms, oracle } = model;
  const [key, platform] = [r.credential(KEY).value, r.credential(PLATFORM).value];
  const known = keys.get(key);
  // The entry of a key for another platform says that it is not for those of the others.
  const isDecided =
    known?.platforms.includes(platform) ||
    (known?.platforms.length === 0 && platforms.includes(platform));
  if (known && isDecided) return null;
  const { scopes, valid } = known ?? { scopes: oracle.contract.scopes, valid: true };
  const all = { scopes, platforms: [...(known?.platforms ?? []), platform], valid };
  const otherCodes = known ? [] : ["credentials-invalid", "scope-missing"];
  return {
    wide: { ...model, keys: new Map([...keys, [key, all]]), platforms: [...platforms, platform] },
    why: known ? "platform unknown" : "key unknown",
    codes: [...otherCodes, "platform-not-allowed"],
  };
}

/**
 * Every response that is right with what is known before an entry; the first one where nothing is
 * missing.
 */
export function allowed(
  model: KnownState,
  { isPartial }: Entry,
  { request, response }: Answered,
): readonly [Allowed, ...Allowed[]] {
  const hasFields = response.fields.length > 0;
  if (!isPartial && hasFields) return allowedFor(model, request, response);
  const whole = isPartial ? completed(model, request, response) : request;
  const [text, textAsSent] = [whole, request].map((variant) =>
    visible(model.oracle.predict(variant, model), false),
  );
  const isKnown = text === textAsSent && hasFields;
  const open = (one: Allowed): Allowed => (isKnown ? one : { ...one, why: PARTIAL_HEAD });
  const [first, ...rest] = allowedFor(model, whole, response);
  return [open(first), ...[...rest, ...allowedFor(model, request, response)].map(open)];
}

/** What the contract allows for a request as it was sent. */
function allowedFor(
  model: KnownState,
  request: Request,
  response: Response,
): readonly [Allowed, ...Allowed[]] {
  const { oracle } = model;
  const first = oracle.predict(request, model);
  const r = oracle.read(request, model);
  const steps = oracle.contract.steps.map(({ step }) => step);
  const isLate =
    first.step === "handled" || steps.indexOf(first.step) >= steps.indexOf("authenticate");
  const { wide, why, codes } = (isLate && first.operation?.auth && granted(model, r)) || {
    wide: model,
    why: null,
    codes: [],
  };
  const prediction = wide === model ? first : oracle.predict(request, wide);
  const rejections = codes.map((code) => ({
    prediction: rejection(model, prediction, code, r),
    why,
    request,
  }));
  const earlier = earlierOf(wide, request, prediction, response);
  return [
    { prediction, why, request },
    ...rejections,
    ...earlier.map((one) => ({ prediction: one, why: "from before the recording", request })),
  ];
}

/** Steps that read what a partial head may lack. */
const OF_HEAD =
  /^(?:readHead(?:ers)?|allowMethod|checkMediaType|(?:read|require)Credentials|negotiate)$/;

/**
 * Whether a response may follow from what was not recorded of a head, or from a redirect that was
 * followed.
 */
export function isOfHead(
  { oracle }: KnownState,
  { response, prediction }: Answered & Predicted,
): boolean {
  const { code = null } = Object(response.json);
  const isSent = (text: string) =>
    code === null ? oracle.contract.problems[text]?.status === response.status : text === code;
  // Parameters of the operation, such as a key under which the record was created before.
  const hasParameters = (prediction.operation?.headers ?? []).length > 0;
  const isRead = hasParameters ? /^(?:validateInput|handle)$/ : OF_HEAD;
  const steps = oracle.rules.filter((one) => isSent(one.code)).map(({ step }) => step);
  if (prediction.location !== undefined || (hasParameters && prediction.step === "handle"))
    return true;
  return steps.some((step) => OF_HEAD.test(step) || isRead.test(step));
}

/** What else is right if the deployment already held something before the recording. */
function earlierOf(
  model: KnownState,
  request: Request,
  now: Prediction,
  response: Response,
): readonly Prediction[] {
  const { oracle } = model;
  const r = oracle.read(request, model);
  // Whether a key was used is decided before whether a value is taken.
  const isTaken = uniqueOf(oracle.operationExtensions, now.operation?.id ?? "", r.data).some(
    ([one]) => one === now.code,
  );
  const free = { ...model, taken: new Map(), records: new Map() };
  const first = isTaken ? oracle.predict(request, free) : now;
  const { by, step, operation, code, status } = first;
  if (code === "invalid-cursor" && operation) {
    const sent = r.inputParameters.filter(([name]) => name === "cursor").map(([, value]) => value);
    const cursors = new Map([...model.cursors, [listOf(r), new Set(sent)]]);
    return [oracle.predict(request, { ...model, cursors })];
  }
  if (code === "path-not-found" && !/^\/api(?:\/|$)/.test(r.path) && !request.target.includes("#"))
    return [oracle.predict(request, { ...model, files: new Set([...model.files, r.path]) })];
  if (code !== null) return [];
  const copies = r.fields("If-None-Match").flatMap((value) => value.match(/"[^"]*"|\*/g) ?? []);
  const isKnown = (tag: string) => [...model.tags.values()].some((some) => some.has(tag));
  const mayMatch = status === 200 && mayBeCurrent(r) && copies.some((tag) => !isKnown(tag));
  if (mayMatch) return [{ by, step, operation, code, status: 304 }];
  if (!operation || step !== "handled" || !r.isPost) return [];
  const taken = uniqueOf(oracle.operationExtensions, operation.id, r.data).filter(
    ([one, value]) => !model.taken.get(one)?.has(value),
  );
  const conflicts = taken.map(([one]) => rejection(model, first, one, r));
  if (idempotencyKeyOf(r) === "" || replayedBy(r)) return conflicts;
  const replayed = { ...first, replayed: { data: "", body: response.json } };
  return [...conflicts, replayed, rejection(model, first, "idempotency-key-reused", r)];
}

/** All that is allowed as one prediction: that of the first, or one of the others. */
export function oneOf(all: readonly [Allowed, ...Allowed[]]): Prediction {
  const [{ prediction: first }] = all;
  const codes = new Set(
    all.map(({ prediction }) => prediction.code).filter((code) => code !== first.code),
  );
  return codes.size === 0 ? first : { ...first, or: [...(first.or ?? []), ...codes] };
}
