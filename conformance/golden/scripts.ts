import {
  type Difference,
  type Exchange,
  type Finding,
  MARK_DIGITS,
  type Response,
} from "../exchange.ts";
import { SkippedByPolicy } from "../http/gateway.ts";
import { compare, predictedText } from "../laws/compare.ts";
import type { Contract } from "../oracle/contract.ts";
import type { Request } from "../oracle/model-state.ts";
import type { Prediction } from "../oracle/predict.ts";
import { sendAndCompare } from "../run/exchange.ts";
import { skipReason } from "../run/policy.ts";
import { type Exercised, MissingPrecondition, type Run, type Script } from "../run/state.ts";
import { endpoint, ofCommand, ofQuery } from "./endpoint.ts";
import type { Golden, GoldenRequest, GoldenResponse } from "./table.ts";

/** Codes of rejections that no client causes by itself. */
const HOSTILE =
  /^(?:.*-too-large|uri-too-long|malformed-.*|expectation-failed|credentials-invalid)$/;

/**
 * The golden exchanges of a contract: those that reach no operation, and those of its extensions
 * that are about it.
 */
export function goldensOf(
  { operations, requirements }: Contract,
  extensions: readonly Golden[],
): readonly Golden[] {
  const known = new Set(requirements.map(({ id }) => id));
  const all = Object.values(operations).filter(({ pattern }) => pattern === null);
  const queries = all.filter(({ method }) => method === "GET");
  const query = queries.find(({ auth }) => !auth) ?? queries[0];
  const command = all.find(({ method }) => method === "POST");
  const isKnown = ({ exchanges }: Golden) =>
    exchanges.every(([, { operation: id }]) => id === null || id in operations);
  return [
    ...endpoint,
    ...(query ? ofQuery(query.name) : []),
    ...(command ? ofCommand(command.name) : []),
    ...extensions.filter(isKnown),
  ].filter(({ requirement }) => known.has(requirement));
}

/** What a run must be allowed for golden exchanges. */
function effectOf({ exchanges }: Golden): Script["effect"] {
  if (exchanges.some(([, { code }]) => code !== null && HOSTILE.test(code))) return "hostile";
  const isData = ([request]: Golden["exchanges"][number]) =>
    typeof request === "object" && request.body?.includes('"data"');
  return exchanges.some(isData) ? "write" : "read";
}

/**
 * A script for each entry of the table. Every response is compared with the written one, never with
 * what the oracle predicts: that is for laws, and for what a run learns.
 */
export const goldenScripts = (
  contract: Contract,
  extensions: readonly Golden[] = [],
): readonly Script[] =>
  goldensOf(contract, extensions).map((golden, index) => ({
    id: `golden ${golden.requirement} ${golden.title}`,
    requirements: [golden.requirement],
    effect: effectOf(golden),
    isSmoke: true,
    needs: golden.exchanges
      .flatMap(([request]) => (typeof request === "object" ? (request.key ?? []) : []))
      .filter((kind) => kind !== "full"),
    run: (run, exercised) => play(run, golden, index, exercised),
  }));

/** The values of a run that requests have, and its keys by their kind. */
export interface GoldenValues {
  readonly host: string;
  readonly origin: string;
  readonly platform: string;
  readonly mark: string;
  readonly keys: Readonly<Record<string, string>>;
}

/** The request as it is sent, behind this response. */
export function requestOf(
  given: GoldenRequest,
  { host, origin, mark, keys, ...values }: GoldenValues,
  last: Response | null,
): Request {
  const { key, body, headBytes, version, ...parts } =
    typeof given === "string" ? { target: given } : given;
  const { method = body === undefined ? "GET" : "POST", target = "/api/", fields = [] } = parts;
  const texts = Object.entries({
    mark,
    origin,
    key: keys.full,
    platform: values.platform,
    cursor: Object(last?.json).nextCursor,
    etag: last?.fields.find(([name]) => /^etag$/i.test(name))?.[1].replace("W/", ""),
  });
  const text = (template: string) =>
    texts.reduce(
      (result, [name, value]) => result.replaceAll(`{${name}}`, () => `${value}`),
      template,
    );
  const { platform = values.platform } = parts;
  const isTyped = method !== "POST" || fields.some(([name]) => name === "Content-Type");
  const all: (readonly [name: string, value: string])[] = [["Host", host]];
  if (key !== undefined) all.push(["X-API-KEY", keys[key] ?? ""], ["X-PLATFORM", platform]);
  for (const [name, value] of fields) all.push([name, text(value)]);
  if (!isTyped) all.push(["Content-Type", "application/json"]);
  if (headBytes !== undefined) {
    const size = [...all, ["X-More", ""]].reduce(
      (sum, field) => sum + field.join(": \r\n").length,
      0,
    );
    all.push(["X-More", "a".repeat(headBytes - size)]);
  }
  const bytes = typeof body === "string" ? Buffer.from(text(body)) : body;
  return {
    method,
    target: text(target),
    fields: all,
    body: bytes?.toString("latin1") ?? "",
    ...(version && { version }),
  };
}

/** A written response as the one right response, behind another one. */
export const predictionOf = (
  { operation, isReplayed, ...written }: GoldenResponse,
  { operations }: Contract,
  last: Response | null,
): Prediction => ({
  ...written,
  by: "golden",
  step: "golden",
  operation: operation === null ? null : (operations[operation] ?? null),
  ...(isReplayed && { replayed: { data: "", body: last?.json } }),
});

function valuesOf({ options: { target, credentials }, runId }: Run, index: number): GoldenValues {
  const keys = Object.entries({ ...credentials.special, full: credentials.full });
  return {
    host: target.host,
    origin: target.origin,
    platform: credentials.full.platform,
    // The numbers of other values of the run do not begin with 0.
    mark: `conformance+${runId}-${`${index}`.padStart(MARK_DIGITS, "0")}`,
    keys: Object.fromEntries(keys.map(([kind, { key }]) => [kind, key])),
  };
}

/** Sends the requests one after the other, up to the first response that is wrong. */
async function* play(
  run: Run,
  { requirement, exchanges }: Golden,
  index: number,
  exercised: Exercised,
): AsyncGenerator<Finding> {
  const { oracle } = run.suite;
  const values = valuesOf(run, index);
  const sent: Exchange[] = [];
  for (const [given, written] of exchanges) {
    const last = sent.at(-1)?.response ?? null;
    const request = requestOf(given, values, last);
    const prediction = oracle.predict(request, run.model);
    const reason = skipReason(run, request, prediction);
    if (reason !== null) throw new SkippedByPolicy(reason);
    // Written for a key with every scope.
    const { code } = prediction;
    if (code !== written.code && /^(?:scope|credentials)-missing$/.test(code ?? ""))
      throw new MissingPrecondition(
        `needs a key for ${written.operation ?? prediction.operation?.id}`,
      );
    const { exchange, findings } = await sendAndCompare(run, request, prediction);
    sent.push(exchange);
    const place = { exchanges: [...sent], at: sent.length - 1, case: null };
    const expected = predictionOf(written, oracle.contract, last);
    const difference = differenceFrom(exchange, expected, oracle.contract);
    const { concerns = [] } = findings.find(({ source }) => source === "prediction") ?? {};
    if (difference) yield { requirement, concerns, source: "golden", ...difference, ...place };
    // What both find is of the golden exchange.
    for (const finding of findings)
      if (!difference || finding.source !== "prediction") yield { ...finding, ...place };
    if (difference) return;
  }
  exercised(requirement);
}

/** Where a response is not the written one; null if it is. */
const differenceFrom = (
  exchange: Exchange,
  prediction: Prediction,
  contract: Contract,
): Difference | null =>
  exchange.response
    ? compare({ ...exchange, prediction }, contract)
    : {
        aspect: "connection",
        expected: `a response: ${predictedText(prediction)}`,
        actual: exchange.error ?? "none",
      };
