import { execFile } from "node:child_process";
import { cp, mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { generate, write } from "./generate.ts";
import { newOperation } from "./new-operation.ts";

const root = resolve(import.meta.dirname, "..");
let copy: string;
const said: string[] = [];
const make = (...words: readonly string[]) => newOperation(words, copy, (line) => void said.push(line));
const run = (name: string, ...words: string[]) =>
  promisify(execFile)(join(root, "node_modules/.bin", name), words, { cwd: copy }).catch((error: object) => error);

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), "atpoint-new-"));
  const filter = (file: string) => !/\.test\.ts$/.test(file);
  for (const part of ["spec", "src", "conformance", "tsconfig.json", "biome.json"])
    await cp(join(root, part), join(copy, part), { recursive: true, filter });
  await cp(join(root, "package.json"), join(copy, "package.json"));
  await symlink(join(root, "node_modules"), join(copy, "node_modules"));
  await promisify(execFile)("git", ["init", "-q"], { cwd: copy });
  await cp(join(root, ".gitignore"), join(copy, ".gitignore"));
});
afterAll(() => rm(copy, { recursive: true }));

describe("new-operation", () => {
  it.each([
    ["user.list", "user.list exists: src/operations/user-list.ts"],
    ["user.list.<id>", "user.list exists: src/operations/user-list.ts"],
    ["user.rename.<id> POST", "user.rename.<id>: a command has its input in data, and no parts in its name"],
    ...["", "user", "User.get", "user.get.id", "user.get PUT", "user.get GET x", "../x.y"].map((words) => [
      words,
      "usage: ",
    ]),
  ])("refuses %j with one line, and writes nothing", async (words = "", line = "") => {
    const before = await readdir(join(copy, "src/operations"));
    said.length = 0;
    expect(await make(...words.split(" "))).toBe(2);
    expect(said).toEqual([expect.stringContaining(line)]);
    expect(said[0]).not.toContain("\n");
    expect(await readdir(join(copy, "src/operations"))).toEqual(before);
  });

  it("writes stubs that generate, compile and have their style, and does so once", { timeout: 300_000 }, async () => {
    said.length = 0;
    for (const words of [["user.get.<id>"], ["user.rename", "POST"], ["thing.find"]])
      expect(await make(...words)).toBe(0);
    expect(said).toContain("wrote spec/operations/thing.tsp");
    expect(said.at(-1)).toContain("conformance/mutants/rows/thing-find.ts");
    await write(await generate(join(copy, "spec/main.tsp")), join(copy, "generated"));
    expect(await run("tsc", "--noEmit")).toMatchObject({ stdout: "" });
    expect(await run("biome", "check", "src", "conformance/checks", "conformance/mutants")).not.toHaveProperty("code");
    expect(await run("tsp", "format", "--check", "spec/**/*.tsp")).not.toHaveProperty("code");
    expect(await make("user.get.<id>")).toBe(2);
    expect(said.at(-1)).toBe("user.get exists: src/operations/user-get.ts");
  });
});
