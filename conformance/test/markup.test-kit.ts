import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { expect } from "vitest";
import type { JsonReport } from "../next/report/json.ts";

export const reportSchema: object = JSON.parse(
  readFileSync(new URL("../report/report.schema.json", import.meta.url), "utf8"),
);

/** Whether a document is a report as published; `errors` lists the faults. */
export const validateReport = new Ajv({ strict: true, allErrors: true, allowUnionTypes: true }).compile<JsonReport>(
  reportSchema,
);

/** A report of the published format, read from a file. */
export function jsonReport(name: string) {
  const report = JSON.parse(readFileSync(name, "utf8"));
  validateReport(report);
  expect(validateReport.errors ?? []).toEqual([]);
  return report;
}

/** Names of the elements if the markup is well-formed; throws if it is not. */
export function elements(markup: string, voids: readonly string[] = []): string[] {
  if (/[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u.test(markup))
    throw new Error("a character XML cannot hold");
  const open: string[] = [];
  const seen: string[] = [];
  const tag = /<(?:[?!][^<>]*|(\/?)([a-zA-Z][a-zA-Z0-9]*)((?: [\w:-]+(?:="[^"<]*")?)*)\s*(\/?))>/g;
  const text = markup
    .replace(/(?<=<(style|script)>)[\s\S]*?(?=<\/\1>)/g, "")
    .replace(tag, (_all, end: string, name: string | undefined, _attributes, empty: string) => {
      if (name === undefined) return "";
      if (end) expect(open.pop()).toBe(name);
      else {
        seen.push(name);
        if (!empty && !voids.includes(name)) open.push(name);
      }
      return "";
    });
  expect(open).toEqual([]);
  expect(text).not.toMatch(/[<>]|&(?!(amp|lt|gt|quot|#\d+);)/);
  return seen;
}
