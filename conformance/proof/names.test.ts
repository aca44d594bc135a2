// The suite is for any operations: this service's are named only in files that belong to one
// operation.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";
import { contract } from "../contract.ts";
import { mutants, stateful } from "./broken/index.ts";

const suite = path.resolve(import.meta.dirname, "..");
const ids = Object.keys(contract.operations);
const resources = [...new Set(ids.map((id) => id.split(".", 1)[0] ?? ""))];

/**
 * Where operations may be named: an extension, the proof, files about the given document, and
 * hand-written exchanges.
 */
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

/** Text of string literals, templates and regular expressions. */
function literalsOf(file: string): readonly string[] {
  const text = readFileSync(path.join(suite, file), "utf8");
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const literals: string[] = [];
  const visit = (node: ts.Node): void => {
    const isText =
      ts.isStringLiteralLike(node) ||
      ts.isRegularExpressionLiteral(node) ||
      ts.isTemplateLiteralToken(node);
    // A dot in a regular expression is escaped.
    if (isText && !ts.isImportDeclaration(node.parent))
      literals.push(node.text.replaceAll("\\.", "."));
    node.forEachChild(visit);
  };
  visit(source);
  return literals;
}

const files = readdirSync(suite, { recursive: true, encoding: "utf8" }).filter(
  (file) => file.endsWith(".ts") && !/(^|\/)(node_modules|dist)\//.test(file),
);

it("names operations and resources at home, and nowhere else", () => {
  const named = files
    .filter((file) => !/\.(test|test-kit|fixture|d)\.ts$/.test(file))
    .flatMap((file) => literalsOf(file).map((text) => `${file} ${text}`))
    .filter((line) => texts.test(line.slice(line.indexOf(" ") + 1)));
  expect(named.filter((line) => !AT_HOME.test(line))).toEqual([]);
  expect(named.length).toBeGreaterThan(0);
});

it("names every broken server in a test that finds it", () => {
  const tests = files
    .filter((file) => file.endsWith(".test.ts"))
    .map((file) => readFileSync(path.join(suite, file)));
  const all = Buffer.concat(tests).toString();
  const left = mutants.filter((one) => !stateful.includes(one) && !all.includes(`"${one.id}"`));
  expect(left.map(({ id }) => id)).toEqual([]);
});
