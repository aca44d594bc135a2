import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

interface BuildOptions {
  readonly root: string;
  /** Leaves a `dist/` alone that was built from the same sources. */
  readonly ifChanged: boolean;
  /** Says what is going on, a line each. */
  readonly say: (line: string) => void;
}

/** What a build is made of. */
const SOURCES = ["src", "generated", "tsconfig.json", "tsconfig.build.json", "package.json", "package-lock.json"];
/** Holds in `dist/` what that was built from. */
const STAMP = ".built-from";
const TSC = createRequire(import.meta.url).resolve("typescript/bin/tsc");

/**
 * Builds `dist/` anew, beside it, and puts it in its place when it is whole: an interrupted or failed build leaves what was
 * there. Two at once do not disturb each other. Returns the exit code.
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
  // Standard output belongs to what is started next.
  const [code] = await once(spawn(process.execPath, words, { cwd: root, stdio: ["ignore", 2, 2] }), "exit");
  if (code === 0) {
    writeFileSync(join(fresh, STAMP), sources);
    // Another build may have been faster, and what it built may be running.
    if (!(ifChanged && built())) swap(fresh, dist);
  } else say(`Not built${existsSync(dist) ? ": dist/ is as it was" : ""}.`);
  rmSync(fresh, { recursive: true, force: true });
  return code ?? 1;
}

/** A folder can only be renamed to where none is: the old one steps aside first. */
function swap(fresh: string, dist: string): void {
  const old = `${dist}-${process.pid}-old`;
  const renamed = (from: string, to: string) => {
    try {
      renameSync(from, to);
      return true;
    } catch (error) {
      // Another build has taken the one away, or has put the other there.
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

/* v8 ignore next 7 -- @preserve: the shell's way in; tests call `build`. */
if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  process.exitCode = await build({
    root: resolve(import.meta.dirname, ".."),
    ifChanged: process.argv.includes("--if-changed"),
    say: (line) => process.stderr.write(`${line}\n`),
  });
}
