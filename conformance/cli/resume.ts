import { contract } from "../../generated/operations.ts";
import { reportForm } from "../report/json.ts";
import { type Report, suite } from "../report/report.ts";
import { parseJsonFile } from "./json-files.ts";

/** Bytes as the report has them: `{text}` or `{base64}`, and nothing beside it. */
function revive(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const [[name, content] = [], ...more] = Object.entries(value);
  if (more.length > 0 || typeof content !== "string") return value;
  if (name === "text") return Buffer.from(content);
  return name === "base64" ? Buffer.from(content, "base64") : value;
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
