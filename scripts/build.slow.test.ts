// What `npm start`, `npm run build` and `npm pack` build, by the scripts and the configuration of
// this package.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import { dirname, join, resolve } from "node:path";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { file } from "../conformance/cli/command.test-kit.ts";

const repository = resolve(import.meta.dirname, "..");
let root: string;
beforeEach(() => {
  const read = (name: string) => JSON.parse(fs.readFileSync(join(repository, name), "utf8"));
  root = dirname(file("package.json", { type: "module", scripts: read("package.json").scripts }));
  // The types of Node would take most of the time.
  const compilerOptions = { ...read("tsconfig.json").compilerOptions, types: [] };
  fs.writeFileSync(join(root, "tsconfig.json"), JSON.stringify({ compilerOptions }));
  fs.cpSync(join(repository, "tsconfig.build.json"), join(root, "tsconfig.build.json"));
  fs.symlinkSync(join(repository, "node_modules"), join(root, "node_modules"));
  fs.mkdirSync(join(root, "src"));
  source("a.ts", "export const a = 1;");
});

const source = (name: string, text: string) => fs.writeFileSync(join(root, "src", name), text);
/** The exit code. */
const run = (script: string) => spawnSync("npm", ["run", "-s", script], { cwd: root }).status;
const emitted = () => {
  const names = fs.readdirSync(join(root, "dist/src"));
  return names.filter((name) => name.endsWith(".js")).sort();
};
const built = (name = "a.js") => fs.readFileSync(join(root, "dist/src", name), "utf8");

it("builds what is not there, or has changed, and only that; a package has nothing else", () => {
  source("b.ts", "export const b = 1;");
  expect(run("prestart")).toBe(0);
  expect(emitted()).toEqual(["a.js", "b.js"]);
  const times = () =>
    ["a.js", "b.js"].map((name) => fs.statSync(join(root, "dist/src", name)).mtimeMs);
  const before = times();
  expect([run("prestart"), times()]).toEqual([0, before]);
  source("a.ts", "export const a = 2;");
  expect(run("prestart")).toBe(0);
  expect(built()).toContain("a = 2");
  expect(times()[1]).toBe(before[1]);
  fs.rmSync(join(root, "src/b.ts"));
  expect([run("prepack"), emitted()]).toEqual([0, ["a.js"]]);
});

it("leaves what was there when the sources do not compile", () => {
  source("a.ts", "export const a: string = 1;");
  expect(run("prestart")).not.toBe(0);
  expect(emitted).toThrow("ENOENT");
  source("a.ts", "export const a = 1;");
  expect(run("build")).toBe(0);
  source("a.ts", "export const a: string = 2;");
  source("b.ts", "export const b = 1;");
  for (const script of ["build", "prestart"]) expect(run(script)).not.toBe(0);
  expect([emitted(), built()]).toEqual([["a.js"], expect.stringContaining("a = 1")]);
  source("a.ts", "export const a: number = 2;");
  expect(run("prestart")).toBe(0);
  expect([emitted(), built()]).toEqual([["a.js", "b.js"], expect.stringContaining("a = 2")]);
});

it("is whole again before the next start when it was killed while it wrote", async () => {
  const names = Array.from({ length: 300 }, (_, index) => `n${index}`);
  const write = (value: number) => {
    for (const name of names) source(`${name}.ts`, `export const n = ${value};`);
  };
  write(1);
  expect(run("build")).toBe(0);
  write(2);
  const tsc = [join(repository, "node_modules/typescript/bin/tsc"), "-b", "tsconfig.build.json"];
  const child = spawn(process.execPath, tsc, { cwd: root, stdio: "ignore" });
  const ended = once(child, "exit");
  await new Promise((resolve) => {
    const watcher = fs.watch(
      join(root, "dist/src"),
      (_, name) => name === "n150.js" && resolve(name),
    );
    onTestFinished(() => watcher.close());
  });
  child.kill("SIGKILL");
  await ended;
  expect(run("prestart")).toBe(0);
  for (const name of names) expect(built(`${name}.js`), name).toContain("n = 2");
});

it("does not need development dependencies to start what was built", () => {
  fs.rmSync(join(root, "node_modules"));
  expect(run("prestart")).toBe(0);
});
