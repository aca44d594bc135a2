// `npm run new-operation -- 'user.get.<id>'` (or `user.rename POST`) writes the stubs of an operation: its part of the spec, and
// its handler. They generate, compile and pass the style check unchanged; the suite checks it from the spec.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { formatTypeSpec } from "@typespec/compiler";
import { contract } from "../generated/contract.ts";
import { capital, clauseOf, declaredIn, HEAD, type NewOperation, plural, stub } from "./operation-stub.ts";

const { operations } = contract;

const NAME = /^([a-z][a-zA-Z0-9]*)\.([a-z][a-zA-Z0-9]*)((?:\.[<{][a-z][a-zA-Z0-9]*[>}])*)$/;
const USAGE =
  "usage: npm run new-operation -- NAME GET|POST, as in user.rename POST; 'user.get.<id>' is a GET without it";

/** Parses the arguments, or returns their error. */
function read(root: string, [name = "", given, ...more]: readonly string[]): NewOperation | string {
  const [, resource, verb, template = ""] = NAME.exec(name) ?? [];
  if (!resource || !verb || more.length > 0) return USAGE;
  const parts = [...template.matchAll(/\w+/g)].map(([part]) => part);
  // Only a query has parts in its name.
  const method = given?.toUpperCase() ?? (parts.length > 0 ? "GET" : undefined);
  if (method === "POST" && parts.length > 0)
    return `${name}: a command has its input in data, and no parts in its name`;
  const [id, kebab] = [`${resource}.${verb}`, `${resource}-${verb}`];
  const file = `src/operations/${kebab}.ts`;
  const written = existsSync(join(root, file));
  if (Object.keys(operations).includes(id) || written)
    return `${id} exists: ${written ? file : "generated/contract.ts"}`;
  if (method === undefined) return `${name} needs its method, GET for a query or POST for a command; ${USAGE}`;
  if (method !== "GET" && method !== "POST") return USAGE;
  return { id, kebab, resource, verb, parts, method, camel: resource + capital(verb) };
}

/** Every name that the spec and TypeSpec itself declare, which a model may not have. */
async function takenNames(root: string): Promise<Set<string>> {
  const folders = [join(root, "spec"), join(root, "node_modules/@typespec/compiler/lib")];
  const files = await Promise.all(folders.map((at) => readdir(at, { recursive: true, withFileTypes: true })));
  const specs = files.flat().filter((file) => file.name.endsWith(".tsp"));
  return declaredIn(await Promise.all(specs.map((file) => readFile(join(file.parentPath, file.name), "utf8"))));
}

/** Every file that it writes, with its text. */
async function filesOf(root: string, operation: NewOperation): Promise<Map<string, string>> {
  const { id, resource, camel, kebab } = operation;
  const text = (file: string) => readFile(join(root, file), "utf8");
  const file = `spec/operations/${resource}.tsp`;
  const spec = existsSync(join(root, file)) ? await text(file) : null;
  const tag = /@tag\("([^"]+)"\)/.exec(spec ?? "")?.[1] ?? plural(resource);
  const clauses = await text("spec/clauses.tsp");
  const { clause, contract } = clauseOf(clauses, await text("spec/protocol/clauses.tsp"), tag);
  const added = stub(spec ?? "", operation, tag, clause, await takenNames(root));
  const files = new Map([[file, await formatTypeSpec(`${spec ?? HEAD}\n${added}`, { printWidth: 120 })]]);
  if (contract !== clauses) files.set("spec/clauses.tsp", contract);
  if (spec === null) {
    const known = `@tagMetadata("${tag}", #{ description: "TODO: what ${tag} is." })\n@tagMetadata`;
    const main = (await text("spec/main.tsp")).replace("@tagMetadata", known);
    // Last, so that every other operation keeps its position in the generated files.
    const last = /(?:import "\.\/operations\/.+";\n)+/;
    files.set("spec/main.tsp", main.replace(last, `$&import "./operations/${resource}.tsp";\n`));
  }
  const table = (await text("src/operations/handlers.ts")).replace(/\};\s*$/, `"${id}": ${camel},\n$&`);
  return files
    .set("src/operations/handlers.ts", `import { ${camel} } from "./${kebab}.ts";\n${table}`)
    .set(
      `src/operations/${kebab}.ts`,
      `import type { Handler } from "./handler.ts";\n
/** TODO: what it means, and its clause. */
export const ${camel}: Handler<"${id}"> = () => {
  throw new Error("${id} is not implemented");
};`,
    )
    .set(`src/operations/${kebab}.test.ts`, `import { it } from "vitest";\n\nit.todo("returns what ${id} documents");`);
}

/** Writes the stubs; 2, and nothing written, for a name that is invalid, or exists. Returns the exit code. */
export async function newOperation(
  words: readonly string[],
  root: string,
  print: (line: string) => void,
): Promise<number> {
  const operation = read(root, words);
  if (typeof operation === "string") {
    print(operation);
    return 2;
  }
  const files = await filesOf(root, operation);
  for (const [file, text] of files) {
    await mkdir(resolve(root, file, ".."), { recursive: true });
    await writeFile(join(root, file), text);
    print(`wrote ${file}`);
  }
  const style = ["check", "--write", ...[...files.keys()].filter((file) => file.endsWith(".ts"))];
  execFileSync(resolve(import.meta.dirname, "../node_modules/.bin/biome"), style, { cwd: root, stdio: "pipe" });
  print(`Next:
1. spec/operations/${operation.resource}.tsp: write what it is in place of each TODO, also in spec/clauses.tsp if there is one; then npm run generate
2. src/operations/${operation.kebab}.ts: what it means, and its test; npm run check:types names what is missing
3. npm run test:operation -- ${operation.id}: what the suite checks of it from the spec alone
4. A rule that only this operation has: conformance/lists/${operation.kebab}/own.ts`);
  return 0;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  process.exitCode = await newOperation(process.argv.slice(2), resolve(import.meta.dirname, ".."), console.error);
}
