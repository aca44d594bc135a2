import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, watch } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, it, onTestFinished } from "vitest";
import { build } from "./build.ts";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "atpoint-build-"));
  await mkdir(join(root, "src"));
  await writeFile(join(root, "package.json"), '{"type":"module"}');
  const compilerOptions = {
    outDir: "dist",
    rootDir: ".",
    types: [],
    lib: ["ES5"],
    skipLibCheck: true,
    noEmitOnError: true,
  };
  await writeFile(join(root, "tsconfig.build.json"), JSON.stringify({ compilerOptions, include: ["src"] }));
  await source("a.ts", "export const a = 1;");
});
afterEach(() => rm(root, { recursive: true }));

const source = (name: string, text: string) => writeFile(join(root, "src", name), text);
const run = async (ifChanged = true) => {
  const said: string[] = [];
  const code = await build({ root, ifChanged, say: (line) => said.push(line) });
  return { code, said: said.join() };
};
const folders = async () => (await readdir(root)).filter((name) => name.startsWith("dist"));
const emitted = async () => (await readdir(join(root, "dist/src"))).sort();

/** The same in a separate process; ended only when its compiler has ended, which outlives a killed parent. */
function launch() {
  const module = pathToFileURL(resolve(import.meta.dirname, "build.ts"));
  const text = `import { build } from "${module}"; process.exitCode = await build({ root: process.argv[1], ifChanged: true, say() {} });`;
  const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", text, root], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  child.stderr.resume();
  onTestFinished(() => void child.kill("SIGKILL"));
  return { child, ended: once(child, "close") };
}

it("builds what is not there, or has changed, and only that", async () => {
  await source("b.ts", "");
  expect(await run()).toEqual({ code: 0, said: "Building dist/: there is none yet …" });
  expect(await emitted()).toEqual(["a.js", "b.js"]);
  const { ino } = await stat(join(root, "dist"));
  expect(await run()).toEqual({ code: 0, said: "" });
  expect((await stat(join(root, "dist"))).ino).toBe(ino);
  await rm(join(root, "src/b.ts"));
  expect(await run()).toEqual({ code: 0, said: "Building dist/: the sources have changed …" });
  expect(await emitted()).toEqual(["a.js"]);
  await writeFile(join(root, "dist/src/stray.js"), "");
  expect(await run(false)).toEqual({ code: 0, said: "Building dist/: anew …" });
  expect(await emitted()).toEqual(["a.js"]);
  expect(await folders()).toEqual(["dist"]);
});

it("leaves what was there when the sources do not compile", async () => {
  expect((await run()).code).toBe(0);
  await source("a.ts", "export const a: string = 1;");
  const { code, said } = await run();
  expect(code).not.toBe(0);
  expect(said).toContain("dist/ is as it was");
  expect(await readFile(join(root, "dist/src/a.js"), "utf8")).toContain("a = 1");
  expect(await folders()).toEqual(["dist"]);
});

it("leaves nothing when the first sources do not compile", async () => {
  await source("a.ts", "export const a: string = 1;");
  const { code, said } = await run();
  expect(code).not.toBe(0);
  expect(said).toMatch(/Not built\.$/);
  expect(await folders()).toEqual([]);
});

it("leaves what was there when it is killed, and nothing else once it has been run again", async () => {
  expect((await run()).code).toBe(0);
  await source("b.ts", "");
  const { child, ended } = launch();
  const begun = new Promise((resolve) => {
    // The new folder appears only when the compiler writes.
    const watcher = watch(root, (_, name) => name?.endsWith("-new") && resolve(name));
    onTestFinished(() => watcher.close());
  });
  await Promise.race([begun, ended]);
  child.kill("SIGKILL");
  await ended;
  expect(existsSync(join(root, "dist/src/a.js"))).toBe(true);
  expect((await run()).code).toBe(0);
  expect(await emitted()).toEqual(["a.js", "b.js"]);
  expect(await folders()).toEqual(["dist"]);
});

it("leaves one whole build where several run at once", async () => {
  const all = await Promise.all(Array.from({ length: 4 }, () => launch().ended));
  expect(all.map(([code]) => code)).toEqual([0, 0, 0, 0]);
  expect(await emitted()).toEqual(["a.js"]);
  expect(await folders()).toEqual(["dist"]);
  expect((await run()).said).toBe("");
});
