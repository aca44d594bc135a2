// Each package as it is published: what npm, its page and TypeScript make of it, and its public
// API.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apisOf, unexplained, unpack } from "./api.ts";
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
    folder = await unpack(tarball, join(temporary, name));
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

  it("has the public API of its last release, or the changelog names what differs", async () => {
    const changelog = await readFile(join(root, "CHANGELOG.md"), "utf8");
    const [current, released] = await apisOf(name, folder);
    expect(current.size).toBeGreaterThan(10);
    expect(unexplained(current, released, changelog)).toEqual([]);
  });
});

it("finds each declaration that differs, unless the changelog names it or its user", () => {
  const released = new Map([
    ["open", "declare function open(options: Options): void;"],
    ["close", "declare function close(): void;"],
    ["Options of options.d.ts", "interface Options { path: string; }"],
  ]);
  const current = new Map([
    ["open", "declare function open(options: Options): void;"],
    ["shut", "declare function shut(): void;"],
    ["Options of options.d.ts", "interface Options { path: string; mode: number; }"],
  ]);
  const differing = (...lines: string[]) =>
    unexplained(
      current,
      released,
      `# Changelog\n## [Unreleased]\n${lines.join("\n")}\n## 1.0\n- \`shut\``,
    );
  expect(differing("- open and close")).toEqual(["shut", "Options of options.d.ts", "close"]);
  expect(differing("- `shut` replaces `close()`")).toEqual(["Options of options.d.ts"]);
  expect(differing("- `shut` replaces `close`, `open` takes a `mode`")).toEqual([]);
  expect(unexplained(released, released, "## [Unreleased]\n")).toEqual([]);
});
