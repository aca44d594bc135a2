// The package as users get it: packed, installed on its own, and run.
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deploy, KEY } from "../test/deployment.test-kit.ts";
import { launchProgram } from "../test/process.test-kit.ts";

const root = path.resolve(import.meta.dirname, "../..");
const npm = async (cwd: string, ...words: string[]) => (await promisify(execFile)("npm", words, { cwd })).stdout;

/** As in the guide: two of the suite's checks and two checks of a user. */
const LIBRARY = `
import test from "node:test";
import { check, checks, expectStatus, judge } from "atpoint-conformance";
const one = judge({ url: process.env.BASE, credentials: { full: { key: process.env.API_KEY, platform: "web" } } });
const own = (id, sentence, run) =>
  check({ id, sentence, level: "MUST", origin: "decided", clause: "D13", operation: "sysinfo" }, {}, run);
const wanted = ["sysinfo/status", "http/stalled-client"];
const chosen = wanted.map((id) => checks.find((check) => check.id === id));
const quick = own("acme/quick", "It is quick.", async (api) => expectStatus(await api.call("sysinfo"), 200));
const teapot = own("acme/teapot", "It is a teapot.", async (api) => expectStatus(await api.call("sysinfo"), 418));
for (const each of [...chosen, quick, teapot])
  test(each.id, async (t) => {
    const { outcome, reason } = await one(each);
    if (outcome === "not selected") t.skip(reason);
  });
`;

/** The same in TypeScript, and code that must not compile. */
const TYPED = `
import { type Check, check, checks, expectStatus, type Judged, judge, NotKept, type Opening } from "atpoint-conformance";
const opening: Opening = { url: "http://127.0.0.1:1", credentials: { full: { key: "k", platform: "web" } } };
const one = judge(opening);
const requirement = { id: "acme/quick", sentence: "S.", level: "MUST", origin: "decided", clause: "D13", operation: "sysinfo" } as const;
const own: Check = check(requirement, {}, async (api) => expectStatus(await api.call("sysinfo", { accept: "*/*" }), 200));
export const outcomes = [...checks, own].map(async (each): Promise<Judged["outcome"] | string> =>
  one(each).then(({ outcome }) => outcome).catch((error: unknown) => (error instanceof NotKept ? error.result.check : "")));
// @ts-expect-error
judge({ url: 1 });
// @ts-expect-error
check(requirement, {}, async (api) => api.calls("sysinfo"));
`;

describe("the package", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "conformance-package-"));
  let packed: { filename: string; files: { path: string }[] };
  beforeAll(async () => {
    // `prepack` builds it, and prints to standard output as well.
    const printed = await npm(root, "pack", "--json", "-w", "conformance", "--pack-destination", folder);
    [packed] = JSON.parse(printed.slice(printed.indexOf("[")));
    writeFileSync(path.join(folder, "package.json"), "{}");
    const quiet = ["--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts"];
    await npm(folder, "install", ...quiet, path.join(folder, packed.filename));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const run = (program: string, words: readonly string[], env: NodeJS.ProcessEnv = {}) =>
    launchProgram(program, words, { cwd: folder, env }).ended;

  it("holds the program, the form of its report, and what to read, nothing else", () => {
    const [types, others] = [true, false].map((wanted) =>
      packed.files.map((file) => file.path).filter((file) => file.startsWith("dist/types/") === wanted),
    );
    expect(others?.sort()).toEqual([
      ...["LICENSE", "README.md", "dist/bin.js", "dist/contract.json", "dist/covering.json", "dist/index.js"],
      // The checks of the published contract compare it with these files.
      ...["dist/openapi.json", "dist/openapi.operations.json"],
      ...["package.json", "report/report.schema.json"],
    ]);
    expect(types?.filter((file) => !file.endsWith(".d.ts") || /\.test/.test(file))).toEqual([]);
    expect(readFileSync(path.join(import.meta.dirname, "../LICENSE"), "utf8")).toBe(
      readFileSync(path.join(root, "LICENSE"), "utf8"),
    );
  });

  it("judges a deployment", async () => {
    const url = await deploy();
    const words = ["--url", url, "--only", "sysinfo/status", "--only", "sysinfo/version"];
    const { code, stdout } = await run("npx", ["--no-install", "atpoint-conformance", ...words], { API_KEY: KEY });
    expect([code, stdout]).toEqual([0, expect.stringContaining("conformant (partial): 4 passed")]);
  });

  it("is a library: a test for each check and for one's own, in anybody's runner", async () => {
    const url = await deploy();
    writeFileSync(path.join(folder, "conformance.test.mjs"), LIBRARY);
    const words = ["--test", "--test-reporter=tap", "conformance.test.mjs"];
    const { code, stdout } = await run("node", words, { API_KEY: KEY, BASE: url });
    expect(stdout).toMatch(/^ok 1 - sysinfo\/status$/m);
    expect(stdout).toMatch(/^ok 2 - http\/stalled-client # SKIP waits for a time-out/m);
    expect(stdout).toMatch(/^ok 3 - acme\/quick$/m);
    expect(stdout).toMatch(/^not ok 4 - acme\/teapot$/m);
    expect(stdout).toContain("It is a teapot.");
    expect(stdout).toContain("expected status 418");
    expect([code, stdout.includes(KEY)]).toEqual([1, false]);
  });

  it("has types that a strict compiler takes", async () => {
    writeFileSync(path.join(folder, "typed.mts"), TYPED);
    const options = ["--strict", "--noEmit", "--module", "nodenext", "--target", "es2023"];
    const node = ["--typeRoots", path.join(root, "node_modules/@types"), "--types", "node"];
    const tsc = path.join(root, "node_modules/typescript/bin/tsc");
    const { code, stdout } = await run("node", [tsc, ...options, ...node, "typed.mts"]);
    expect([code, stdout]).toEqual([0, ""]);
  });
});
