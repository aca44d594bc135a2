// The public API of each package: the declarations that it exports, and those that they refer to.
// `npm run api` writes it into `scripts/api/` for a release.
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { promisify } from "node:util";
import { formatTypeSpec } from "@typespec/compiler";
import {
  type DecoratorExpressionNode,
  type Node,
  parse,
  SyntaxKind,
  visitChildren,
} from "@typespec/compiler/ast";
import ts from "typescript";
import { pack } from "./pack.ts";

const FOLDER = resolve(import.meta.dirname, "api");

/** Other packages, and the contract, which is compared with its last release as a document. */
const LEFT_OUT = /^(\.\.|generated)\//;

/**
 * Declarations by their names, without comments: `Client`, with its path `Client of ./of`, and with
 * its file what is not exported, `Log of src/server/log/log.d.ts`.
 */
export type Api = ReadonlyMap<string, string>;

/** The types that a package exports as `path`, from the declarations of that module. */
function typesOf(folder: string, path: string, types: string): Api {
  const entry = join(folder, types);
  const { NodeNext } = ts.ModuleKind;
  const moduleResolution = ts.ModuleResolutionKind.NodeNext;
  const options = { noLib: true, types: [], module: NodeNext, moduleResolution };
  const program = ts.createProgram([entry], options);
  const checker = program.getTypeChecker();
  const printer = ts.createPrinter({ removeComments: true });
  const source = program.getSourceFile(entry);
  const module = source && checker.getSymbolAtLocation(source);
  if (!module) throw new Error(`${entry} exports nothing`);

  const fileOf = (node: ts.Node) => relative(folder, node.getSourceFile().fileName);
  const resolved = (symbol: ts.Symbol) =>
    symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  /** The statements of the package's files that declare a symbol there. */
  const statementsOf = ({ declarations = [] }: ts.Symbol) =>
    declarations.flatMap((declaration) => {
      const statement = ts.isVariableDeclaration(declaration)
        ? declaration.parent.parent
        : declaration;
      const { parent } = statement;
      const isStatement = parent && ts.isSourceFile(parent);
      return isStatement && !LEFT_OUT.test(fileOf(parent)) ? statement : [];
    });

  const exported = checker.getExportsOfModule(module);
  const place = path === "." ? "" : ` of ${path}`;
  const names = new Map(exported.map((symbol) => [resolved(symbol), `${symbol.name}${place}`]));
  const referring = [...names.keys()].flatMap(statementsOf);
  const visit = (node: ts.Node): void => {
    const used = ts.isIdentifier(node) && checker.getSymbolAtLocation(node);
    const symbol = used && resolved(used);
    const [statement] = symbol ? statementsOf(symbol) : [];
    if (symbol && statement && !names.has(symbol))
      names.set(symbol, `${symbol.name} of ${fileOf(statement)}`);
    ts.forEachChild(node, visit);
  };
  for (const statement of referring) visit(statement);

  const print = (statement: ts.Node) =>
    printer.printNode(ts.EmitHint.Unspecified, statement, statement.getSourceFile());
  return new Map(
    [...names].map(([symbol, name]) => [name, statementsOf(symbol).map(print).join("\n")]),
  );
}

/** Decorators that are of no matter to whoever uses what they are on. */
const TEXTS = new Set(["doc", "summary", "requirements", "untried", "example"]);
const isText = ({ target }: DecoratorExpressionNode) =>
  target.kind === SyntaxKind.Identifier && TEXTS.has(target.sv);

/** The declarations of a package's TypeSpec files. */
async function specOf(folder: string): Promise<Api> {
  const api = new Map<string, string>();
  for (const file of (await readdir(folder)).filter((name) => name.endsWith(".tsp"))) {
    const text = await readFile(join(folder, file), "utf8");
    const script = parse(text, { comments: true });
    const leftOut: { readonly pos: number; readonly end: number }[] = [...script.comments];
    const findTexts = (node: Node): void => {
      if ("decorators" in node) leftOut.push(...node.decorators.filter(isText));
      visitChildren(node, findTexts);
    };
    visitChildren(script, findTexts);
    for (const statement of script.statements) {
      if (!("id" in statement) || !("sv" in statement.id)) continue;
      if (statement.kind === SyntaxKind.NamespaceStatement) continue;
      const isKept = (at: number) => !leftOut.some(({ pos, end }) => pos <= at && at < end);
      const { pos, end } = statement;
      const kept = Array.from({ length: end - pos }, (_, index) => pos + index).filter(isKept);
      const declaration = await formatTypeSpec(kept.map((at) => text[at]).join(""));
      api.set(statement.id.sv, declaration);
    }
  }
  return api;
}

/** The API of a package in a folder. */
async function apiOf(folder: string): Promise<Api> {
  const { exports } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  const paths = Object.entries<{ types?: string; import?: { types: string } }>(exports);
  const types = paths.flatMap(([path, { import: module, types = module?.types }]) =>
    types === undefined ? [] : [...typesOf(folder, path, types)],
  );
  return new Map([...types, ...(await specOf(folder))]);
}

/** The text of an API, in the order of names. */
const textOf = (api: Api): string =>
  [...api]
    .map(([name, declaration]) => `## ${name}\n${declaration.trim()}\n`)
    .sort()
    .join("\n");

/** The API that a text of `textOf` is about. */
function parseApi(text: string): Api {
  const declarations = text.split(/^## /m).slice(1);
  return new Map(
    declarations.map((declaration) => {
      const [name = ""] = declaration.split("\n", 1);
      return [name, declaration.slice(name.length).trim()];
    }),
  );
}

const fileOf = (name: string) => join(FOLDER, `${name}.txt`);

/** The API of a package in a folder, and that of its last release. */
export async function apisOf(name: string, folder: string): Promise<readonly [Api, Api]> {
  const released = await readFile(fileOf(name), "utf8");
  return [parseApi(textOf(await apiOf(folder))), parseApi(released)];
}

const wordsOf = (text = "") => text.split(/[^\w$]+/);

/**
 * The declarations that differ between two APIs, except those that the changelog names in code
 * under "Unreleased", and those that such a one refers to.
 */
export function unexplained(current: Api, released: Api, changelog: string): readonly string[] {
  const [, unreleased = ""] = changelog.split(/^## /m);
  const explained = new Set(unreleased.match(/`[^`]+`/g)?.flatMap(wordsOf));
  const isExplained = (name: string) => explained.has(name.split(" ")[0] ?? "");
  const names = [...new Set([...current.keys(), ...released.keys()])];
  const parts = names.filter(isExplained).flatMap((name) => wordsOf(current.get(name)));
  for (const part of parts) explained.add(part);
  return names.filter((name) => current.get(name) !== released.get(name) && !isExplained(name));
}

/** Unpacks a package into a folder, and returns that of its files. */
export async function unpack(file: string, folder: string): Promise<string> {
  await promisify(execFile)("tar", ["xzf", file, "-C", folder]);
  return join(folder, "package");
}

if (import.meta.filename === process.argv[1]) {
  const temporary = await mkdtemp(join(tmpdir(), "atpoint-api-"));
  for (const [name, file] of await pack(temporary)) {
    const api = await apiOf(await unpack(file, temporary));
    await writeFile(fileOf(name), textOf(api));
    await rm(join(temporary, "package"), { recursive: true });
  }
  await rm(temporary, { recursive: true });
}
