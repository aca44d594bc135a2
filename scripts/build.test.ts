// What `npm start`, `npm run build` and `npm pack` build, by the scripts and the configuration of this package.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { watch } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, it, onTestFinished } from "vitest";

const repository = resolve(import.meta.dirname, "..");
let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "atpoint-build-"));
  await mkdir(join(root, "src"));
  const read = async (file: string) => JSON.parse(await readFile(join(repository, file), "utf8"));
  const write = (file: string, content: object) => writeFile(join(root, file), JSON.stringify(content));
  await write("package.json", { type: "module", scripts: (await read("package.json")).scripts });
  // The types of Node would take most of the time.
  await write("tsconfig.json", { compilerOptions: { ...(await read("tsconfig.json")).compilerOptions, types: [] } });
  await cp(join(repository, "tsconfig.build.json"), join(root, "tsconfig.build.json"));
  await symlink(join(repository, "node_modules"), join(root, "node_modules"));
  await source("a.ts", "export const a = 1;");
});
afterEach(() => rm(root, { recursive: true }));

const source = (name: string, text: string) => writeFile(join(root, "src", name), text);
/** The exit code. */
const run = (script: string): Promise<number> =>
  promisify(execFile)("npm", ["run", "-s", script], { cwd: root }).then(
    () => 0,
    ({ code }) => code,
  );
const emitted = async () => (await readdir(join(root, "dist/src"))).filter((name) => name.endsWith(".js")).sort();
const built = (name = "a.js") => readFile(join(root, "dist/src", name), "utf8");

it("builds what is not there, or has changed, and only that; a package has nothing else", async () => {
  await source("b.ts", "export const b = 1;");
  expect(await run("prestart")).toBe(0);
  expect(await emitted()).toEqual(["a.js", "b.js"]);
  const times = async () =>
    Promise.all(["a.js", "b.js"].map(async (n) => (await stat(join(root, "dist/src", n))).mtimeMs));
  const before = await times();
  expect([await run("prestart"), await times()]).toEqual([0, before]);
  await source("a.ts", "export const a = 2;");
  expect(await run("prestart")).toBe(0);
  expect(await built()).toContain("a = 2");
  expect((await times())[1]).toBe(before[1]);
  await rm(join(root, "src/b.ts"));
  expect([await run("prepack"), await emitted()]).toEqual([0, ["a.js"]]);
});

it("leaves what was there, if anything, when the sources do not compile, as often as it is run", async () => {
  await source("a.ts", "export const a: string = 1;");
  expect(await run("prestart")).not.toBe(0);
  await expect(emitted()).rejects.toThrow("ENOENT");
  await source("a.ts", "export const a = 1;");
  expect(await run("build")).toBe(0);
  await source("a.ts", "export const a: string = 2;");
  await source("b.ts", "export const b = 1;");
  for (const script of ["build", "prestart"]) expect(await run(script)).not.toBe(0);
  expect([await emitted(), await built()]).toEqual([["a.js"], expect.stringContaining("a = 1")]);
  await source("a.ts", "export const a: number = 2;");
  expect(await run("prestart")).toBe(0);
  expect([await emitted(), await built()]).toEqual([["a.js", "b.js"], expect.stringContaining("a = 2")]);
});

it("is whole again before the next start when it was killed while it wrote", async () => {
  const names = Array.from({ length: 300 }, (_, index) => `n${index}`);
  const write = (value: number) => Promise.all(names.map((name) => source(`${name}.ts`, `export const n = ${value};`)));
  await write(1);
  expect(await run("build")).toBe(0);
  await write(2);
  const tsc = [join(repository, "node_modules/typescript/bin/tsc"), "-b", "tsconfig.build.json"];
  const child = spawn(process.execPath, tsc, { cwd: root, stdio: "ignore" });
  const ended = once(child, "exit");
  await new Promise((resolve) => {
    const watcher = watch(join(root, "dist/src"), (_, name) => name === "n150.js" && resolve(name));
    onTestFinished(() => watcher.close());
  });
  child.kill("SIGKILL");
  await ended;
  expect(await run("prestart")).toBe(0);
  for (const name of names) expect(await built(`${name}.js`), name).toContain("n = 2");
});

it("does not need development dependencies to start what was built", async () => {
  await rm(join(root, "node_modules"));
  expect(await run("prestart")).toBe(0);
});
