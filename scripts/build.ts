import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

interface BuildOptions {
  readonly root: string;
  /** Keeps a `dist/` that was built from the same sources. */
  readonly ifChanged: boolean;
  /** Prints progress, a line each. */
  readonly say: (line: string) => void;
}

/** The inputs of a build. */
const SOURCES = ["src", "generated", "tsconfig.json", "tsconfig.build.json", "package.json", "package-lock.json"];
/** Holds the fingerprint of the sources in `dist/`. */
const STAMP = ".built-from";
const TSC = createRequire(import.meta.url).resolve("typescript/bin/tsc");

/**
 * Builds a new `dist/` in a temporary folder and swaps it in when it is complete: an interrupted or failed build keeps the old
 * one. Two at once do not disturb each other. Returns the exit code.
 */
export async function build({ root, ifChanged, say }: BuildOptions): Promise<number> {
  const dist = join(root, "dist");
  const sources = fingerprint(root);
  const built = () => existsSync(join(dist, STAMP)) && readFileSync(join(dist, STAMP), "utf8") === sources;
  if (ifChanged && built()) return 0;
  say(`Building dist/: ${!existsSync(dist) ? "there is none yet" : ifChanged ? "the sources have changed" : "anew"} …`);
  removeLeftovers(root);
  const fresh = `${dist}-${process.pid}-new`;
  rmSync(fresh, { recursive: true, force: true });
  const words = [TSC, "-p", "tsconfig.build.json", "--outDir", fresh];
  // Standard output belongs to the program started next.
  const [code] = await once(spawn(process.execPath, words, { cwd: root, stdio: ["ignore", 2, 2] }), "exit");
  if (code === 0) {
    writeFileSync(join(fresh, STAMP), sources);
    // Another build may have been faster, and its result may be running.
    if (!(ifChanged && built())) swap(fresh, dist);
  } else say(`Not built${existsSync(dist) ? ": dist/ is as it was" : ""}.`);
  rmSync(fresh, { recursive: true, force: true });
  return code ?? 1;
}

/** A folder can only be renamed to a free name: the old one is moved first. */
function swap(fresh: string, dist: string): void {
  const old = `${dist}-${process.pid}-old`;
  const renamed = (from: string, to: string) => {
    try {
      renameSync(from, to);
      return true;
    } catch (error) {
      // Another build has moved the one, or has created the other.
      if (["ENOENT", "ENOTEMPTY", "EEXIST"].includes((error as NodeJS.ErrnoException).code ?? "")) return false;
      throw error;
    }
  };
  do {
    renamed(dist, old);
    rmSync(old, { recursive: true, force: true });
  } while (!renamed(fresh, dist));
}

/** Folders of builds that were interrupted. */
function removeLeftovers(root: string): void {
  for (const name of readdirSync(root)) {
    const [, pid] = /^dist-(\d+)-(new|old)$/.exec(name) ?? [];
    if (pid && !isRunning(Number(pid))) rmSync(join(root, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Names and contents: times change with every checkout. */
function fingerprint(root: string): string {
  const hash = createHash("sha256");
  for (const source of SOURCES.map((name) => join(root, name)).filter(existsSync)) {
    const files = statSync(source).isDirectory() ? readdirSync(source, { recursive: true, withFileTypes: true }) : null;
    const paths = files?.flatMap((file) => (file.isFile() ? [join(file.parentPath, file.name)] : [])) ?? [source];
    for (const path of paths.sort())
      hash
        .update(`${path.slice(root.length)}\0`)
        .update(readFileSync(path))
        .update("\0");
  }
  return hash.digest("hex");
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  process.exitCode = await build({
    root: resolve(import.meta.dirname, ".."),
    ifChanged: process.argv.includes("--if-changed"),
    say: (line) => process.stderr.write(`${line}\n`),
  });
}
