// `npm run -s pack -- [DIR]`: npm runs `prepack` before it, which writes a fresh `dist/`.
import { execFile } from "node:child_process";
import { copyFile, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { transpileDeclaration } from "typescript";

const root = resolve(import.meta.dirname, "..");
const read = async (file: string) => JSON.parse(await readFile(join(root, file), "utf8"));

/**
 * Copies modules and declarations from `dist/`, without the references to source maps: the sources
 * are not in a package.
 */
async function copyBuilt(folder: string, files: RegExp): Promise<void> {
  for (const file of await readdir(join(root, "dist"), { recursive: true })) {
    if (!files.test(file)) continue;
    const text = await readFile(join(root, "dist", file), "utf8");
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), text.replace(/^\/\/# sourceMappingURL=.*/m, ""));
  }
}
const entryOf = (module: string) => ({ types: `./${module}.d.ts`, default: `./${module}.js` });

interface Package {
  /** The folder of the repository that has its README, which may link to other files there. */
  readonly directory: string;
  /** Writes its other files into a folder, and returns its own part of `package.json`. */
  readonly write: (folder: string) => Promise<object>;
}

/** The packages that are parts of this repository, by name. */
export const PACKAGES: Readonly<Record<string, Package>> = {
  "atpoint-client": { directory: "src/client", write: writeClient },
  "atpoint-server": { directory: "src/server", write: writeServer },
  "atpoint-spec": { directory: "spec/protocol", write: writeSpec },
  "atpoint-conformance": { directory: "conformance", write: writeSuite },
};

async function writeClient(folder: string): Promise<object> {
  // Of the operations only the types.
  const types = "(src\\/client\\/.+|generated\\/(commands|contract|validators))\\.d\\.ts";
  await copyBuilt(
    folder,
    new RegExp(`^(src\\/client\\/.+\\.js|generated\\/commands\\.js|${types})$`),
  );
  // A second build for `require`: Jest and Node.js 20 load no ES module that way. The types of
  // its folder are the same files, which its package.json makes those of CommonJS.
  const commonjs = join(folder, "commonjs");
  await copyBuilt(commonjs, new RegExp(`^${types}$`));
  const names = ["client", "client-of"];
  await build({
    entryPoints: names.map((name) => join(root, `dist/src/client/${name}.js`)),
    outdir: join(commonjs, "src/client"),
    bundle: true,
    platform: "neutral",
    format: "cjs",
  });
  await writeFile(join(commonjs, "package.json"), JSON.stringify({ type: "commonjs" }));
  const entriesOf = (name: string) => ({
    import: entryOf(`src/client/${name}`),
    require: entryOf(`commonjs/src/client/${name}`),
  });
  const client = entriesOf("client");
  return {
    description: "The typed client of Atpoint, without dependencies, for browsers and Node.js.",
    sideEffects: false,
    // For TypeScript with `moduleResolution: node10`, which reads no `exports`.
    main: client.require.default,
    types: client.require.types,
    exports: { ".": client, "./of": entriesOf("client-of") },
  };
}

async function writeServer(folder: string): Promise<object> {
  await copyBuilt(folder, /^src\/server\/.+\.(js|d\.ts)$/);
  const script = "src/server/documents/reference-ui.js";
  await copyFile(join(root, script), join(folder, script));
  const { dependencies, optionalDependencies } = await read("package.json");
  const description =
    "Serves the contract of any spec of atpoint-spec: keys, limits, idempotency, pages, " +
    "metrics, commands.";
  return {
    description,
    dependencies,
    optionalDependencies,
    exports: { ".": entryOf("src/server/index") },
  };
}

async function writeSpec(folder: string): Promise<object> {
  const spec = join(root, "spec/protocol");
  for (const file of await readdir(spec))
    if (/\.(tsp|js)$/.test(file)) await copyFile(join(spec, file), join(folder, file));
  const newOperation = join(root, "scripts/new-operation.ts");
  await build({
    entryPoints: { "emitter/emit": join(spec, "emitter/emit.ts"), "new-operation": newOperation },
    outdir: folder,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    external: ["../library.js"],
  });
  // The validators are bundled with it, when they are generated.
  await cp(join(spec, "emitter/formats.ts"), join(folder, "emitter/formats.ts"));
  const types = transpileDeclaration(await readFile(join(spec, "emitter/emit.ts"), "utf8"), {});
  await writeFile(join(folder, "emitter/emit.d.ts"), types.outputText);
  const { description, exports, peerDependencies } = await read("spec/protocol/package.json");
  const { devDependencies } = await read("package.json");
  const used = ["ajv", "esbuild", "openapi-typescript", "typescript", "yaml"];
  const dependencies = Object.fromEntries(used.map((name) => [name, devDependencies[name]]));
  exports["."] = { typespec: exports["."].typespec, ...entryOf("emitter/emit") };
  return { description, exports, dependencies, peerDependencies };
}

/** The suite is bundled, its declarations are not. */
async function writeSuite(folder: string): Promise<object> {
  const suite = join(root, "conformance");
  const env = { ...process.env, OUT: join(folder, "dist") };
  await promisify(execFile)("npm", ["run", "-s", "build"], { cwd: suite, env });
  const { files, scripts: _, ...fields } = await read("conformance/package.json");
  for (const file of files.filter((name: string) => name !== "dist"))
    await cp(join(suite, file), join(folder, file));
  return fields;
}

/**
 * Writes the packages into a folder, and returns the path of each by its name. They have the
 * version and the licence of the repository, and its address if its `package.json` has one.
 */
export async function pack(
  destination: string,
  names = Object.keys(PACKAGES),
): Promise<ReadonlyMap<string, string>> {
  const packed = names.map(async (name) => [name, await packOne(name, destination)] as const);
  return new Map(await Promise.all(packed));
}

async function packOne(name: string, destination: string): Promise<string> {
  const { [name]: part } = PACKAGES;
  if (!part) throw new Error(`${name} is none of the packages`);
  const { directory, write } = part;
  const { version, license, type, engines, repository, scarfSettings } = await read("package.json");
  const folder = await mkdtemp(join(tmpdir(), `${name}-`));
  try {
    const ownFields = await write(folder);
    await copyFile(join(root, "LICENSE"), join(folder, "LICENSE"));
    await copyFile(join(root, directory, "README.md"), join(folder, "README.md"));
    const manifest = {
      name,
      version,
      license,
      type,
      engines,
      repository: repository && { ...repository, directory },
      scarfSettings,
      ...ownFields,
    };
    await writeFile(join(folder, "package.json"), JSON.stringify(manifest, null, 2));
    const command = ["pack", "--silent", "--pack-destination", destination];
    const { stdout } = await promisify(execFile)("npm", command, { cwd: folder });
    return join(destination, stdout.trim());
  } finally {
    await rm(folder, { recursive: true });
  }
}

if (import.meta.filename === process.argv[1])
  for (const file of (await pack(resolve(process.argv[2] ?? "."))).values())
    process.stdout.write(`${file}\n`);
