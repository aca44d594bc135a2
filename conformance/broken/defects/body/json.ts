import { runInNewContext } from "node:vm";
import type { Defect } from "../../defect.ts";
import { isObject, problemCode } from "../../look.ts";
import { respondProblem } from "../../shape.ts";
import { problemsWith } from "../../when.ts";
import { parse, readingAs, rewriting, textOf } from "./words.ts";

const area = "json";
const requirements = ["http/malformed-json"];

/** The longest beginning that is JSON, and an object. */
function beginning(text: string): string | null {
  for (let end = text.lastIndexOf("}") + 1; end > 0; end = text.lastIndexOf("}", end - 2) + 1)
    if (isObject(parse(text.slice(0, end)))) return text.slice(0, end);
  return null;
}

/** What would be JSON with a few closing characters more. */
function repaired(text: string): string | null {
  return (
    ["}", "}}", '"}}', '""}}', ':""}}'].map((end) => text + end).find((whole) => parse(whole) !== undefined) ?? null
  );
}

function evaluated(text: string): string | null {
  try {
    return JSON.stringify(runInNewContext(`(${text})`, {}, { timeout: 5000 })) ?? null;
  } catch {
    return null;
  }
}

export const jsonDefects: readonly Defect[] = [
  {
    id: "json/array-unwrapped",
    area,
    description: "Takes the first object of an array as the body.",
    requirements,
    catches: ["http/malformed-json#not-an-object"],
    reason: /400/,
    request: rewriting((text) => {
      const value = parse(text);
      return Array.isArray(value) && isObject(value[0]) ? JSON.stringify(value[0]) : text;
    }),
  },
  {
    id: "json/encoded-twice",
    area,
    description: "Takes JSON inside a JSON string.",
    requirements,
    catches: ["http/malformed-json#not-an-object"],
    reason: /400/,
    request: rewriting((text) => {
      const value = parse(text);
      return typeof value === "string" && parse(value) !== undefined ? value : text;
    }),
  },
  {
    id: "json/no-object-is-empty",
    area,
    description: "Takes null, numbers and arrays for an object without members.",
    requirements,
    catches: ["http/malformed-json#not-an-object"],
    reason: /malformed-json/,
    request: rewriting((text) => (parse(text) === undefined || isObject(parse(text)) ? text : "{}")),
  },
  {
    id: "json/empty-is-an-object",
    area,
    description: "Takes an empty body for an object without members.",
    requirements,
    catches: ["http/malformed-json#empty"],
    reason: /malformed-json/,
    request: rewriting((text) => (text.trim() === "" ? "{}" : text)),
  },
  {
    id: "json/repaired",
    area,
    description: "Closes what is left open.",
    requirements,
    catches: ["http/malformed-json#truncated"],
    reason: /400/,
    request: readingAs(repaired),
  },
  {
    id: "json/first-text-only",
    area,
    description: "Reads the first JSON text of the body and nothing behind it.",
    requirements,
    catches: ["http/malformed-json#trailing"],
    reason: /400/,
    request: readingAs(beginning),
  },
  {
    id: "json/lines",
    area,
    description: "Reads the first line of several.",
    requirements,
    catches: ["http/malformed-json#trailing"],
    reason: /400/,
    request: readingAs((text) => text.split("\n").find((line) => parse(line) !== undefined) ?? null),
  },
  {
    id: "json/trimmed",
    area,
    description: "Strips white space that JSON does not know.",
    requirements,
    catches: ["http/malformed-json#leading", "http/malformed-json#trailing"],
    reason: /400/,
    request: readingAs((text) => text.trim()),
  },
  {
    id: "json/guard-stripped",
    area,
    description: "Strips the guards that some answers have before JSON.",
    requirements,
    catches: ["http/malformed-json#leading"],
    reason: /400/,
    request: readingAs((text) => text.replace(/^(?:\)\]\}',|while\(1\);)\s*/, "")),
  },
  {
    id: "json/javascript",
    area,
    description: "Reads JavaScript: comments, single quotes, names without quotes.",
    requirements,
    catches: ["http/malformed-json#not-quite-json", "http/malformed-json#literals"],
    reason: /400/,
    request: readingAs(evaluated),
  },
  {
    id: "json/trailing-commas",
    area,
    description: "Takes a comma behind the last member.",
    requirements,
    catches: ["http/malformed-json#not-quite-json", "http/malformed-json#literals"],
    reason: /400/,
    request: readingAs((text) => text.replace(/,(\s*[}\]])/g, "$1")),
  },
  {
    id: "json/comments",
    area,
    description: "Takes comments.",
    requirements,
    catches: ["http/malformed-json#not-quite-json"],
    reason: /400/,
    request: readingAs((text) => text.replace(/\/\*.*?\*\/|\/\/.*\n?/g, "")),
  },
  {
    id: "json/nan",
    area,
    description: "Takes NaN and Infinity, as Python does.",
    requirements,
    catches: ["http/malformed-json#literals"],
    reason: /400/,
    request: readingAs((text) => text.replace(/:-?(?:NaN|Infinity)\b/g, ":0")),
  },
  {
    id: "json/raw-controls",
    area,
    description: "Takes control characters in strings as they are.",
    requirements,
    catches: ["http/malformed-json#literals"],
    reason: /400/,
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what the defect is about.
    request: readingAs((text) => text.replace(/[\u0000-\u001f]/g, " ")),
  },
  {
    id: "json/malformed-as-422",
    area,
    description: "Answers 422 to what is no JSON.",
    requirements: ["http/malformed-json", "http/not-utf8", "http/proto-member", "http/nesting"],
    catches: [
      ...["not-an-object", "empty", "truncated", "trailing", "leading", "not-quite-json", "literals"].map(
        (variant) => `http/malformed-json#${variant}`,
      ),
      ...["byte-order-mark", "other-encodings", "in-a-value", "elsewhere"].map((variant) => `http/not-utf8#${variant}`),
      ...["http/proto-member#refused", "http/nesting#17-levels", "http/nesting#very-deep"],
    ],
    reason: /status 400/,
    answer: problemsWith("malformed-json", () => respondProblem(422, "invalid-input")),
  },
  {
    id: "json/malformed-as-500",
    area,
    description: "Does not catch what its parser throws.",
    requirements: ["http/malformed-json", "errors/never-500", "errors/status"],
    catches: ["http/malformed-json#truncated", "http/malformed-json#empty", "errors/never-500#each-code"],
    reason: /status (400|500)/,
    answer: (answer, request) =>
      problemCode(answer) === "malformed-json" && parse(textOf(request)) === undefined
        ? respondProblem(500, "internal-error")
        : answer,
  },
  {
    id: "json/escaped-names-unknown",
    area,
    description: "Compares the names of members before their escapes are undone.",
    requirements,
    catches: ["http/malformed-json#well-formed-is-read"],
    reason: /422/,
    request: rewriting((text) => text.replace(/"\\u0040"/, '"?"')),
  },
  {
    id: "json/outer-blanks-refused",
    area,
    description: "Wants the body to begin with a brace.",
    requirements,
    catches: ["http/malformed-json#well-formed-is-read"],
    reason: /422/,
    request: rewriting((text) => (/^\s/.test(text) ? "" : text)),
  },
  {
    id: "json/large-numbers-refused",
    area,
    description: "Refuses numbers beyond its own.",
    requirements,
    catches: ["http/malformed-json#well-formed-is-read"],
    reason: /422/,
    request: rewriting((text) => (/:-?1e400/.test(text) ? "" : text)),
  },
];
