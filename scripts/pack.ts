// `npm run -s pack`: npm runs `prepack` before it, which writes a fresh `dist/`.
import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";

interface Package {
  readonly description: string;
  /** The module that an import of the package names, without its extension. */
  readonly module: string;
  /** The paths of its modules and declarations in `dist/`. */
  readonly files: RegExp;
}

/** The packages that are parts of this repository, by name. They have its version and its licence. */
const packages: Readonly<Record<string, Package>> = {
  "atpoint-client": {
    description: "The typed client of Atpoint, without dependencies, for browsers and Node.js.",
    module: "src/client/client",
    // Of the operations only the types.
    files:
      /^(src\/client\/.+\.js|generated\/commands\.js|(src\/client\/.+|generated\/(commands|contract|validators))\.d\.ts)$/,
  },
};

const root = resolve(import.meta.dirname, "..");
const destination = resolve(process.argv[2] ?? ".");

/** Writes the files of a package to a folder of its own, without the references to source maps: the sources are not in it. */
async function stage(folder: string, name: string, { description, module, files }: Package): Promise<void> {
  for (const file of await readdir(join(root, "dist"), { recursive: true })) {
    if (!files.test(file)) continue;
    const text = await readFile(join(root, "dist", file), "utf8");
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), text.replace(/^\/\/# sourceMappingURL=.*/m, ""));
  }
  await copyFile(join(root, "LICENSE"), join(folder, "LICENSE"));
  const { version, license, type, engines } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  const exports = { ".": { types: `./${module}.d.ts`, default: `./${module}.js` } };
  const manifest = { name, version, description, license, type, engines, sideEffects: false, exports };
  await writeFile(join(folder, "package.json"), JSON.stringify(manifest, null, 2));
}

for (const [name, one] of Object.entries(packages)) {
  const folder = await mkdtemp(join(tmpdir(), `${name}-`));
  try {
    await stage(folder, name, one);
    const words = ["pack", "--silent", "--pack-destination", destination];
    const { stdout } = await promisify(execFile)("npm", words, { cwd: folder });
    process.stdout.write(`${join(destination, stdout.trim())}\n`);
  } finally {
    await rm(folder, { recursive: true });
  }
}
