// A service that `new-service` writes generates, compiles, and is conformant, also for requests that no check has.
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { newService } from "./new-service.ts";

const root = resolve(import.meta.dirname, "..");
const run = promisify(execFile);
let folder: string;
const npm = async (...words: string[]) => {
  const env = { ...process.env, NO_COLOR: "1" };
  const { stdout, stderr } = await run("npm", words, { cwd: folder, env }).catch((failed) => failed);
  return `${stdout}${stderr}`;
};

/** Installs as npm does, without compiling SQLite's driver again: the tarballs, and links to what is installed here. */
async function install(): Promise<void> {
  const modules = join(folder, "node_modules");
  await mkdir(join(modules, ".bin"), { recursive: true });
  for (const name of await readdir(join(root, "node_modules")))
    if (!name.startsWith(".") && !name.startsWith("atpoint"))
      await symlink(join(root, "node_modules", name), join(modules, name));
  for (const name of await readdir(join(root, "node_modules/.bin")))
    if (!name.startsWith("atpoint")) await symlink(join(root, "node_modules/.bin", name), join(modules, ".bin", name));
  for (const file of await readdir(join(folder, "packages"))) {
    const own = join(modules, file.replace(/-\d.*$/, ""));
    await mkdir(own);
    await run("tar", ["xzf", join(folder, "packages", file), "-C", own, "--strip-components=1"]);
  }
  await symlink("../atpoint-conformance/dist/bin.js", join(modules, ".bin/atpoint-conformance"));
  await run("chmod", ["+x", join(modules, "atpoint-conformance/dist/bin.js")]);
}

beforeAll(async () => {
  await run("npm", ["run", "-s", "build"], { cwd: root });
  folder = await mkdtemp(join(tmpdir(), "atpoint-own-"));
  expect(await newService([folder, "--name", "my-library", "--resource", "book"], () => {})).toBe(0);
  await install();
});
afterAll(() => rm(folder, { recursive: true }));

it("names nothing of the template", async () => {
  const files = (await readdir(folder)).filter((name) => /\.(ts|tsp|json)$/.test(name));
  expect(files).toContain("books.ts");
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), "utf8")));
  expect(texts.join("\n")).not.toMatch(/\bnotes?\b|my-service|MyService/i);
});

it("generates, compiles, and is conformant, explored too", async () => {
  expect(await npm("run", "generate")).toContain("Compilation completed successfully");
  const output = await npm("test", "--", "--explore", "300", "--seed", "1");
  expect(output).toMatch(/conformant/);
  expect(output).not.toMatch(/not conformant|FAILED|npm error/);
});

it("has new-operation, for a known resource and a new one: what it writes generates, compiles, and names what is missing", async () => {
  const begin = (...words: string[]) => npm("run", "-s", "new-operation", "--", ...words);
  expect(await begin("book.list")).toBe("book.list exists: main.tsp\n");
  for (const words of [["book.find", "GET"], ["shelf.create", "POST"], ["shelf.get.<id>"]])
    expect(await begin(...words)).toContain("wrote main.tsp\nwrote handlers.ts\nNext:");
  expect(await npm("run", "generate")).toContain("Compilation completed successfully");
  expect(await npm("run", "-s", "check")).toBe("");
  const file = join(folder, "handlers.ts");
  const text = await readFile(file, "utf8");
  await writeFile(file, text.replace(/ {2}"shelf\.get": [\s\S]*?\n {2}\},\n/, ""));
  const output = await npm("run", "-s", "check");
  expect(output).toMatch(/^handlers\.ts\(\d+,\d+\): error TS\d+: Property '"shelf\.get"' is missing/);
  expect(output).not.toMatch(/^ +at /m);
});

it("rejects a name that is none, and a folder that is used, and writes nothing", async () => {
  const lines: string[] = [];
  const print = (line: string) => void lines.push(line);
  expect(await newService([join(folder, "new"), "--resource", "Book list"], print)).toBe(2);
  expect(await newService([folder, "--name", "other"], print)).toBe(2);
  expect(lines).toEqual([expect.stringMatching(/^usage: /), `${folder} is not empty: name another folder.`]);
});
