import type { Difference, Exchange, Finding, Response } from "../exchange.ts";
import { Withheld } from "../http/gateway.ts";
import { compare as compareBy } from "../laws/compare.ts";
import type { Contract } from "../oracle/contract.ts";
import type { Prediction } from "../oracle/predict.ts";
import { reasonAgainst } from "../run/effects.ts";
import { compared } from "../run/exchange.ts";
import type { Exercised, Run, Script } from "../run/state.ts";
import { endpoint } from "./endpoint.ts";
import {
  type Golden,
  type GoldenExchange,
  type GoldenResponse,
  type GoldenText,
  readGolden,
} from "./read.ts";
import { kindsIn, Values } from "./values.ts";

/** Codes of rejections that no client causes by itself. */
const HOSTILE =
  /^(?:(?:content|headers)-too-large|uri-too-long|malformed-.*|expectation-failed|credentials-invalid)$/;

const responsesOf = ({ exchanges }: Golden) => exchanges.flatMap(({ responses }) => responses);

/** The names of a query and of a command, by their placeholders, as far as a contract has them. */
export function callsOf({ operations }: Contract): ReadonlyMap<string, string> {
  const all = Object.values(operations).filter(({ pattern }) => pattern === null);
  const queries = all.filter(({ method }) => method === "GET");
  const query = queries.find(({ auth }) => !auth) ?? queries[0];
  const command = all.find(({ method }) => method === "POST");
  return new Map(
    Object.entries({ query, command }).flatMap(([name, one]) => (one ? [[name, one.name]] : [])),
  );
}

/** The scenarios of a contract: those that reach no operation, and of the texts of its extensions those that are about it. */
export function goldensOf(contract: Contract, texts: readonly GoldenText[]): readonly Golden[] {
  const known = new Set(contract.requirements.map(({ id }) => id));
  const calls = callsOf(contract);
  const lacking = ["{query}", "{command}"].filter((name) => !calls.has(name.slice(1, -1)));
  return [endpoint, ...texts]
    .flatMap(readGolden)
    .filter(({ requirement }) => known.has(requirement))
    .filter((one) =>
      responsesOf(one).every(({ operation: id }) => id === null || id in contract.operations),
    )
    .filter((one) => !lacking.some((name) => JSON.stringify(one).includes(name)));
}

/**
 * A script for each scenario. Every response is compared with the written one, never with what the oracle predicts: that is for
 * laws, and for what a run learns.
 */
export const goldenScripts = (
  contract: Contract,
  texts: readonly GoldenText[] = [],
): readonly Script[] =>
  goldensOf(contract, texts).map((golden, index) => {
    const isHostile = responsesOf(golden).some(({ code }) => HOSTILE.test(code ?? ""));
    const isWriting = golden.exchanges.some(({ request }) => request.body.includes('"data"'));
    return {
      id: `golden ${golden.requirement} ${golden.title.replace(/\.$/, "")}`,
      requirements: [golden.requirement],
      effect: isHostile ? "hostile" : isWriting ? "write" : "read",
      isSmoke: true,
      needs: kindsIn(JSON.stringify(golden)),
      run: (run, exercised) => played(run, golden, index, exercised),
    };
  });

function valuesOf({ options: { target, credentials }, runId, suite }: Run, index: number): Values {
  const { full, special } = credentials;
  const keys = Object.entries(special).map(([kind, { key }]) => [`key ${kind}`, key] as const);
  const own = Object.entries({ base: target.origin, platform: full.platform, key: full.key });
  // The numbers of other values of the run do not begin with 0.
  const mark = `conformance+${runId}-0${index}`;
  return new Values({
    host: target.host,
    mark,
    values: new Map([...callsOf(suite.oracle.contract), ...own, ...keys]),
  });
}

/** Sends the requests of a scenario one after the other, up to the first response that is wrong. */
async function* played(
  run: Run,
  golden: Golden,
  index: number,
  exercised: Exercised,
): AsyncGenerator<Finding> {
  const { oracle } = run.suite;
  const values = valuesOf(run, index);
  const exchanges: Exchange[] = [];
  const { requirement } = golden;
  for (const written of golden.exchanges) {
    const request = values.request(written.request);
    const prediction = oracle.predict(request, run.world);
    const reason = reasonAgainst(run, request, prediction);
    if (reason !== null) throw new Withheld(reason);
    const { exchange, findings } = await compared(run, request, prediction);
    exchanges.push(exchange);
    const place = { exchanges: [...exchanges], at: exchanges.length - 1, case: null };
    const difference = differenceFrom(exchange, written, oracle.contract, values);
    if (difference) yield { requirement, source: "golden", ...difference, ...place };
    // What both find is of the golden exchange.
    for (const one of findings)
      if (!difference || one.source !== "prediction") yield { ...one, ...place };
    if (difference) return;
  }
  exercised(requirement);
}

/** Compares a response with the written ones: as every response with a prediction, and by what the text states in addition. */

/** In no response that does not state them. */
const ABSENT = ["X-Operation", "Idempotent-Replayed"];
/** Characters of a text that a finding shows. It is never cut: a report replaces keys, and would not recognise half of one. */
const MOST_SHOWN = 300;

const shown = (text: string) => (text.length <= MOST_SHOWN ? text : `${text.length} characters`);
const differs = (aspect: string, expected: string, actual: string): Difference => ({
  aspect,
  expected,
  actual,
});

/** The value of a header field, several joined by `, `; undefined if it was not sent. */
function headerOf({ fields }: Response, name: string): string | undefined {
  const values = fields
    .filter(([one]) => one.toLowerCase() === name.toLowerCase())
    .map(([, value]) => value);
  return values.length === 0 ? undefined : values.join(", ");
}

/** A written response as the one right response to a request. It follows from the text alone. */
function predictionOf(
  written: GoldenResponse,
  { operations }: Contract,
  values: Values,
): Prediction {
  const { status, code, operation, places, fields, body } = written;
  const stated = new Map(fields);
  const allow = stated.get("Allow");
  const location = stated.get("Location")?.replace("{prefix}", "");
  const mediaType = stated.get("Content-Type")?.split(/[;{]/)[0];
  const isReplayed = stated.has("Idempotent-Replayed");
  return {
    ...{ by: "golden", step: "golden", status, code },
    operation: operation === null ? null : (operations[operation] ?? null),
    ...(allow !== undefined && { allow }),
    ...(location !== undefined && { location: values.fill(location) }),
    ...(mediaType !== undefined && { mediaType }),
    ...(places && { places }),
    // What the first response has shown is known by then.
    ...(isReplayed &&
      body !== null && { replayed: { data: "", body: JSON.parse(values.fill(body)) } }),
  };
}

/** `414 uri-too-long or 431 headers-too-large`. */
const shownResponses = ({ responses }: GoldenExchange): string =>
  responses
    .map(({ status, code }) => (code === null ? `${status}` : `${status} ${code}`))
    .join(" or ");

/** Where the response of an exchange is none of the written ones; null if it is one. `compare`: how it is compared as a prediction. */
export function differenceFrom(
  exchange: Exchange,
  written: GoldenExchange,
  contract: Contract,
  values: Values,
  compare: typeof compareBy = compareBy,
): Difference | null {
  const { response, error } = exchange;
  if (!response)
    return differs("connection", `a response: ${shownResponses(written)}`, error ?? "none");
  const isHead = exchange.request.method === "HEAD";
  const found = written.responses
    .filter(({ status }) => status === response.status)
    .map((one) => {
      const prediction = predictionOf(one, contract, values);
      const first =
        compare({ ...exchange, prediction }, contract) ?? fieldDifference(response, one, values);
      return (
        first ?? (isHead || one.body === null ? null : bodyDifference(response, one.body, values))
      );
    });
  if (found.length > 0) return found.includes(null) ? null : (found[0] ?? null);
  const code =
    Object(response.json).code ?? headerOf(response, "content-type") ?? "without a media type";
  return differs("status", shownResponses(written), shown(`${response.status} ${code}`));
}

/** Fields of which letter case counts, and order. All others are lists without case, or have one element (RFC 9110, 5.6, 8.3). */
const EXACT = /^(?:x-request-id|x-operation|idempotent-replayed|etag|link|location)$/i;

function normal(name: string, value: string): string {
  if (EXACT.test(name)) return value;
  const between = (text: string, sign: string) => text.split(sign).map((one) => one.trim());
  const list = between(value.toLowerCase().replace(/ +/g, " "), ",").sort().join();
  return /^content-type$/i.test(name) ? between(list, ";").join(";").replaceAll('"', "") : list;
}

function fieldDifference(
  response: Response,
  { fields }: GoldenResponse,
  values: Values,
): Difference | null {
  for (const [name, template] of fields) {
    const value = headerOf(response, name);
    const [wanted, sent] = [normal(name, template), normal(name, value ?? "")];
    const isSent = (one: string) => sent.split(",").includes(one);
    // A preflight may allow further header fields (D15).
    const isMore = /^access-control-allow-headers$/i.test(name) && wanted.split(",").every(isSent);
    if (value !== undefined && (isMore || values.fits(wanted, sent))) continue;
    const actual = value === undefined ? "no such field" : shown(`${name}: ${value}`);
    return differs(`header:${name.toLowerCase()}`, `${name}: ${template}`, actual);
  }
  const more = ABSENT.find(
    (name) => !fields.some(([one]) => one === name) && headerOf(response, name) !== undefined,
  );
  return more === undefined
    ? null
    : differs(`header:${more.toLowerCase()}`, `no ${more}`, "it is there");
}

function bodyDifference(
  { body, json }: Response,
  template: string,
  values: Values,
): Difference | null {
  if (template.startsWith('{"')) return memberDifference(JSON.parse(template), json, values, "");
  const text = body.toString();
  return values.fits(template, text)
    ? null
    : differs("body", template, shown(JSON.stringify(text)));
}

/** The first difference of a JSON value from its template. A list has no order; `{list}` is any. */
function memberDifference(
  template: unknown,
  value: unknown,
  values: Values,
  at: string,
): Difference | null {
  const aspect = at === "" ? "body" : `body:${at}`;
  const wrong = differs(
    aspect,
    JSON.stringify(template),
    shown(JSON.stringify(value) ?? "nothing"),
  );
  if (template === "{list}") return Array.isArray(value) ? null : wrong;
  if (typeof template === "string")
    return typeof value === "string" && values.fits(template, value) ? null : wrong;
  if (Array.isArray(template)) {
    if (!Array.isArray(value) || value.length !== template.length) return wrong;
    const isThere = (one: unknown) =>
      value.some((other) => memberDifference(one, other, values, at) === null);
    return template.every(isThere) ? null : wrong;
  }
  if (typeof template !== "object" || template === null) return template === value ? null : wrong;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return wrong;
  const members = new Map<string, unknown>(Object.entries(value));
  // A member whose name ends in `?` may be missing. Others that are not written are not allowed.
  for (const [name, one] of Object.entries(template)) {
    const own = name.replace(/\?$/, "");
    const isThere = members.has(own);
    if (!isThere && own !== name) continue;
    const difference = memberDifference(one, members.get(own), values, `${at}/${own}`);
    if (difference) return isThere ? difference : { ...difference, actual: "no such member" };
    members.delete(own);
  }
  const [more] = members.keys();
  return more === undefined ? null : differs(`body:${at}/${more}`, "no such member", "it is there");
}
