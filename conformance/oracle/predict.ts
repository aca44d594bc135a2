import { mediaTypeFor } from "./accept.ts";
import {
  absentCodeOf,
  type Contract,
  isConditional,
  mediaTypesOf,
  type Operation,
  requirementOf,
  statedOr,
  successOf,
} from "./contract.ts";
import { DecisionPoints, type PointMutant } from "./decision-points.ts";
import { effectRules, openCodesOf, statedCodesOf } from "./effect-rules.ts";
import { statedUnique } from "./effects.ts";
import { type Created, type ModelState, type Request, tagPlace } from "./model-state.ts";
import type { OperationExtension } from "./operation-extension.ts";
import { ParsedRequest } from "./parsed-request.ts";
import {
  type Details,
  hasFragment,
  isServed,
  METHODS,
  methodsOf,
  type Rule,
  replayedBy,
  rulesOf,
} from "./rules.ts";
import { type Scope, scopesOf } from "./scopes.ts";
import { undecidedCodesIn } from "./undecided.ts";

/** The one right response to a request, with the requirement that decides it. */
export interface Prediction extends Details {
  /** The requirement. */
  readonly by: string;
  /** The step of the order of checks that rejects; `OPTIONS`, or `handled` for a success. */
  readonly step: string;
  readonly status: number;
  readonly code: string | null;
  /** The operation that `X-Operation` names; null if none is known yet. */
  readonly operation: Operation | null;
  readonly mediaType?: string;
  readonly location?: string;
  /** Another location that the contract allows instead. */
  readonly orLocation?: string;
  /** Another status that the contract allows instead. */
  readonly orStatus?: number;
  /** The record that the first call with the same idempotency key created. */
  readonly replayed?: Created;
}

/**
 * The contract as a program. It knows requests and the content of a deployment, nothing about a
 * server.
 */
export interface Oracle {
  readonly contract: Contract;
  readonly operationExtensions: readonly OperationExtension[];
  readonly rules: readonly Rule[];
  /**
   * With `at`, the response of a server that decides one point wrongly; with `order`, of one that
   * checks in another order.
   */
  predict(
    request: Request,
    model: ModelState,
    at?: DecisionPoints,
    order?: readonly Rule[],
  ): Prediction;
  /**
   * The codes of an operation that its handler may answer instead of a success, and no rule
   * predicts.
   */
  undecidedCodes(operation: Operation): readonly string[];
  /** The request as the oracle reads it. */
  read(request: Request, model: ModelState, at?: DecisionPoints): ParsedRequest;
  /**
   * The requests for which a server may be wrong: all, those of one operation, HEAD, those with
   * credentials in the query.
   */
  readonly scopes: Readonly<Record<string, Scope>>;
}

const RIGHT = new DecisionPoints();
const BEFORE_ENDPOINT = new Set(["readHead", "findPath", "allowMethod"]);

/** Creates an oracle for a contract; of `extensions` only those of its operations are used. */
export function createOracle(
  contract: Contract,
  extensions: readonly OperationExtension[] = [],
): Oracle {
  const operationExtensions = [
    ...extensions.filter(({ operation }) => operation in contract.operations),
    ...statedUnique(contract),
  ];
  const steps = contract.steps.map(({ step }) => step);
  const known = new Set(steps.slice(steps.indexOf("checkMethod")));
  const added = operationExtensions.flatMap(({ rules = [] }) => rules);
  const ofProtocol = rulesOf(contract);
  const all = [...ofProtocol, ...effectRules(contract), ...added];
  const rules = all.sort((a, b) => steps.indexOf(a.step) - steps.indexOf(b.step));
  const undecided = undecidedCodesIn(contract, [...ofProtocol, ...added]);
  const undecidedCodes = ({ id }: Operation) => undecided.get(id) ?? [];
  const readings = new WeakMap<Request, ParsedRequest>();
  /** A request is read once: a prediction, and all who ask what it is about, share it. */
  const read = (request: Request, model: ModelState, decisionPoints = RIGHT) => {
    const known = decisionPoints === RIGHT ? readings.get(request) : undefined;
    if (known?.model === model) return known;
    const reading = new ParsedRequest(contract, request, model, decisionPoints);
    if (decisionPoints === RIGHT) readings.set(request, reading);
    return reading;
  };
  const scopes = scopesOf(contract);

  /**
   * A parser checks a head in its own order, and may know no fragments and no other methods than
   * those of RFC 9110.
   */
  function choices(r: ParsedRequest, rule: Rule): Pick<Details, "or"> {
    const isHead = rule.step === "readHead";
    const heads = isHead
      ? rules.filter((one) => one !== rule && one.step === rule.step && one.fails(r))
      : [];
    const isOdd = !METHODS.has(r.method) || hasFragment(r);
    const line = BEFORE_ENDPOINT.has(rule.step) && isOdd ? ["malformed-request"] : [];
    const or = [...(rule.more?.(r).or ?? []), ...heads.map(({ code }) => code), ...line];
    return or.length > 0 ? { or } : {};
  }

  function applies({ only }: PointMutant, request: Request, model: ModelState): boolean {
    return only === "all" || scopes[only]?.takes(read(request, model)) === true;
  }

  function predict(
    request: Request,
    model: ModelState,
    at = RIGHT,
    order: readonly Rule[] = rules,
  ): Prediction {
    const points = at.mutation && !applies(at.mutation, request, model) ? RIGHT : at;
    const r = read(request, model, points);
    for (const rule of order) {
      points.step = rule.step;
      if (skips(r, rule) || !rule.fails(r)) continue;
      return {
        by: typeof rule.by === "string" ? rule.by : rule.by(r),
        step: rule.step,
        status: contract.problems[rule.code]?.status ?? 0,
        code: rule.code,
        operation: known.has(rule.step) ? r.operation : null,
        ...rule.more?.(r),
        ...choices(r, rule),
      };
    }
    points.step = "handled";
    return accepted(r, undecidedCodes);
  }
  return { contract, operationExtensions, rules, predict, undecidedCodes, read, scopes };
}

/**
 * Steps that do not apply to the request: OPTIONS and `/api` end at the method, and for other paths
 * only the size of the body is checked.
 */
function skips(r: ParsedRequest, { step }: Rule): boolean {
  if (BEFORE_ENDPOINT.has(step)) return false;
  if (r.method === "OPTIONS" || r.path === "/api") return true;
  return !r.isApi && step !== "readBody";
}

/** The response to a request that no rule rejects. */
function accepted(r: ParsedRequest, undecidedCodes: Oracle["undecidedCodes"]): Prediction {
  const none = { step: "handled", code: null, operation: null } as const;
  if (r.method === "OPTIONS")
    return {
      ...none,
      step: "OPTIONS",
      by: r.path === "/api" ? "http/slash-options" : "dispatch/options",
      status: 204,
      allow: methodsOf(r),
    };
  if (r.path === "/api") {
    const query = r.search === null ? "" : `?${r.search}`;
    const shorter = r.search === "" ? { orLocation: "api/" } : {};
    return {
      ...none,
      by: "http/slash-redirect",
      status: 308,
      location: `api/${query}`,
      ...shorter,
    };
  }
  if (!r.isApi) return served(r, none);
  const { operation } = r;
  const base = { ...none, operation };
  // Only an oracle with a wrongly decided rule gets here without an operation.
  if (!operation) return { ...base, by: "dispatch/unknown", status: 200 };
  const mediaType = mediaTypeFor(r, mediaTypesOf(operation)) ?? "";
  const fresh = currency(r, String(r.name), mediaType);
  const code = absentCodeOf(r.contract, operation);
  const isStated = code !== null && statedCodesOf(r.contract, operation).includes(code);
  const absent = r.model.names.has(operation.id) || isStated ? null : code;
  // The existing names are not known yet.
  const or = [
    ...(absent === null ? [] : [absent]),
    ...undecidedCodes(operation),
    ...openCodesOf(r),
  ];
  const known = { ...base, ...(or.length > 0 && { or }) };
  if (fresh === "current") return { ...known, by: `${operation.id}/not-modified`, status: 304 };
  const replayed = replayedBy(r);
  return {
    ...known,
    by: replayed
      ? requirementOf(
          r.contract,
          operation,
          "replayed",
          statedOr(r.contract, "idempotency/replayed", "answers/object"),
        )
      : "answers/object",
    status: successOf(operation),
    mediaType,
    ...(fresh === "either" && { orStatus: 304 }),
    ...(replayed && { replayed }),
  };
}

/** Resources next to the endpoint (D11). */
function served(r: ParsedRequest, none: Omit<Prediction, "by" | "status">): Prediction {
  if (r.path === "/") {
    const mediaType = mediaTypeFor(r, ["text/html", "application/json"]) ?? "text/html";
    return {
      ...none,
      by: mediaType === "text/html" ? "landing/html" : "landing/json",
      status: 200,
      mediaType,
    };
  }
  if (!isServed(r)) return { ...none, by: "http/unknown-path", status: 404 };
  const fresh = currency(r, r.path, "");
  if (fresh === "current") return { ...none, by: "contract/etag", status: 304 };
  return {
    ...none,
    by: "contract/served",
    status: 200,
    ...(fresh === "either" && { orStatus: 304 }),
  };
}

/**
 * Whether the caller's copy counts: for a file, and for an operation that declares the field (D12).
 */
export const mayBeCurrent = ({ isPost, operation }: ParsedRequest): boolean =>
  !isPost && (operation === null || isConditional(operation));

/**
 * Whether the caller's copy is still current (RFC 9110, 13.1.2): `*` is one of any representation
 * with a tag, seen or not; a tag, compared weakly, is one of this representation. A deployment
 * chooses the coding for a caller that accepts several (D31), and so whether a tag of one is
 * current.
 */
function currency(
  r: ParsedRequest,
  place: string,
  mediaType: string,
): "current" | "changed" | "either" {
  if (r.isPost) return "changed";
  const sent = mayBeCurrent(r) ? r.fields("If-None-Match").join(", ") : "";
  const given = [...sent.matchAll(/(?:W\/)?("[^"]*")/g)].map(([, tag]) => tag ?? "");
  const isAny = sent === "*";
  // Hardly any request has a copy, and there may be many tags.
  const known =
    sent === ""
      ? []
      : [...r.model.tags].filter(([key]) =>
          key.startsWith(tagPlace(place, mediaType, "x").slice(0, -1)),
        );
  const holds = (tags: readonly (readonly [string, ReadonlySet<string>])[]) =>
    given.some((tag) => tags.some(([, some]) => some.has(tag)));
  // A file that was not seen may have no tag.
  if (isAny && r.operation === null && known.length === 0) return "either";
  const coded =
    r.fields("Accept-Encoding").join() !== "" &&
    !/^identity$/i.test(r.fields("Accept-Encoding").join());
  if (coded && holds(known)) return "either";
  const identity = known.filter(([key]) => key.endsWith(" identity"));
  const current = isAny || holds(identity);
  return r.points.holds("the caller's copy is current", current) ? "current" : "changed";
}

/** Whether the HTTP parser may reject it: then a response to HEAD may have a body too (D13). */
export const mayEndAtParser = ({ step, or = [] }: Prediction): boolean =>
  step === "readHead" || or.includes("malformed-request");

/** The parts of a prediction that a caller can see; for HEAD, without those of the body. */
export const visible = (prediction: Prediction, head: boolean): string => {
  const { status, code, operation, allow, mediaType, location, missing, places, replayed } =
    prediction;
  const body = head ? [] : [code, missing, places && [...places].sort(), replayed?.body];
  return JSON.stringify([status, operation?.id, allow, mediaType, location, ...body]);
};
