// The suite is for any operations: this service's are named only in files that belong to one operation.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";
import { contract } from "../contract.ts";

const suite = path.resolve(import.meta.dirname, "..");
const ids = Object.keys(contract.operations);
const resources = [...new Set(ids.map((id) => id.split(".", 1)[0] ?? ""))];

/** Where operations may be named: an extension, the proof, files about the given document, and hand-written exchanges. */
const AT_HOME = /^(?:given|golden|extensions\/\w+|proof)\//;

const texts = new RegExp(
  [
    // An id, the requirement name of one operation, or a call name.
    `\\b(?:${resources.join("|")})\\.(?:${ids.map((id) => id.split(".")[1] ?? "-").join("|")})\\b`,
    ...ids.filter((id) => !id.includes(".")).map((id) => `\\b${id}\\b`),
    // A resource as a whole literal, or as the last part of a path.
    `^/(?:${resources.join("|")})s?$|^(?:${resources.join("|")})s$`,
  ].join("|"),
);

/** Text of string literals, templates and regular expressions, with the line of each. */
function literalsOf(file: string): readonly (readonly [line: number, text: string])[] {
  const source = ts.createSourceFile(file, readFileSync(path.join(suite, file), "utf8"), ts.ScriptTarget.Latest, true);
  const found: (readonly [number, string])[] = [];
  const visit = (node: ts.Node): void => {
    const isText =
      ts.isStringLiteralLike(node) || ts.isRegularExpressionLiteral(node) || ts.isTemplateLiteralToken(node);
    if (isText && !ts.isImportDeclaration(node.parent ?? node)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      // A dot in a regular expression is escaped.
      found.push([line + 1, node.text.replaceAll("\\.", ".")]);
    }
    node.forEachChild(visit);
  };
  visit(source);
  return found;
}

const sources = readdirSync(suite, { recursive: true, encoding: "utf8" }).filter(
  (file) => file.endsWith(".ts") && !/(^|\/)(node_modules|dist)\/|\.(test|test-kit|fixture|d)\.ts$/.test(file),
);
const found = (takes: (file: string) => boolean) =>
  sources
    .filter(takes)
    .flatMap((file) =>
      literalsOf(file).flatMap(([line, text]) => (texts.test(text) ? [`${file}:${line}: ${text.slice(0, 100)}`] : [])),
    );

it("names no operation and no resource where it is for all of them", () => {
  expect(found((file) => !AT_HOME.test(file))).toEqual([]);
});

it("sees the names where they are at home", () => {
  expect(found((file) => AT_HOME.test(file))).not.toEqual([]);
});
