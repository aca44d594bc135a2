import { describe, expect, it, onTestFinished } from "vitest";
import { golden as ofService } from "../extensions/atpoint/golden/index.ts";
import { golden as ofDocuments } from "../extensions/documents/golden/index.ts";
import { exchangeOf, type Sent } from "../laws/exchange.test-kit.ts";
import { emptyState } from "../model/known-state.ts";
import { learn } from "../model/learn.ts";
import { DecisionPoints, type PointMutant, ways } from "../oracle/decision-points.ts";
import type { Request } from "../oracle/model-state.ts";
import { createOracle, type Oracle, type Prediction } from "../oracle/predict.ts";
import { packaged } from "../packaged.ts";
import { hooksOf } from "../proof/broken/index.ts";
import { startService } from "../proof/kits/service.test-kit.ts";
import { startProxy } from "../proof/proxy/server.ts";
import { scriptsAt } from "../run/run.test-kit.ts";
import { goldenScripts, goldensOf, predictionOf, requestOf } from "./scripts.ts";
import type { Golden } from "./table.ts";

const ours = packaged.oracle;
const goldenExchanges = [...ofService, ...ofDocuments];
const goldens = goldensOf(ours.contract, goldenExchanges);

const KINDS = ["full", "noScopes", "otherPlatform", "expired", "revoked"];

/** A response as a right deployment could send it, as far as later requests depend on it. */
function sampleOf({ body }: Request, { status, operation }: Prediction): Sent {
  const created = { id: "1", createdAt: "2026-01-31T12:00:00Z" };
  const json =
    status === 201 ? { ...created, ...JSON.parse(body).data } : { items: [], nextCursor: "c1" };
  const fields = [["ETag", '"t1"'] as const, ["X-Operation", operation?.id ?? ""] as const];
  return { status, fields, json };
}

/** Whether a prediction allows what is written, in all that a caller can see. */
function allows(prediction: Prediction, written: Prediction): boolean {
  const codes = [prediction.code, ...(prediction.or ?? [])];
  if (![written.code, ...(written.or ?? [])].every((code) => codes.includes(code))) return false;
  if (prediction.code !== written.code) return true;
  const shown = ({ operation, allow, location, orLocation, places = [] }: Prediction) =>
    JSON.stringify([operation?.id, allow, location, orLocation, [...places].sort()]);
  return (
    [prediction.status, prediction.orStatus].includes(written.status) &&
    shown(prediction) === shown(written) &&
    [undefined, prediction.mediaType ?? written.mediaType].includes(written.mediaType)
  );
}

/**
 * What an oracle predicts where that is not what is written; null if it always is. `at`: how the
 * oracle is wrong.
 */
function predictedOtherwise({ exchanges }: Golden, oracle: Oracle, at?: DecisionPoints) {
  const { scopes } = oracle.contract;
  const place = {
    url: "http://one.invalid",
    keys: new Map([
      ["full", { scopes, platforms: ["web"], valid: true }],
      ["noScopes", { scopes: [], platforms: ["web"], valid: true }],
      ["otherPlatform", { scopes, platforms: [], valid: true }],
    ]),
    platforms: ["web"],
    files: packaged.paths,
  };
  const model = emptyState(oracle, place);
  const values = {
    host: "one.invalid",
    origin: place.url,
    platform: "web",
    mark: "m".repeat(33),
    keys: Object.fromEntries(KINDS.map((kind) => [kind, kind])),
  };
  let last = null;
  for (const [given, response] of exchanges) {
    const request = requestOf(given, values, last);
    const prediction = oracle.predict(request, model, at);
    const written = predictionOf(response, oracle.contract, last);
    if (!allows(prediction, written)) return { prediction, written };
    const exchange = exchangeOf(request, sampleOf(request, written), { prediction });
    learn(model, exchange);
    last = exchange.response;
  }
  return null;
}

const isNoticed = (oracle: Oracle, at?: DecisionPoints) =>
  goldens.some((golden) => predictedOtherwise(golden, oracle, at) !== null);

describe("an oracle", () => {
  it.each(goldens)("predicts what is written: $requirement: $title", (golden) => {
    expect(predictedOtherwise(golden, ours)).toBeNull();
  });

  it("that is wrong is found by every bound that it moves", () => {
    const points = new DecisionPoints(null, new Map());
    for (const golden of goldens) predictedOtherwise(golden, ours, points);
    const bounds = [...points.seen].filter(([, { kind }]) => kind === "most" || kind === "least");
    const mutations = bounds.flatMap(([point, { kind }]) =>
      Object.keys(ways[kind]).map((how): PointMutant => ({ point, how, only: "all" })),
    );
    expect(bounds.length).toBeGreaterThan(9);
    expect(mutations.filter((mutation) => !isNoticed(ours, new DecisionPoints(mutation)))).toEqual(
      [],
    );
    const limits = ["targetBytes", "headBytes", "headFields", "bodyBytes", "bodyDepth"] as const;
    for (const name of [...limits, "bodyParts"] as const)
      for (const change of [-1, 1]) {
        const moved = { ...ours.contract.limits, [name]: ours.contract.limits[name] + change };
        const oracle = createOracle({ ...ours.contract, limits: moved }, ours.operationExtensions);
        expect([name, isNoticed(oracle)]).toEqual([name, true]);
      }
  });
});

it("golden exchanges show every problem that an operation itself rejects with", () => {
  const { steps, operations } = ours.contract;
  const [handled = [], ...earlierProblems] = [...steps].reverse().map(({ problems }) => problems);
  const all = Object.values(operations);
  const isOwn = (code: string) =>
    handled.includes(code) &&
    !earlierProblems.flat().includes(code) &&
    !all.every(({ problems }) => problems.includes(code));
  const shown = goldens.flatMap(({ exchanges }) => exchanges).map(([, response]) => response);
  const missing = all.flatMap(({ id, problems }) =>
    problems.filter(
      (code) => isOwn(code) && !shown.some((one) => one.operation === id && one.code === code),
    ),
  );
  expect(missing, "write an exchange in conformance/extensions/atpoint/golden").toEqual([]);
});

it("a run finds a defect", async () => {
  const service = await startService();
  onTestFinished(() => service.stop());
  const { credentials } = service;
  const { url, close } = await startProxy(
    hooksOf("user.list takes an invalid cursor for the end"),
    service,
  );
  onTestFinished(close);
  const scripts = goldenScripts(ours.contract, goldenExchanges).filter((script) =>
    script.requirements.includes("user.list/invalid-cursor"),
  );
  const { results, verdict } = await scriptsAt(url, scripts, { credentials });
  const finding = results.findings.find(({ source }) => source === "golden");
  expect(verdict).toBe("not conformant");
  expect(finding).toMatchObject({ requirement: "user.list/invalid-cursor", aspect: "status" });
});

it("are about another contract as far as that has their requirements and operations", () => {
  const { sysinfo = expect.fail(), "user.create": create = expect.fail() } =
    ours.contract.operations;
  const operations = {
    thing: { ...sysinfo, id: "thing", name: "thing" },
    make: { ...create, id: "make", name: "make" },
  };
  const otherOracle = createOracle({ ...ours.contract, operations }, []);
  const some = goldensOf(otherOracle.contract, goldenExchanges);
  expect(some.length).toBeGreaterThan(45);
  expect(some.filter((golden) => predictedOtherwise(golden, otherOracle) !== null)).toEqual([]);
  const { make: _, ...queries } = operations;
  expect(goldenScripts({ ...ours.contract, operations: queries }).length).toBeLessThan(40);
});
