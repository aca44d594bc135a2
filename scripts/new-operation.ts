// `npm run new-operation -- 'user.get.<id>'` (or `user.rename POST`) writes the stubs of an
// operation: its part of the spec, and its handler. They generate, compile and have the style of
// this repository; the suite checks the operation from the spec. `atpoint-spec` has this program
// too: it works in a service that `new-service` wrote as it does here.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { formatTypeSpec } from "@typespec/compiler";
import {
  capital,
  clauseOf,
  HEAD,
  type NewOperation,
  plural,
  stub,
  tagOf,
} from "./operation-stub.ts";

const NAME = /^([a-z][a-zA-Z0-9]*)\.([a-z][a-zA-Z0-9]*)((?:\.[<{][a-z][a-zA-Z0-9]*[>}])*)$/;
const USAGE =
  "usage: npm run new-operation -- NAME GET|POST, as in user.rename POST; 'user.get.<id>' " +
  "is a GET without it";

/**
 * Where a service has its parts: this one, with a file for the handler of each operation, or one
 * that `new-service` wrote.
 */
const layoutOf = (root: string, resource: string, kebab: string) =>
  existsSync(join(root, "spec/main.tsp"))
    ? {
        main: "spec/main.tsp",
        spec: `spec/operations/${resource}.tsp`,
        clauses: "spec/clauses.tsp",
        handlers: "src/operations/handlers.ts",
        handler: `src/operations/${kebab}.ts`,
      }
    : { main: "main.tsp", spec: "main.tsp", clauses: null, handlers: "handlers.ts", handler: null };

type Layout = ReturnType<typeof layoutOf>;
type Known = Readonly<{ operation: NewOperation; kebab: string; layout: Layout }>;

/** Parses the arguments, or returns their error; `taken`: the names that the spec declares. */
function read(root: string, taken: ReadonlySet<string>, words: readonly string[]): Known | string {
  const [name = "", given, ...extra] = words;
  const [, resource, verb, template = ""] = NAME.exec(name) ?? [];
  if (!resource || !verb || extra.length > 0) return USAGE;
  const parts = [...template.matchAll(/\w+/g)].map(([part]) => part);
  // Only a query has parts in its name.
  const method = given?.toUpperCase() ?? (parts.length > 0 ? "GET" : undefined);
  if (method === "POST" && parts.length > 0)
    return `${name}: a command has its input in data, and no parts in its name`;
  const [id, kebab, camel] = [
    `${resource}.${verb}`,
    `${resource}-${verb}`,
    resource + capital(verb),
  ];
  const layout = layoutOf(root, resource, kebab);
  const written = layout.handler !== null && existsSync(join(root, layout.handler));
  if (taken.has(camel) || written) return `${id} exists: ${written ? layout.handler : layout.spec}`;
  if (method === undefined)
    return `${name} needs its method, GET for a query or POST for a command; ${USAGE}`;
  if (method !== "GET" && method !== "POST") return USAGE;
  return { operation: { id, resource, verb, parts, method, camel }, kebab, layout };
}

/**
 * Every name that the spec, its library and TypeSpec itself declare, which a model may not have.
 */
function takenNames(root: string): Set<string> {
  const packages = ["atpoint-spec", "@typespec/compiler/lib", "@typespec/compiler/lib/std"];
  const folders = [
    ".",
    "spec",
    "spec/operations",
    "spec/protocol",
    ...packages.map((name) => `node_modules/${name}`),
  ];
  const paths = folders.map((folder) => join(root, folder)).filter((folder) => existsSync(folder));
  const files = paths.flatMap((path) => readdirSync(path).map((file) => join(path, file)));
  const texts = files
    .filter((file) => file.endsWith(".tsp"))
    .map((file) => readFileSync(file, "utf8"));
  const declared = /\b(?:model|scalar|enum|union|alias|op|interface|namespace) (\w+)/g;
  return new Set([...texts.join("\n").matchAll(declared)].map(([, name = ""]) => name));
}

/** Every file that it writes, with its text. */
async function filesOf(
  root: string,
  { operation, kebab, layout }: Known,
  taken: ReadonlySet<string>,
) {
  const { id, resource, camel } = operation;
  const { main, spec: file, clauses, handlers, handler } = layout;
  const text = (name: string) => readFileSync(join(root, name), "utf8");
  const files = new Map<string, string>();
  const spec = existsSync(join(root, file)) ? text(file) : "";
  const records = plural(resource);
  let clause: string | null = null;
  if (clauses !== null) {
    const [number, stated] = clauseOf(text(clauses), text("spec/protocol/clauses.tsp"), records);
    clause = number;
    if (stated !== text(clauses)) files.set(clauses, stated);
  }
  const added = stub(operation, { spec, tag: tagOf(spec, resource), clause, taken });
  files.set(file, await formatTypeSpec(`${spec || HEAD}\n${added}`, { printWidth: 100 }));
  if (!new RegExp(`\\bop ${resource}[A-Z]`).test(spec)) {
    const description = `#{ description: "The ${records}." }`;
    const described = `@tagMetadata("${resource}", ${description})\n@tagMetadata`;
    const whole = (files.get(main) ?? text(main)).replace("@tagMetadata", described);
    // Last, so that every other operation keeps its position in the generated files.
    const imports = /(?:import "\.\/operations\/.+";\n)+/;
    files.set(
      main,
      spec === "" ? whole.replace(imports, `$&import "./operations/${resource}.tsp";\n`) : whole,
    );
  }
  const throws = `() => {\n    throw new Error("${id} is not implemented");\n  }`;
  const table = text(handlers).replace(
    /\};\s*$/,
    `\n  "${id}": ${handler === null ? throws : camel},\n$&`,
  );
  if (handler === null) return files.set(handlers, table);
  const stubs = `import type { Handler } from "./handler.ts";\n
/** TODO: what it means, and its clause. */
export const ${camel}: Handler<"${id}"> = ${throws};`;
  return files
    .set(handlers, `import { ${camel} } from "./${kebab}.ts";\n${table}`)
    .set(handler, stubs)
    .set(
      handler.replace(/ts$/, "test.ts"),
      `import { it } from "vitest";\n\nit.todo("returns what ${id} documents");`,
    );
}

/** What is left to do. */
const stepsOf = ({
  operation: { id, resource },
  layout: { spec, handler, handlers },
}: Known): string =>
  handler === null
    ? `1. ${spec}: write what it is in place of each TODO; then npm run generate
2. ${handlers}: what it means; npm run check names what is missing
3. npm test: what the suite checks of it from the spec alone`
    : `1. ${spec}: write what it is in place of each TODO, also in spec/clauses.tsp if there is one;
   then npm run generate
2. ${handler}: what it means, and its test; npm run check:types names what is missing
3. npm run test:operation -- ${id}: what the suite checks of it from the spec alone
4. Exchanges written from the clauses: conformance/extensions/atpoint/golden/${plural(resource)}.ts;
   a rule that only this operation has: conformance/extensions/atpoint/rules.ts`;

type Print = (line: string) => void;

/**
 * Writes the stubs; 2, and nothing written, for a name that is invalid, or exists. Returns the exit
 * code.
 */
export async function newOperation(
  words: readonly string[],
  root: string,
  print: Print,
): Promise<number> {
  const taken = takenNames(root);
  const known = read(root, taken, words);
  if (typeof known === "string") {
    print(known);
    return 2;
  }
  const files = await filesOf(root, known, taken);
  for (const [file, text] of files) {
    writeFileSync(join(root, file), text);
    print(`wrote ${file}`);
  }
  const style = ["check", "--write", ...[...files.keys()].filter((file) => file.endsWith(".ts"))];
  if (existsSync(join(root, "biome.json")))
    execFileSync(join(root, "node_modules/.bin/biome"), style, { cwd: root, stdio: "pipe" });
  print(`Next:\n${stepsOf(known)}`);
  return 0;
}

if (import.meta.filename === realpathSync(process.argv[1] ?? ""))
  process.exitCode = await newOperation(process.argv.slice(2), process.cwd(), console.error);
