import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Expectation } from "../client/expectation.ts";
import { Reply } from "../client/reply.ts";
import type { Answer } from "../client/wire/exchange.ts";
import { ours } from "../lists/ours.ts";
import { type Mutation, Points, ways } from "../oracle/points.ts";
import { createOracle } from "../oracle/predict.ts";
import { serve } from "../test/server.test-kit.ts";
import { judgeAt, type RunningService, startService } from "../test/service.test-kit.ts";
import { apiFor } from "../test/session.test-kit.ts";
import { goldenChecks } from "./checks.ts";
import { goldens } from "./goldens.ts";
import { match } from "./match.ts";
import { sampleOf, wireOfGolden } from "./message.ts";
import { differenceOf, exchangeOf, sourceOfTest } from "./oracle.test-kit.ts";
import { type GoldenExchange, readGolden } from "./read.ts";
import { Values } from "./values.ts";

describe("a golden exchange", () => {
  it.each(goldens)("$requirement: $shows", (golden) => {
    expect(differenceOf(golden, ours)).toBeNull();
  });
});

it("shows every problem that an operation itself rejects with", () => {
  const { steps, operations } = ours.contract;
  const [handled = [], ...others] = [...steps].reverse().map(({ problems }) => problems);
  const all = Object.values(operations);
  const isOwn = (code: string) =>
    handled.includes(code) && !others.flat().includes(code) && !all.every(({ problems }) => problems.includes(code));
  const responses = goldens.flatMap(({ exchanges }) => exchanges.flatMap((exchange) => exchange.responses));
  const isShown = (id: string, code: string) =>
    responses.some(
      ({ headers, body }) =>
        body?.includes(`"code":"${code}"`) && headers.some(([name, value]) => name === "X-Operation" && value === id),
    );
  const missing = all.flatMap(({ id, problems }) =>
    problems.filter((code) => isOwn(code) && !isShown(id, code)).map((code) => `${id} ${code}`),
  );
  expect(missing, "write a scenario with `HTTP status code` and `X-Operation` in conformance/golden/exchanges").toEqual(
    [],
  );
});

describe("the service", () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  it("responds to each as it is written", async () => {
    const { results } = await judgeAt(service.url, service.credentials, goldenChecks);
    const found = results.filter(({ outcome }) => outcome !== "passed");
    expect(found.map(({ check, reason, failure }) => [check, reason, failure?.expected, failure?.actual])).toEqual([]);
    expect(results).toHaveLength(goldenChecks.length);
  });
});

/** Whether the golden exchanges detect that an oracle decides one point wrongly. */
const isFound = (mutation: Mutation) =>
  goldens.some((golden) => differenceOf(golden, ours, new Points(mutation)) !== null);

describe("an oracle that is wrong", () => {
  it("is found by every bound that it moves", () => {
    const points = new Points(null, new Map());
    for (const golden of goldens) differenceOf(golden, ours, points);
    const bounds = [...points.seen].filter(([, { kind }]) => kind === "most" || kind === "least");
    const mutations = bounds.flatMap(([point, { kind }]) =>
      Object.keys(ways[kind]).map((how): Mutation => ({ point, how, only: "all" })),
    );
    expect(bounds.length).toBeGreaterThan(9);
    expect(mutations.filter((mutation) => !isFound(mutation))).toEqual([]);
  });

  it.each(["targetBytes", "headBytes", "headFields", "bodyBytes", "bodyDepth", "bodyParts"] as const)(
    "is found by another %s",
    (name) => {
      for (const change of [-1, 1]) {
        const limits = { ...ours.contract.limits, [name]: ours.contract.limits[name] + change };
        const wrong = createOracle({ ...ours.contract, limits }, ours.own);
        expect(goldens.some((golden) => differenceOf(golden, wrong) !== null)).toBe(true);
      }
    },
  );
});

/** Whether a response with this change matches none of the expected ones. */
function rejects({ request, responses }: GoldenExchange, change: (answer: Answer) => Answer): boolean {
  const values = new Values(sourceOfTest());
  const wire = wireOfGolden(request, values, "one.invalid");
  return responses.every((response) => {
    const exchange = exchangeOf(wire, change(sampleOf(response, values)));
    try {
      match(new Reply(exchange, exchange.answer), responses, values);
      return false;
    } catch (error) {
      if (error instanceof Expectation) return true;
      throw error;
    }
  });
}

const withMembers = (change: (members: object) => object) => (answer: Answer) => ({
  ...answer,
  body: Buffer.from(JSON.stringify(change(JSON.parse(answer.body.toString())))),
});

describe("a wrong response", () => {
  // Later exchanges of a scenario use values from its first response.
  const firsts = goldens.flatMap(({ exchanges }) => exchanges.slice(0, 1));
  const withBody = firsts.filter(({ responses }) => responses.every(({ body }) => body?.startsWith('{"')));

  it("is found by its status, by a field that is missing or too many, and by a member that is", () => {
    for (const exchange of firsts) {
      expect(rejects(exchange, (answer) => answer)).toBe(false);
      expect(rejects(exchange, (answer) => ({ ...answer, status: answer.status + 1 }))).toBe(true);
      expect(rejects(exchange, (answer) => ({ ...answer, headers: answer.headers.slice(1) }))).toBe(true);
      const headers = [["Idempotent-Replayed", "true"]] as const;
      expect(rejects(exchange, (answer) => ({ ...answer, headers: [...answer.headers, ...headers] }))).toBe(true);
    }
    for (const exchange of withBody) {
      expect(
        rejects(
          exchange,
          withMembers((members) => ({ ...members, more: 1 })),
        ),
      ).toBe(true);
      expect(
        rejects(
          exchange,
          withMembers((members) => Object.fromEntries(Object.entries(members).slice(1))),
        ),
      ).toBe(true);
      expect(
        rejects(
          exchange,
          withMembers((members) => ({ ...members, [Object.keys(members)[0] ?? ""]: 1 })),
        ),
      ).toBe(true);
    }
  });

  it("is found by every check", async () => {
    const url = await serve((_, response) => response.end("{}"));
    const api = apiFor(url);
    for (const { run, needs } of goldenChecks)
      if (needs.length === 0) await expect(run(api)).rejects.toThrow("expected");
  });
});

describe("a text of golden exchanges", () => {
  const text =
    "### a/b: It is there.\nGET /\nHTTP 204\nthen\nPOST / HTTP/1.0\n{2 × X: y}\n\n{}\nHTTP 404 path-not-found";

  it("is read with what is always the same", () => {
    const [golden] = readGolden(text);
    expect(golden).toMatchObject({ requirement: "a/b", shows: "It is there." });
    const [first, second] = golden?.exchanges ?? [];
    expect(first?.request).toEqual({ method: "GET", target: "/", version: "1.1", headers: [], body: null });
    expect(first?.responses[0]?.headers).toContainEqual(["Cache-Control", "no-store"]);
    const headers = [...Array(2).fill(["X", "y"]), ["Content-Type", "application/json"]];
    expect(second?.request).toEqual({ method: "POST", target: "/", version: "1.0", headers, body: "{}" });
    expect(second?.responses[0]?.headers).toContainEqual(["Content-Type", "application/problem+json{parameters}"]);
  });

  it.each([
    ["no title", "GET /\nHTTP 204"],
    ["no response", "### a/b: c\nGET /"],
    ["no request", "### a/b: c\nHTTP 204"],
    ["no field", "### a/b: c\nGET /\nX y\nHTTP 204"],
  ])("has %s: it is rejected", (_, wrong) => {
    expect(() => readGolden(wrong)).toThrow("no golden exchange");
  });
});
