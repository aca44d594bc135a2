import { gzipSync } from "node:zlib";
import { type Bytes, type Exchange, firstBytes } from "../client/wire/exchange.ts";
import type { Failure, Report } from "./report.ts";

/** The identifier of the format; `report.schema.json` has it as its `$id`. */
export const reportForm = "urn:atpoint-conformance:report:3";

/**
 * Bytes: `text` if they are UTF-8, otherwise `base64`; `gzip` (RFC 1952), in base64, if many are kept; `omitted`: how many more
 * there were.
 */
type JsonBytes =
  | { readonly text: string; readonly omitted?: number }
  | { readonly base64: string; readonly omitted?: number }
  | { readonly gzip: string; readonly omitted?: number };

type JsonExchange = Exchange<JsonBytes, JsonBytes>;

/** The results of one run against one deployment. Secrets are replaced by placeholders such as `$API_KEY`. */
export interface JsonReport extends Report<JsonExchange> {
  /** The format of this document. */
  readonly $schema: typeof reportForm;
}

/** Bytes kept of a body that decided nothing, and of one that proves a pass. */
const KEPT = 1024;

/** More bytes than these are compressed if they are kept in full. */
const PLAIN = 16_384;

/**
 * The whole report as JSON text, as `report.schema.json` describes it. Bytes are `{text}` if they are UTF-8, otherwise
 * `{base64}`; in full if a failure is about them (`{gzip}`, in base64, if they are long), otherwise the beginning, and how many
 * are omitted.
 */
export function toJson(report: Report): string {
  const results = report.results.map((result) => ({
    ...result,
    failure: result.failure && failure(result.failure),
    evidence: result.evidence && exchange(result.evidence, KEPT),
  }));
  const head = JSON.stringify({ $schema: reportForm, ...report, results: undefined }, null, 2);
  // A line for each check: a hundred thousand lines would be unreadable.
  const lines = results.map((result) => `\n    ${JSON.stringify(result)}`);
  return `${head.slice(0, -"\n}".length)},\n  "results": [${lines.join(",")}\n  ]\n}\n`;
}

function failure(given: Failure): Failure<JsonExchange> {
  return {
    ...given,
    exchanges: given.exchanges.map((one, index) =>
      exchange(one, index === given.guilty ? Number.POSITIVE_INFINITY : KEPT),
    ),
  };
}

function exchange({ request, answer, error, durationMs }: Exchange, most: number): JsonExchange {
  return {
    request: { ...request, body: bytes(request.body, most), raw: request.raw && bytes(request.raw, most) },
    answer: answer && { ...answer, body: bytes(answer.body, most) },
    error,
    durationMs,
  };
}

function bytes(given: Bytes, most: number): JsonBytes {
  const kept = firstBytes(given, most);
  const omitted = kept.omitted ? { omitted: kept.omitted } : {};
  if (kept.length > PLAIN) return { gzip: gzipSync(kept).toString("base64"), ...omitted };
  const text = kept.toString();
  if (Buffer.from(text).equals(kept)) return { text, ...omitted };
  return { base64: kept.toString("base64"), ...omitted };
}
