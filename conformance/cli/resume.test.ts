import { gunzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { contract } from "../../generated/operations.ts";
import { toJson } from "../report/json.ts";
import { type Report, suite } from "../report/report.ts";
import { clean, sample } from "../report/sample.fixture.ts";
import { file } from "../test/command.test-kit.ts";
import { jsonReport } from "../test/markup.test-kit.ts";
import { readEarlier } from "./resume.ts";

/** The sample, with a body of this many bytes in the guilty exchange of its failure, and in one beside it. */
function withBodies(body: Buffer): Report {
  const results = sample.results.map((result) => {
    const { failure } = result;
    const [exchange] = failure?.exchanges ?? [];
    if (!failure || !exchange) return result;
    const long = { ...exchange, request: { ...exchange.request, body } };
    return { ...result, evidence: long, failure: { ...failure, exchanges: [long, long], guilty: 0 } };
  });
  return { ...sample, results, suite, contract: { ...sample.contract, hash: contract.hash } };
}

it.each([
  ["a text", Buffer.from("\u00e9".repeat(100_000))],
  ["bytes that are no text", Buffer.alloc(100_000, 0xff)],
  ["a short one", Buffer.from("x")],
])("the report keeps the guilty body whole, and of another what it says, however often it is read: %s", (_, body) => {
  const json = toJson(withBodies(body));
  const name = file("report.json", json);
  const report = jsonReport(name);
  expect(JSON.parse(toJson(readEarlier(name, sample.target.url)))).toEqual(report);
  const [guilty, beside] = report.results[1].failure.exchanges.map(
    (exchange: { request: { body: object } }) => exchange.request.body,
  );
  if (body.length === 1) return expect([guilty, beside]).toEqual([{ text: "x" }, { text: "x" }]);
  expect(gunzipSync(Buffer.from(guilty.gzip, "base64")).equals(body)).toBe(true);
  expect(beside.omitted).toBe(body.length - 1024);
  expect(json.length).toBeLessThan(toJson(clean).length + 100_000);
});
