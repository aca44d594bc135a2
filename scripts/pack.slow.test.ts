// Each package as it is published: what npm, its page and TypeScript make of it.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PACKAGES, pack } from "./pack.ts";

const root = resolve(import.meta.dirname, "..");
let temporary: string;
let packed: ReadonlyMap<string, string>;

/** What a program prints to both; rejects unless it ends with 0. */
async function run(program: string, ...args: string[]): Promise<string> {
  const env = { ...process.env, NO_COLOR: "1", FORCE_COLOR: "0" };
  const { stdout, stderr } = await promisify(execFile)(program, args, { cwd: root, env });
  return stdout + stderr;
}

beforeAll(async () => {
  await run("npm", "run", "-s", "build");
  temporary = await mkdtemp(join(tmpdir(), "atpoint-packed-"));
  packed = await pack(temporary);
});
afterAll(() => rm(temporary, { recursive: true }));

describe.each(Object.entries(PACKAGES))("%s", (name, { directory }) => {
  let tarball: string;
  let folder: string;
  beforeAll(async () => {
    tarball = packed.get(name) ?? "";
    await mkdir(join(temporary, name));
    await run("tar", "xzf", tarball, "-C", join(temporary, name));
    folder = join(temporary, name, "package");
  });

  it("would be published by npm", async () => {
    const printed = await run("npm", "publish", "--dry-run", "--offline", "--tag", "next", folder);
    // Without a registry, npm says what it would correct or reject, and that nobody is logged in.
    expect(printed.match(/npm (warn|error) .*/g)).toEqual([
      expect.stringContaining("requires you to be logged in"),
    ]);
    const manifest = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    expect(manifest).toMatchObject({ name, license: "MIT", engines: { node: ">=20.19" } });
    expect(manifest.description).toMatch(/\.$/);
    for (const file of ["README.md", "LICENSE"]) expect(existsSync(join(folder, file))).toBe(true);
  });

  it("passes publint, and resolves with its types", async () => {
    expect(await run("npx", "publint", "run", "--strict", tarball)).toContain("All good!");
    // Only the client is for CommonJS too. `documents` is a file of TypeSpec.
    const profile = name === "atpoint-client" ? "node16" : "esm-only";
    const options = ["--profile", profile, "--exclude-entrypoints", "documents"];
    await run("npx", "attw", tarball, ...options);
  });

  it("has a README that links to files of the repository", async () => {
    const readme = await readFile(join(root, directory, "README.md"), "utf8");
    const links = [...readme.matchAll(/\]\(([^):#]+)[)#]/g)].map(([, href = ""]) => href);
    expect(links.filter((href) => !existsSync(join(root, directory, href)))).toEqual([]);
  });
});
