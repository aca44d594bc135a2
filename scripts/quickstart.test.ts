// The quickstart as somebody reads it: each of its programs, copied from the page of a running service, creates a user.
import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type RunningService, startService } from "../conformance/test/service.test-kit.ts";

const root = resolve(import.meta.dirname, "..");
let folder: string;
let service: RunningService;
let blocks: ReadonlyMap<string, readonly string[]>;

beforeAll(async () => {
  service = await startService();
  // Below the root, where the packages are found.
  folder = await mkdtemp(join(root, "node_modules/.quickstart-"));
  const page = await fetch(`${service.url}/api/?@=docs.get.quickstart`, { headers: { Accept: "text/markdown" } });
  const sections = (await page.text()).split(/^## /m).slice(1);
  blocks = new Map(
    sections.map((section) => [
      section.split("\n", 1).join(),
      [...section.matchAll(/^```\w+\n([\s\S]*?)^```/gm)].map(([, code = ""]) => code),
    ]),
  );
});
afterAll(async () => {
  await service?.stop();
  await rm(folder, { recursive: true });
});

const block = (section: string, index = 0): string => blocks.get(section)?.[index] ?? `no block ${index} in ${section}`;

async function run(command: string, ...words: readonly string[]): Promise<string> {
  const env = { ...process.env, BASE: service.url, API_KEY: service.credentials.full.key };
  return (await promisify(execFile)(command, words, { cwd: folder, env })).stdout;
}

it("names the address of the deployment", () => {
  expect(block("A key")).toContain("export BASE=http");
  expect(block("A key")).not.toContain(".invalid");
});

it("creates a user by curl, once", async () => {
  expect(await run("sh", "-c", `curl() { command curl -s "$@"; }\n${block("curl")}`)).toContain("ada.curl@example.com");
  expect(await run("sh", "-c", `curl() { command curl -s "$@"; }\n${block("curl")}`)).toContain('"email-taken"');
});

it("creates a user in TypeScript", { timeout: 60_000 }, async () => {
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  await run("sh", "-c", block("TypeScript").replace(/^npm install.*$/m, ""));
  await writeFile(join(folder, "call.ts"), block("TypeScript", 1));
  const settings = ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext", "--allowImportingTsExtensions"];
  await run("npx", "tsc", ...settings, "--target", "es2023", "--lib", "es2023,dom", "--types", "node", "call.ts");
  expect(await run("npx", "tsx", "call.ts")).toContain("ada.typescript@example.com");
});

/** A program in a language that this machine may not have. */
function itWith(command: string, name: string, test: () => Promise<void>): void {
  const there = spawnSync(command, ["version"]).error === undefined;
  if (!there) console.warn(`${name} is LEFT OUT: there is no ${command} here`);
  if (there) it(name, { timeout: 120_000 }, test);
  else it.todo(name);
}

itWith("python3", "creates a user in Python", async () => {
  expect(await run("python3", "-c", block("Python"))).toContain("ada.python@example.com");
});

itWith("go", "creates a user in Go", async () => {
  await writeFile(join(folder, "main.go"), block("Go"));
  expect(await run("go", "run", "main.go")).toContain("ada.go@example.com");
});

it("lists them", async () => {
  const listed = JSON.parse(await run("sh", "-c", `curl() { command curl -s "$@"; }\n${block("And then")}`));
  expect(listed.items.map(({ email }: { email: string }) => email)).toContain("ada.curl@example.com");
});
