import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Response } from "../exchange.ts";
import { golden as texts } from "../extensions/atpoint/golden/index.ts";
import { compare } from "../laws/compare.ts";
import { type Mutation, Points, ways } from "../oracle/points.ts";
import { createOracle } from "../oracle/predict.ts";
import { hooksOf } from "../proof/broken/index.ts";
import { type RunningService, startService } from "../proof/kits/service.test-kit.ts";
import { startProxy } from "../proof/proxy/server.ts";
import { endpoint } from "./endpoint.ts";
import { goldens, ours, predictedOtherwise, rightExchanges, runAt } from "./golden.test-kit.ts";
import { readGolden } from "./read.ts";
import { goldenScripts, goldensOf } from "./scripts.ts";

const isNoticed = (...[oracle, at]: [typeof ours, Points?]) =>
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
    for (const name of ["targetBytes", "headBytes", "headFields", "bodyBytes", "bodyDepth", "bodyParts"] as const)
      for (const change of [-1, 1]) {
        const limits = { ...ours.contract.limits, [name]: ours.contract.limits[name] + change };
        expect([name, isNoticed(createOracle({ ...ours.contract, limits }, ours.own))]).toEqual([name, true]);
      }
  });
});

it("golden exchanges show every problem that an operation itself rejects with", () => {
  const { steps, operations } = ours.contract;
  const [handled = [], ...others] = [...steps].reverse().map(({ problems }) => problems);
  const all = Object.values(operations);
  const isOwn = (code: string) =>
    handled.includes(code) && !others.flat().includes(code) && !all.every(({ problems }) => problems.includes(code));
  const shown = goldens.flatMap(({ exchanges }) => exchanges).flatMap(({ responses }) => responses);
  const missing = all.flatMap(({ id, problems }) =>
    problems.filter((code) => isOwn(code) && !shown.some((one) => one.operation === id && one.code === code)),
  );
  expect(missing, "write a scenario `-> status code by operation` in conformance/extensions/atpoint/golden").toEqual(
    [],
  );
});

describe("a wrong response", () => {
  /** Each field and member missing, or another; what is there too much. */
  function* changed(response: Response): Generator<Response> {
    const { fields, status, json } = response;
    const withJson = (one: object) => ({ ...response, json: one, body: Buffer.from(JSON.stringify(one)) });
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
        expect([golden.title, difference(exchange), difference(exchange, blind)]).toEqual([golden.title, null, null]);
        for (const wrong of changed(response)) {
          const other = { ...exchange, response: wrong };
          byOneAspect.add(compare(other, ours.contract)?.aspect ?? "none");
          expect([golden.title, wrong, difference(other) && difference(other, blind)]).not.toContain(null);
        }
      }
    // What `compare` itself must find: each of it is also found without.
    for (const aspect of ["status", "allow", "location", "x-operation", "content-type", "idempotent-replayed"])
      expect([...byOneAspect].join()).toContain(aspect);
  });

  it("is what a right one is taken for where it is compared wrongly", () => {
    const strict: typeof compare = ({ prediction, ...rest }, contract) =>
      compare({ ...rest, prediction: prediction && { ...prediction, operation: null } }, contract);
    const firsts = goldens.map((golden) => rightExchanges(golden, ours).next().value ?? expect.fail(golden.title));
    const found = firsts.map(({ exchange, difference }) => difference(exchange, strict)?.aspect);
    expect(new Set(found)).toEqual(new Set([undefined, "header:x-operation"]));
  });
});

describe("a run", () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  it("finds that the service responds to each as it is written", async () => {
    const { results, outcomes, created } = await runAt(service.url, service.credentials);
    expect([results.findings, results.faults]).toEqual([[], []]);
    const tried = new Set(goldens.map(({ requirement }) => requirement));
    const others = outcomes.filter(({ requirement, outcome }) => tried.has(requirement.id) && outcome !== "passed");
    expect(others).toEqual([]);
    expect(created.filter((one) => !/conformance\+[0-9a-f]{16}-0\d+[^@]*@(?:a|.*\bexample\.com)$/.test(one))).toEqual(
      [],
    );
  });

  it("finds a defect, with the exchanges up to the wrong one", async () => {
    const { credentials } = service;
    const hooks = hooksOf("user.list shows one twice");
    const { url, close } = await startProxy(hooks, service.url, 0, { credentials: credentials.full });
    const { results, verdict } = await runAt(url, credentials);
    const [found] = results.findings.filter(({ source }) => source === "golden");
    expect(verdict).toBe("not conformant");
    expect(found).toMatchObject({ requirement: "user.list/next", aspect: "body:/items", at: 2 });
    expect(found?.exchanges.map(({ response }) => response?.status)).toEqual([201, 201, 200]);
    await close();
  });

  it("sends nothing that it may not", async () => {
    const harmless = { mayWrite: false, mayHarm: false };
    const { created, outcomes } = await runAt(service.url, service.credentials, harmless);
    expect(created).toEqual([]);
    const reasons = outcomes.map(({ reason }) => reason?.replace(/:.*/, "")).filter((one) => one?.startsWith("needs"));
    expect(new Set(reasons)).toEqual(new Set(["needs --allow-write", "needs --allow-hostile"]));
  });
});

describe("a text", () => {
  const read = (text: string) => readGolden({ file: "some.ts", line: 7, text });

  it("is read with what is always the same", () => {
    const [golden] = read(
      "a/b: It is there.\n  GET / -> 204\n  POST* / HTTP/1.0 | {2 × X: y}\n    | {}\n  -> 404 gone at #",
    );
    const [first, second] = golden?.exchanges ?? [];
    expect(golden).toMatchObject({ requirement: "a/b", title: "It is there." });
    expect(first?.request).toEqual({ method: "GET", target: "/", version: "1.1", fields: [], body: "" });
    expect(first?.responses[0]?.fields).toContainEqual(["Cache-Control", "no-store"]);
    expect(second?.request).toMatchObject({ target: "/", version: "1.0", body: "{}" });
    expect(second?.request.fields.map(([name]) => name)).toEqual(["X-API-KEY", "X-PLATFORM", "X", "X", "Content-Type"]);
    expect(second?.responses[0]?.fields).toContainEqual(["Content-Type", "application/problem+json{parameters}"]);
    expect(second?.responses[0]).toMatchObject({ places: ["#"], body: expect.stringContaining('"pointer":"#"') });
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
    const { sysinfo = expect.fail(), "user.create": create = expect.fail() } = ours.contract.operations;
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
