import type { Exchange } from "../client/wire/exchange.ts";
import type { Failure, Report } from "./report.ts";

/** The form's name; `report.schema.json` has it as its `$id`. */
export const reportForm = "urn:atpoint-conformance:report:2";

/** Bytes that are kept of a body which decided nothing, and of one that proves what was right. */
const KEPT = 1024;

/**
 * The whole report as JSON text, as `report.schema.json` describes it. Bytes are `{text}` when they are UTF-8, else `{base64}`; whole
 * where a failure is about them, of others the beginning, and how many are left out.
 */
export function toJson(report: Report): string {
  const results = report.results.map((result) => ({
    ...result,
    failure: result.failure && failure(result.failure),
    evidence: result.evidence && exchange(result.evidence, KEPT),
  }));
  const head = JSON.stringify({ $schema: reportForm, ...report, results: undefined }, null, 2);
  // A line for each check: of a hundred thousand lines nobody reads one.
  const lines = results.map((result) => `\n    ${JSON.stringify(result)}`);
  return `${head.slice(0, -"\n}".length)},\n  "results": [${lines.join(",")}\n  ]\n}\n`;
}

function failure(given: Failure) {
  return {
    ...given,
    exchanges: given.exchanges.map((one, index) =>
      exchange(one, index === given.guilty ? Number.POSITIVE_INFINITY : KEPT),
    ),
  };
}

function exchange({ request, answer, error, durationMs }: Exchange, most: number) {
  return {
    request: { ...request, body: bytes(request.body, most), raw: request.raw && bytes(request.raw, most) },
    answer: answer && { ...answer, body: bytes(answer.body, most) },
    error,
    durationMs,
  };
}

function bytes(given: Buffer, most: number): ({ text: string } | { base64: string }) & { omitted?: number } {
  const text = given.toString();
  const omitted = given.length > most ? { omitted: given.length - most } : {};
  // A character that the cut goes through is not kept either.
  if (Buffer.from(text).equals(given))
    return {
      text: given
        .subarray(0, most)
        .toString()
        .replace(/\uFFFD$/, ""),
      ...omitted,
    };
  return { base64: given.subarray(0, most).toString("base64"), ...omitted };
}
