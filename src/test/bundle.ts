import { hash } from "node:crypto";
import { mkdirSync, realpathSync, renameSync } from "node:fs";
import { join, resolve } from "node:path";
import { buildSync, type StdinOptions } from "esbuild";

const root = resolve(import.meta.dirname, "../..");
const dependencies = join(root, "node_modules");
/**
 * Where dependencies are those of another repository, a program there would find the files of that
 * one.
 */
const isOwn = () => realpathSync(dependencies) === dependencies;
const bundles = new Set<string>();

/**
 * A program of a repository in one file: from its sources, each start takes a second of a core.
 * `entry`: a path, or a text.
 */
export function bundled(name: string, entry: string | StdinOptions, home = root): string {
  // The folder of dependencies may be shared with a copy of the repository: each has its own name
  // there.
  const mark = hash("sha256", root).slice(0, 12);
  const isCached = home === root && isOwn();
  const bundle = join(home, isCached ? "node_modules/.cache" : "", `${name}.${mark}.mjs`);
  // The sources of a copy change: that is its purpose.
  if (home === root && bundles.has(bundle)) return bundle;
  // Next to its dependencies; those of a copy are the repository's own.
  if (isCached) mkdirSync(join(root, "node_modules/.cache"), { recursive: true });
  const outfile = bundle.replace(/mjs$/, `${process.pid}.mjs`);
  const from =
    typeof entry === "string"
      ? { entryPoints: [join(home, entry)] }
      : { stdin: { resolveDir: home, ...entry } };
  const program = { bundle: true, platform: "node", format: "esm", packages: "external" } as const;
  buildSync({ ...from, ...program, outfile, logLevel: "error" });
  // Others may be starting it.
  renameSync(outfile, bundle);
  bundles.add(bundle);
  return bundle;
}
