import { readFileSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Exchange, Response } from "../exchange.ts";
import { golden as texts } from "../extensions/atpoint/golden/index.ts";
import { compare } from "../laws/compare.ts";
import { exchangeOf } from "../laws/exchange.test-kit.ts";
import { emptyWorld, learn } from "../model/learn.ts";
import { type Mutation, Points, ways } from "../oracle/points.ts";
import { createOracle, type Oracle } from "../oracle/predict.ts";
import { packaged } from "../packaged.ts";
import { hooksOf } from "../proof/broken/index.ts";
import { startService } from "../proof/kits/service.test-kit.ts";
import { startProxy } from "../proof/proxy/server.ts";
import { scriptsAt } from "../run/run.test-kit.ts";
import { endpoint } from "./endpoint.ts";
import { type Golden, type GoldenResponse, readGolden } from "./read.ts";
import { callsOf, differenceFrom, goldenScripts, goldensOf } from "./scripts.ts";
import { Values } from "./values.ts";

const ours = packaged.oracle;
const goldens = goldensOf(ours.contract, texts);

const SAMPLES: Readonly<Record<string, string>> = {
  ...{
    "request-id": "sample-id",
    text: "text@example.com",
    problems: "https://one.invalid/problems",
    prefix: "/",
  },
  ...{
    uuid: "019c1395-e200-7000-8000-0123456789ab",
    time: "2026-01-31T12:00:00Z",
    cursor: "c1",
    etag: "t1",
  },
  ...{ origin: "", parameters: "" },
};

/** A response as a deployment could send it. */
function sampleOf(
  { status, fields, body }: GoldenResponse,
  values: Values,
  isHead: boolean,
): Response {
  const text = (template: string) =>
    values.replaced(template, (name) => SAMPLES[name.replace(/ .*/, "")] ?? values.of(name));
  const member = (_: string, value: unknown) => {
    if (typeof value === "string") return value === "{list}" ? [] : text(value);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject
      ? Object.fromEntries(Object.entries(value).filter(([name]) => !name.endsWith("?")))
      : value;
  };
  const json = !isHead && body?.startsWith('{"') ? JSON.parse(body, member) : undefined;
  const content = json === undefined ? text((!isHead && body) || "") : JSON.stringify(json);
  const sent = fields.map(([name, value]) => [name, text(value)] as const);
  return {
    ...{ status, reason: "", version: "1.1", fields: sent, omitted: 0, json },
    body: Buffer.from(content),
  };
}

const KINDS = ["", "noScopes", "otherPlatform", "expired", "revoked"];

/** A scenario as a right deployment plays it, an exchange for each written response. `at`: how the oracle is wrong. */
function* rightExchanges(golden: Golden, oracle: Oracle, at?: Points) {
  const known = KINDS.map((kind) => {
    const scopes = kind === "noScopes" ? [] : oracle.contract.scopes;
    const platforms = kind === "otherPlatform" ? [] : ["web"];
    return [`atp_${kind}`, { scopes, platforms, valid: !/d$/.test(kind) }] as const;
  });
  const place = {
    url: "http://one.invalid",
    keys: new Map(known),
    platforms: ["web"],
    files: packaged.paths,
  };
  const world = emptyWorld(oracle, place);
  const keys = KINDS.map((kind) => [`key ${kind}`.trim(), `atp_${kind}`] as const);
  const own = [
    ...callsOf(oracle.contract),
    ["base", place.url] as const,
    ["platform", "web"] as const,
    ...keys,
  ];
  const values = new Values({ host: "one.invalid", mark: "golden-", values: new Map(own) });
  for (const written of golden.exchanges) {
    const request = values.request(written.request);
    const prediction = oracle.predict(request, world, at);
    for (const one of written.responses) {
      const response = sampleOf(one, values, request.method === "HEAD");
      const exchange = exchangeOf(request, response, { prediction });
      const difference = (other: Exchange, by?: typeof compare) =>
        differenceFrom(other, written, oracle.contract, values, by);
      yield { exchange, response, difference };
      learn(world, exchange);
    }
  }
}

/** Where the prediction of an oracle is not the written response; null if it always is. */
function predictedOtherwise(golden: Golden, oracle: Oracle, at?: Points) {
  for (const { exchange, difference } of rightExchanges(golden, oracle, at)) {
    const found = compare(exchange, oracle.contract) ?? difference(exchange);
    if (found) return found;
  }
  return null;
}

const isNoticed = (oracle: Oracle, at?: Points) =>
  goldens.some((golden) => predictedOtherwise(golden, oracle, at) !== null);

describe("an oracle", () => {
  it.each(goldens)("predicts what is written: $requirement: $title", (golden) => {
    expect(predictedOtherwise(golden, ours)).toBeNull();
  });

  it("that is wrong is found by every bound that it moves", () => {
    const points = new Points(null, new Map());
    for (const golden of goldens) predictedOtherwise(golden, ours, points);
    const bounds = [...points.seen].filter(([, { kind }]) => kind === "most" || kind === "least");
    const mutations = bounds.flatMap(([point, { kind }]) =>
      Object.keys(ways[kind]).map((how): Mutation => ({ point, how, only: "all" })),
    );
    expect(bounds.length).toBeGreaterThan(9);
    expect(mutations.filter((mutation) => !isNoticed(ours, new Points(mutation)))).toEqual([]);
    for (const name of [
      "targetBytes",
      "headBytes",
      "headFields",
      "bodyBytes",
      "bodyDepth",
      "bodyParts",
    ] as const)
      for (const change of [-1, 1]) {
        const limits = { ...ours.contract.limits, [name]: ours.contract.limits[name] + change };
        expect([name, isNoticed(createOracle({ ...ours.contract, limits }, ours.own))]).toEqual([
          name,
          true,
        ]);
      }
  });
});

it("golden exchanges show every problem that an operation itself rejects with", () => {
  const { steps, operations } = ours.contract;
  const [handled = [], ...others] = [...steps].reverse().map(({ problems }) => problems);
  const all = Object.values(operations);
  const isOwn = (code: string) =>
    handled.includes(code) &&
    !others.flat().includes(code) &&
    !all.every(({ problems }) => problems.includes(code));
  const shown = goldens.flatMap(({ exchanges }) => exchanges).flatMap(({ responses }) => responses);
  const missing = all.flatMap(({ id, problems }) =>
    problems.filter(
      (code) => isOwn(code) && !shown.some((one) => one.operation === id && one.code === code),
    ),
  );
  expect(
    missing,
    "write a scenario `-> status code by operation` in conformance/extensions/atpoint/golden",
  ).toEqual([]);
});

describe("a wrong response", () => {
  /** Each field and member missing, or another; what is there too much. */
  function* changed(response: Response): Generator<Response> {
    const { fields, status, json } = response;
    const withJson = (one: object) => ({
      ...response,
      json: one,
      body: Buffer.from(JSON.stringify(one)),
    });
    yield { ...response, status: status + 1 };
    yield { ...response, fields: [...fields, ["Idempotent-Replayed", "true"]] };
    for (const one of fields) {
      const others = fields.filter((other) => other !== one);
      yield { ...response, fields: others };
      yield { ...response, fields: [...others, [one[0], ""]] };
    }
    if (json !== undefined) yield withJson({ ...Object(json), more: 1 });
    for (const [name, value] of Object.entries(Object(json))) {
      const { [name]: _, ...others } = Object(json);
      yield withJson(others);
      yield withJson({ ...others, [name]: Array.isArray(value) ? {} : [] });
    }
  }
  const blind = () => null;

  it("is found, also where no response differs from a prediction; a right one is not", () => {
    const byOneAspect = new Set<string>();
    for (const golden of goldens)
      for (const { exchange, response, difference } of rightExchanges(golden, ours)) {
        expect([golden.title, difference(exchange), difference(exchange, blind)]).toEqual([
          golden.title,
          null,
          null,
        ]);
        for (const wrong of changed(response)) {
          const other = { ...exchange, response: wrong };
          byOneAspect.add(compare(other, ours.contract)?.aspect ?? "none");
          expect([
            golden.title,
            wrong,
            difference(other) && difference(other, blind),
          ]).not.toContain(null);
        }
      }
    // What `compare` itself must find: each of it is also found without.
    for (const aspect of [
      "status",
      "allow",
      "location",
      "x-operation",
      "content-type",
      "idempotent-replayed",
    ])
      expect([...byOneAspect].join()).toContain(aspect);
  });

  it("is what a right one is taken for where it is compared wrongly", () => {
    const strict: typeof compare = ({ prediction, ...rest }, contract) =>
      compare({ ...rest, prediction: prediction && { ...prediction, operation: null } }, contract);
    const firsts = goldens.map(
      (golden) => rightExchanges(golden, ours).next().value ?? expect.fail(golden.title),
    );
    const found = firsts.map(({ exchange, difference }) => difference(exchange, strict)?.aspect);
    expect(new Set(found)).toEqual(new Set([undefined, "header:x-operation"]));
  });
});

it("a run finds a defect, with the exchanges up to the wrong one", async () => {
  const service = await startService();
  onTestFinished(() => service.stop());
  const { credentials } = service;
  const { url, close } = await startProxy(hooksOf("user.list shows one twice"), service);
  onTestFinished(close);
  const scripts = goldenScripts(ours.contract, texts).filter((one) =>
    one.requirements.includes("user.list/next"),
  );
  const { results, verdict } = await scriptsAt(url, scripts, { credentials });
  const found = results.findings.find(({ source }) => source === "golden");
  expect(verdict).toBe("not conformant");
  expect(found).toMatchObject({ requirement: "user.list/next", aspect: "body:/items", at: 2 });
  expect(found?.exchanges.map(({ response }) => response?.status)).toEqual([201, 201, 200]);
});

describe("a text", () => {
  const read = (text: string) => readGolden({ file: "some.ts", line: 7, text });

  it("is read with what is always the same", () => {
    const [golden] = read(
      "a/b: It is there.\n  GET / -> 204\n  POST* / HTTP/1.0 | {2 × X: y}\n    | {}\n  -> 404 gone at #",
    );
    const [first, second] = golden?.exchanges ?? [];
    expect(golden).toMatchObject({ requirement: "a/b", title: "It is there." });
    expect(first?.request).toEqual({
      method: "GET",
      target: "/",
      version: "1.1",
      fields: [],
      body: "",
    });
    expect(first?.responses[0]?.fields).toContainEqual(["Cache-Control", "no-store"]);
    expect(second?.request).toMatchObject({ target: "/", version: "1.0", body: "{}" });
    expect(second?.request.fields.map(([name]) => name)).toEqual([
      "X-API-KEY",
      "X-PLATFORM",
      "X",
      "X",
      "Content-Type",
    ]);
    expect(second?.responses[0]?.fields).toContainEqual([
      "Content-Type",
      "application/problem+json{parameters}",
    ]);
    expect(second?.responses[0]).toMatchObject({
      places: ["#"],
      body: expect.stringContaining('"pointer":"#"'),
    });
  });

  it.each([
    ["a/b: c\nGET / -> 204\n\n  get it", "some.ts:10: no request: get it"],
    ["GET / -> 204", "some.ts:7: no title above: GET /"],
    ["a/b: c\n  -> 204", "some.ts:8: no request above: -> 204"],
    ["a/b: c\n  GET /\n    | X: y\n  or 204", "some.ts:10: no request above: or 204"],
    ["a/b: c\n  GET /\n  GET / -> 204", "some.ts:9: the request above has no response"],
    ["a/b: c\n\na/b: d", "some.ts:9: the scenario above has no exchange"],
    ["a/b: c\n  GET / -> 204\na/b: c", "some.ts:9: a second scenario with this title: a/b: c"],
    ["a/b: c\n  GET / -> 2040", "some.ts:8: no response: 2040"],
    ["a/b: c\n  GET /{mine} -> 204", "some.ts:8: no placeholder: {mine}"],
  ])("is rejected with its line: %j", (text, message) => expect(() => read(text)).toThrow(message));

  it("is where it says, and about a contract as far as that has its requirements and operations", () => {
    for (const { file, line, text } of [endpoint, ...texts]) {
      const lines = readFileSync(new URL(`../../${file}`, import.meta.url), "utf8").split("\n");
      expect(lines[line]).toBe(text.split("\n")[1]);
    }
    const { sysinfo = expect.fail(), "user.create": create = expect.fail() } =
      ours.contract.operations;
    const operations = {
      thing: { ...sysinfo, id: "thing", name: "thing" },
      make: { ...create, id: "make", name: "make" },
    };
    const other = createOracle({ ...ours.contract, operations }, []);
    const some = goldensOf(other.contract, texts);
    expect(some.length).toBeGreaterThan(45);
    expect(some.filter((golden) => predictedOtherwise(golden, other) !== null)).toEqual([]);
    const { make: _, ...queries } = operations;
    expect(goldenScripts({ ...ours.contract, operations: queries }).length).toBeLessThan(40);
  });
});
