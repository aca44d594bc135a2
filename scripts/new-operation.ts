// `npm run new-operation -- 'user.get.<id>'` (or `user.rename POST`) writes the stubs of an operation: its place in the spec,
// its handler, and a check and the broken servers of what is particular to it. They generate, compile and have their style as they are.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { formatTypeSpec } from "@typespec/compiler";
import { operations } from "../generated/operations.ts";

const NAME = /^([a-z][a-zA-Z0-9]*)\.([a-z][a-zA-Z0-9]*)((?:\.[<{][a-z][a-zA-Z0-9]*[>}])*)$/;
const USAGE = "usage: npm run new-operation -- NAME [GET|POST], NAME as user.rename or 'user.get.<id>'";
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** What the words ask for, or what is wrong with them. */
function read(root: string, [name = "", method = "GET", ...more]: readonly string[]) {
  const [, resource, verb, template = ""] = NAME.exec(name) ?? [];
  if (!resource || !verb || more.length > 0 || (method !== "GET" && method !== "POST")) return USAGE;
  const parts = [...template.matchAll(/\w+/g)].map(([part]) => part);
  if (method === "POST" && parts.length > 0)
    return `${name}: a command has its input in data, and no parts in its name`;
  const [id, kebab] = [`${resource}.${verb}`, `${resource}-${verb}`];
  const files = [`src/operations/${kebab}.ts`, `conformance/checks/${kebab}`, `conformance/mutants/rows/${kebab}.ts`];
  const own = files.filter((file) => existsSync(join(root, file)));
  if (Object.keys(operations).includes(id) || own.length > 0)
    return `${id} exists: ${own[0] ?? "generated/operations.ts"}`;
  return { id, kebab, resource, parts, method, camel: resource + capital(verb) };
}

type New = Exclude<ReturnType<typeof read>, string>;

/** `tag`: that of the resource; `scope`: what else is asked for it. */
function specOf({ id, parts, method, camel }: New, tag: string, scope: string): string {
  const type = capital(camel);
  const name = [id, ...parts.map((part) => `{${part}}`)].join(".");
  const data = `#{ ${(method === "GET" ? parts : ["name"]).map((member) => `${member}: "example"`).join(", ")} }`;
  const [models, operation, parameters] =
    method === "GET"
      ? [
          parts.map(
            (part) =>
              `/** TODO: its values. */ @pattern("^[a-z0-9]{1,64}$") scalar ${type}${capital(part)} extends string;`,
          ),
          `Query<"${name}", { ${parts.map((part) => `/** TODO */ @path ${part}: ${type}${capital(part)};`).join(" ")} }`,
          data,
        ]
      : [
          [
            `/** TODO: its input; \`@exampleFrom\` on what says which record. */ model ${type}Input { ...Record<never>;`,
          ],
          `Command<"${name}", ${type}Input`,
          `#{ body: #{ \`@\`: "${id}", data: ${data} } }`,
        ];
  return `${models.join("\n")}${method === "GET" ? "" : " /** TODO */ @minLength(1) name: string; }"}

/** TODO: what it answers. */ model ${type}Answer { /** TODO */ done: boolean; }

@tag("${tag}") @summary("TODO: ${id} in a few words") @doc("TODO: what \`${id}\` does.")
@useAuth(KeyAndPlatform) @scope("${scope}")
@opExample(#{ parameters: ${parameters}, returnType: #{ _: 200, requestIdHeader: "a", operationHeader: "${id}", body: #{ done: true } } })
@requirements(Clause.D9, #{ \`${id}/answer\`: "TODO: what \`${id}\` answers." })
op ${camel} is ${operation}, Ok<${type}Answer> | CredentialProblem>;
`;
}

const HEAD = `import "@typespec/http"; import "@typespec/openapi"; import "../credentials.tsp"; import "../dispatch.tsp";
using Http; using OpenAPI; namespace Atpoint;
`;

/** Every file that it writes, with its text. */
async function filesOf(root: string, operation: New): Promise<Map<string, string>> {
  const { id, resource, method, camel, kebab } = operation;
  const text = (file: string) => readFile(join(root, file), "utf8");
  const file = `spec/operations/${resource}.tsp`;
  const spec = existsSync(join(root, file)) ? await text(file) : null;
  const tag = /@tag\("([^"]+)"\)/.exec(spec ?? "")?.[1] ?? resource;
  const stub = specOf(operation, tag, `${tag}:${method === "GET" ? "read" : "write"}`);
  const files = new Map([[file, await formatTypeSpec(`${spec ?? HEAD}\n${stub}`, { printWidth: 80 })]]);
  if (spec === null) {
    const known = `@tagMetadata("${tag}", #{ description: "TODO: what ${tag} is." })\n@tagMetadata`;
    const main = (await text("spec/main.tsp")).replace("@tagMetadata", known);
    files.set("spec/main.tsp", main.replace(/(?=import "\.\/operations)/, `import "./operations/${resource}.tsp";\n`));
  }
  const enter = async (table: string, from: string, end: RegExp, entry: string) =>
    files.set(table, `import { ${camel} } from "${from}";\n${(await text(table)).replace(end, `${entry},\n$&`)}`);
  await enter("src/operations/handlers.ts", `./${kebab}.ts`, /\};\s*$/, `"${id}": ${camel}`);
  await enter("conformance/checks/index.ts", `./${kebab}/index.ts`, /\];(?=\s*\/\*\* Requirements)/, `...${camel}`);
  const [options, input] = method === "GET" ? ["{}", ""] : ['{ effect: "write" }', `, { input: api.example("${id}") }`];
  return files
    .set(
      `src/operations/${kebab}.ts`,
      `import type { Handler } from "./handler.ts";\n
/** TODO: what it means, and its clause. */
export const ${camel}: Handler<"${id}"> = () => {
  throw new Error("${id} is not implemented");
};`,
    )
    .set(`src/operations/${kebab}.test.ts`, `import { it } from "vitest";\n\nit.todo("answers what ${id} is asked");`)
    .set(
      `conformance/checks/${kebab}/index.ts`,
      `import { expectSuccess } from "../../client/expect.ts";
import { type Check, check } from "../check.ts";\n
/** What is particular to \`${id}\`; the rest follows from the spec. */
export const ${camel}: readonly Check[] = [
  check("${id}/answer", ${options}, async (api) => void expectSuccess(await api.call("${id}"${input}), "${id}")),
];`,
    )
    .set(
      `conformance/mutants/rows/${kebab}.ts`,
      `import type { Mutant } from "../mutant.ts";\n
/** TODO: for each requirement of \`${id}\`'s own a fault that nothing but its check sees: what spec and schema say is derived. */
export const mutants: readonly Mutant[] = [];`,
    );
}

/** Writes the stubs; 2, and nothing written, for a name that cannot be, or is there. Returns the exit code. */
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
1. spec/operations/${operation.resource}.tsp: say what it is where TODO stands, and npm run generate
2. src/operations/${operation.kebab}.ts: what it means, and its test; npm run check:types names what is missing
3. conformance/checks/${operation.kebab}/: a check for each requirement of its own
4. conformance/mutants/rows/${operation.kebab}.ts: a row for each of these, a fault that nothing but your check sees
5. npm run test:operation -- ${operation.id}`);
  return 0;
}

/* v8 ignore next 3 -- @preserve: the shell's way in; tests call `newOperation`. */
if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  process.exitCode = await newOperation(process.argv.slice(2), resolve(import.meta.dirname, ".."), console.error);
}
