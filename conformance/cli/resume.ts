import { gunzipSync } from "node:zlib";
import { contract } from "../../generated/operations.ts";
import { type Bytes, reportForm } from "../report/json.ts";
import { type Report, suite } from "../report/report.ts";
import { parseJsonFile } from "./json-files.ts";

/** Bytes as the report has them, and nothing beside them. */
const readers: Readonly<Record<string, (content: string) => Buffer>> = {
  text: (content) => Buffer.from(content),
  base64: (content) => Buffer.from(content, "base64"),
  gzip: (content) => gunzipSync(Buffer.from(content, "base64")),
};

function revive(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const { omitted = 0, ...content } = value as { omitted?: unknown };
  const [[name = "", said] = [], ...more] = Object.entries<unknown>(content);
  const read = readers[name];
  if (!read || more.length > 0 || typeof said !== "string" || typeof omitted !== "number") return value;
  const bytes: Bytes = Object.assign(read(said), { omitted });
  return bytes;
}

/** Reads `--resume`: the JSON report of a run of this suite against this target; throws an Error with words for the user. */
export function readEarlier(file: string, url: string): Report {
  const said = (why: string) => new Error(`--resume ${file}: ${why}`);
  let json: unknown;
  try {
    json = parseJsonFile(file, revive);
  } catch (error) {
    // node:fs and JSON.parse throw Errors only.
    throw said((error as Error).message);
  }
  const { $schema, ...members } = Object(json);
  if ($schema !== reportForm) throw said("is no JSON report of this suite");
  // What has this form was written by `toJson`.
  const report = members as Report;
  if (report.suite.version !== suite.version || report.contract.hash !== contract.hash)
    throw said("is of another version of this suite, or of the contract");
  if (report.target.url !== url) throw said(`is of ${report.target.url}`);
  return report;
}
