// `npm run -s new-service -- DIR [--name NAME] [--resource NAME | --example NAME]` writes a service
// of its own: spec, handlers, store and migration of one resource, from `spec/protocol/template`,
// or one of `spec/protocol/examples`, with the packages of this repository, which are in no
// registry.
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { capital, plural } from "./operation-stub.ts";
import { pack } from "./pack.ts";

const root = resolve(import.meta.dirname, "..");
const protocol = join(root, "spec/protocol");
const USAGE =
  "usage: npm run -s new-service -- DIR [--name my-service] [--resource note | --example NAME]";

/** Of the template, what every service has; the rest of an example is its own. */
const SHARED = [".yarnrc.yml", "pnpm-workspace.yaml", "test.ts", "tsconfig.json", "tspconfig.yaml"];

/**
 * The template's words for the service and its resource, and those that replace them, each in every
 * spelling.
 */
function wordsOf(name: string, resource: string): (text: string) => string {
  const joined = name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  const words = new Map([
    ["my-service", name],
    ["My service", capital(name.replaceAll("-", " "))],
    ["MyService", capital(joined)],
    ["notes", plural(resource)],
    ["Notes", capital(plural(resource))],
    ["note", resource],
    ["Note", capital(resource)],
  ]);
  return (text) =>
    text.replace(
      /my-service|My service|MyService|[Nn]otes?(?![a-z])/g,
      (word) => words.get(word) ?? word,
    );
}

/** The JSON of a `package.json` of this repository. */
const readManifest = async (file: string) => JSON.parse(await readFile(join(root, file), "utf8"));

/** The `package.json` of a service: versions of this repository, tarballs next to it. */
async function manifestOf(
  name: string,
  tarballs: Readonly<Record<string, string>>,
): Promise<object> {
  const { engines, scarfSettings, devDependencies: known } = await readManifest("package.json");
  // Exactly these versions of TypeSpec work together, but a later one fits the range of another.
  const { peerDependencies: typespec } = await readManifest("spec/protocol/package.json");
  const { "atpoint-server": server, ...developmentTarballs } = tarballs;
  return {
    name,
    version: "0.1.0",
    private: true,
    type: "module",
    engines,
    scarfSettings,
    scripts: {
      generate: "tsp compile .",
      "new-operation": "node node_modules/atpoint-spec/new-operation.js",
      start: "tsx main.ts serve",
      keys: "tsx main.ts keys",
      check: "tsc",
      test: "tsc && tsx test.ts",
      cover: "atpoint-conformance --cover --contract generated/contract.json",
    },
    // npm 12 and Bun run install scripts of these packages alone: SQLite's driver is compiled
    // where it has no prebuilt binary. pnpm reads the same from pnpm-workspace.yaml.
    allowScripts: { sqlite3: true, esbuild: true },
    trustedDependencies: ["sqlite3", "esbuild"],
    dependencies: { "atpoint-server": server, tsx: known.tsx },
    devDependencies: {
      ...developmentTarballs,
      "@types/node": known["@types/node"],
      ...typespec,
      typescript: known.typescript,
    },
    // Yarn takes the latest version of each range, unless it is named here.
    resolutions: { "@typespec/asset-emitter": typespec["@typespec/asset-emitter"] },
  };
}

const quoted = (path: string) => (/\s/.test(path) ? JSON.stringify(path) : path);

/** Its files: those of the template in the words of this service, or of an example as they are. */
async function filesOf(
  reword: (text: string) => string,
  example: string | undefined,
): Promise<ReadonlyMap<string, string>> {
  const template = join(protocol, "template");
  const names = example === undefined ? await readdir(template) : SHARED;
  const files = new Map<string, string>();
  for (const name of names)
    files.set(reword(name), reword(await readFile(join(template, name), "utf8")));
  if (example === undefined) return files;
  const own = join(protocol, "examples", example);
  for (const name of await readdir(own)) files.set(name, await readFile(join(own, name), "utf8"));
  return files;
}

/** Writes the packages that a service needs; returns the path of each by its name. */
export async function packAll(folder: string): Promise<ReadonlyMap<string, string>> {
  await mkdir(folder, { recursive: true });
  return pack(folder, ["atpoint-spec", "atpoint-server", "atpoint-conformance"]);
}

/** Writes an example, or the template if none is named. `packed`: see `packAll`. */
async function writeService(
  folder: string,
  name: string,
  reword: (text: string) => string,
  example: string | undefined,
  packed: ReadonlyMap<string, string>,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const tarballs = Object.fromEntries(
    [...packed].map(([one, file]) => [one, `file:${relative(folder, file)}`]),
  );
  for (const [file, text] of await filesOf(reword, example))
    await writeFile(join(folder, file), text);
  const manifest = JSON.stringify(await manifestOf(name, tarballs), null, 2);
  await writeFile(join(folder, "package.json"), `${manifest}\n`);
  await writeFile(join(folder, ".gitignore"), "node_modules\ndata\n");
}

export const exampleNames = (): Promise<readonly string[]> => readdir(join(protocol, "examples"));

export const writeExample = (
  folder: string,
  name: string,
  packed: ReadonlyMap<string, string>,
): Promise<void> => writeService(folder, name, wordsOf(name, ""), name, packed);

/** Returns the exit code: 2, and nothing written, for wrong usage. */
export async function newService(
  words: readonly string[],
  print: (line: string) => void,
): Promise<number> {
  const options = {
    name: { type: "string" },
    resource: { type: "string", default: "note" },
    example: { type: "string" },
  } as const;
  const { values, positionals } = parseArgs({ args: [...words], options, allowPositionals: true });
  const [given, ...extra] = positionals;
  const folder = resolve(given ?? "");
  const { example, resource } = values;
  const { name = example ?? basename(folder) } = values;
  const isName = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) && /^[a-z][a-zA-Z0-9]*$/.test(resource);
  if (given === undefined || extra.length > 0 || !isName) {
    print(`${USAGE}; names are of small letters and digits`);
    return 2;
  }
  const examples = await exampleNames();
  if (example !== undefined && !examples.includes(example)) {
    print(`There is no example ${example}: ${examples.join(", ")}.`);
    return 2;
  }
  if ((await readdir(folder).catch(() => [])).length > 0) {
    print(`${folder} is not empty: name another folder.`);
    return 2;
  }
  const reword = wordsOf(name, resource);
  await writeService(folder, name, reword, example, await packAll(join(folder, "packages")));
  if (/\s/.test(folder))
    print(
      "SQLite's driver can't be compiled in a folder whose path has a space: move it, or use " +
        "PostgreSQL.",
    );
  const next = `cd ${quoted(given)} && npm install && npm run generate && npm start`;
  print(`Wrote ${folder}. Next: ${next}; npm test checks it.`);
  return 0;
}

if (import.meta.filename === process.argv[1])
  process.exitCode = await newService(process.argv.slice(2), console.error);
