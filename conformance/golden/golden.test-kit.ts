import { BOUND_MS } from "../../src/test/patience.ts";
import type { Exchange, Response } from "../exchange.ts";
import { golden as texts } from "../extensions/atpoint/golden/index.ts";
import { noGateway } from "../http/gateway.ts";
import { parseTarget } from "../http/target.ts";
import { compare } from "../laws/compare.ts";
import { emptyWorld, learn } from "../model/learn.ts";
import type { Points } from "../oracle/points.ts";
import type { Oracle } from "../oracle/predict.ts";
import { packaged } from "../packaged.ts";
import type { Credentials, RunOptions } from "../run/options.ts";
import { run } from "../run/run.ts";
import { differenceFrom } from "./expected.ts";
import type { Golden, GoldenResponse } from "./read.ts";
import { callsOf, goldenScripts, goldensOf } from "./scripts.ts";
import { Values } from "./values.ts";

export const suite = packaged;
export const ours = suite.oracle;
export const goldens = goldensOf(ours.contract, texts);

const SAMPLES: Readonly<Record<string, string>> = {
  ...{ "request-id": "sample-id", text: "text@example.com", problems: "https://one.invalid/problems", prefix: "/" },
  ...{ uuid: "019c1395-e200-7000-8000-0123456789ab", time: "2026-01-31T12:00:00Z", cursor: "c1", etag: "t1" },
  ...{ origin: "", parameters: "" },
};

/** A response as a deployment could send it. */
function sampleOf({ status, fields, body }: GoldenResponse, values: Values, isHead: boolean): Response {
  const text = (template: string) =>
    values.replaced(template, (name) => SAMPLES[name.replace(/ .*/, "")] ?? values.of(name));
  const member = (_: string, value: unknown) => {
    if (typeof value === "string") return value === "{list}" ? [] : text(value);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? Object.fromEntries(Object.entries(value).filter(([name]) => !name.endsWith("?"))) : value;
  };
  const json = !isHead && body?.startsWith('{"') ? JSON.parse(body, member) : undefined;
  const content = json === undefined ? text((!isHead && body) || "") : JSON.stringify(json);
  const sent = fields.map(([name, value]) => [name, text(value)] as const);
  return { ...{ status, reason: "", version: "1.1", fields: sent, omitted: 0, json }, body: Buffer.from(content) };
}

const KINDS = ["", "noScopes", "otherPlatform", "expired", "revoked"];

/** A scenario as a right deployment plays it, an exchange for each written response. `at`: how the oracle is wrong. */
export function* rightExchanges(golden: Golden, oracle: Oracle, at?: Points) {
  const known = KINDS.map((kind) => {
    const scopes = kind === "noScopes" ? [] : oracle.contract.scopes;
    const platforms = kind === "otherPlatform" ? [] : ["web"];
    return [`atp_${kind}`, { scopes, platforms, valid: !/d$/.test(kind) }] as const;
  });
  const place = { url: "http://one.invalid", keys: new Map(known), platforms: ["web"], files: suite.paths };
  const world = emptyWorld(oracle, place);
  const keys = KINDS.map((kind) => [`key ${kind}`.trim(), `atp_${kind}`] as const);
  const own = [...callsOf(oracle.contract), ["base", place.url] as const, ["platform", "web"] as const, ...keys];
  const values = new Values({ host: "one.invalid", mark: "golden-", values: new Map(own) });
  for (const written of golden.exchanges) {
    const request = values.request(written.request);
    const prediction = oracle.predict(request, world, at);
    for (const one of written.responses) {
      const response = sampleOf(one, values, request.method === "HEAD");
      const times = { error: null, sentAt: 0, endedAt: 1, connection: 1 };
      const exchange: Exchange = { ...times, request, response, prediction };
      const difference = (other: Exchange, by?: typeof compare) =>
        differenceFrom(other, written, oracle.contract, values, by);
      yield { exchange, response, difference };
      learn(world, exchange);
    }
  }
}

/** Where the prediction of an oracle is not the written response; null if it always is. */
export function predictedOtherwise(golden: Golden, oracle: Oracle, at?: Points) {
  for (const { exchange, difference } of rightExchanges(golden, oracle, at)) {
    const found = compare(exchange, oracle.contract) ?? difference(exchange);
    if (found) return found;
  }
  return null;
}

/** A run of the golden exchanges alone. */
export const runAt = (url: string, credentials: Credentials, options: Partial<RunOptions> = {}) =>
  run(
    { ...suite, covering: [], scripts: goldenScripts(ours.contract, texts) },
    {
      ...{ target: parseTarget(url), gateway: noGateway, credentials, tell: () => {}, seed: 1, draws: 0 },
      ...{ concurrency: 8, isExhaustive: false, isSlow: false, timeoutMs: BOUND_MS, deadlineMs: BOUND_MS },
      ...{ mayWrite: true, mayHarm: true, ...options },
    },
  );
