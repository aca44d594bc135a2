import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";

/** Modules that a quick test and its imports must not import: they start processes or browsers, compile, or run the whole suite. */
const COSTLY =
  /^(?:node:child_process|playwright-core|esbuild|conformance\/.+\/whole-suite\.test-kit\.ts)$/;

/** The quick test files below these folders, as paths from `root`: determined by their imports, so there is no list to maintain. */
export function quickTests(root: string, folders: readonly string[]): string[] {
  const costly = new Map<string, boolean>();
  const isCostly = (file: string): boolean => {
    const known = costly.get(file);
    if (known !== undefined) return known;
    // Modules that import each other do not make each other costly.
    costly.set(file, false);
    costly.set(
      file,
      importsOf(root, file).some((one) => COSTLY.test(one) || (one.includes("/") && isCostly(one))),
    );
    return isCostly(file);
  };
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map(
      (file) => `${folder}/${file}`,
    ),
  );
  return files.filter(
    (file) => /^(?!.*\/(node_modules|dist)\/).*\.test\.ts$/.test(file) && !isCostly(file),
  );
}

const IMPORT = /^(?:import|export)\s(?!type\s)[^;]*?"([^"\n]+)";|\bimport\(\s*"([^"\n]+)"/gm;

/** Packages by name, files of the repository by path from its root. Types are not imported when a test runs. */
function importsOf(root: string, file: string): string[] {
  const path = join(root, file);
  // A missing module, as in a copy without `generated/`, is handled by the test that imports it.
  const text = existsSync(path) && /\.[jt]s$/.test(file) ? readFileSync(path, "utf8") : "";
  return [...text.matchAll(IMPORT)].map(([, fixed, lazy]) => {
    const name = fixed ?? lazy ?? "";
    return name.startsWith(".") ? posix.join(posix.dirname(file), name) : name;
  });
}
