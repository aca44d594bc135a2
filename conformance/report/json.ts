import type { Exchange } from "../client/wire/exchange.ts";
import type { Failure, Report } from "./report.ts";

/** The form's name; `report.schema.json` has it as its `$id`. */
export const reportForm = "urn:atpoint-conformance:report:1";

/** The whole report as JSON text, as `report.schema.json` describes it. Bytes are `{text}` when they are UTF-8, else `{base64}`. */
export function toJson(report: Report): string {
  const results = report.results.map((result) => ({ ...result, failure: result.failure && failure(result.failure) }));
  return `${JSON.stringify({ $schema: reportForm, ...report, results }, null, 2)}\n`;
}

function failure(given: Failure) {
  return { ...given, exchanges: given.exchanges.map(exchange) };
}

function exchange({ request, answer, error, durationMs }: Exchange) {
  return {
    request: { ...request, body: bytes(request.body), raw: request.raw && bytes(request.raw) },
    answer: answer && { ...answer, body: bytes(answer.body) },
    error,
    durationMs,
  };
}

function bytes(given: Buffer): { text: string } | { base64: string } {
  const text = given.toString();
  return Buffer.from(text).equals(given) ? { text } : { base64: given.toString("base64") };
}
