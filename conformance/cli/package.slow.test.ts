// The package as users get it: packed, installed on its own, and run.
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { launchProgram } from "../proof/kits/process.test-kit.ts";
import { type RunningService, startService } from "../proof/kits/service.test-kit.ts";

const root = path.resolve(import.meta.dirname, "../..");
const npm = async (cwd: string, ...words: string[]) =>
  (await promisify(execFile)("npm", words, { cwd })).stdout;

/** As in the guide, with one key, and some of the cases and scenarios. */
const LIBRARY = `
import test from "node:test";
import { checks, judge, packaged } from "atpoint-conformance";
const coveringCases = packaged.coveringCases.filter((_, at) => at % 10 === 0);
const scripts = packaged.scripts.filter(({ id }) => !/^scenario (?!rounds 1)/.test(id));
const suite = { ...packaged, coveringCases, scripts };
const credentials = { full: { key: process.env.API_KEY, platform: "web" } };
const one = judge({ url: process.env.BASE, credentials, suite });
for (const each of checks)
  test(each.id, async (t) => {
    const { outcome, reason } = await one(each);
    if (outcome === "not selected") t.skip(reason);
  });
`;

/** The same in TypeScript, and code that must not compile. */
const TYPED = `
import { type Check, checks, type Judged, judge, NotKept, type Opening } from "atpoint-conformance";
import { differs, type Extension, isOf, law, stringOf } from "atpoint-conformance";
const full = { key: "k", platform: "web" };
const opening: Opening = { url: "http://127.0.0.1:1", credentials: { full } };
const one = judge(opening);
export const outcomes = checks.map(async (each: Check): Promise<Judged["outcome"] | string> =>
  one(each)
    .then(({ outcome }) => outcome)
    .catch((error: unknown) => (error instanceof NotKept ? each.id : "")));
// @ts-expect-error
judge({ url: 1 });
const own = law("note.create/text", isOf("note.create"), ({ object }) =>
  object?.text === "" ? differs("body:/text", "a text", "none") : null,
);
export default {
  id: "notes",
  rules: [{ operation: "note.create", unique: { "text-taken": ({ text }) => stringOf(text) } }],
  laws: [own],
} satisfies Extension;
// @ts-expect-error
export const wrong: Extension = { id: "notes", laws: () => [own] };
`;

describe("the package", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "conformance-package-"));
  let packed: { filename: string; files: { path: string }[] };
  let service: RunningService;
  beforeAll(async () => {
    service = await startService();
    // `prepack` builds it, and prints to standard output as well.
    const printed = await npm(
      root,
      "pack",
      "--json",
      "-w",
      "conformance",
      "--pack-destination",
      folder,
    );
    [packed] = JSON.parse(printed.slice(printed.indexOf("[")));
    writeFileSync(path.join(folder, "package.json"), "{}");
    const quiet = ["--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts"];
    await npm(folder, "install", ...quiet, path.join(folder, packed.filename));
  });
  afterAll(async () => {
    await service.stop();
    rmSync(folder, { recursive: true });
  });

  const run = (program: string, words: readonly string[], env: NodeJS.ProcessEnv = {}) =>
    launchProgram(program, words, { cwd: folder, env }).ended;

  it("holds the program, the form of its report, and what to read, nothing else", () => {
    const paths = packed.files.map((file) => file.path);
    const isType = (file: string) => /^dist\/types\/(?!.*\.test).*\.d\.ts$/.test(file);
    expect(paths.filter((file) => !isType(file)).sort()).toEqual(
      [
        "LICENSE",
        "README.md",
        "contract.md",
        "extensions.md",
        "package.json",
        "report/report.schema.json",
        "bin.js",
        "dist/bin.js",
        "dist/index.js",
        // What both have in common, and what only --cover needs.
        ...paths.filter((file) => /^dist\/(?:chunk|cover)-\w+\.js$/.test(file)),
        "dist/contract.json",
        "dist/contract.schema.json",
        "dist/covering.json",
        // The laws of the published contract compare it with these files.
        "dist/openapi.json",
        "dist/openapi.operations.json",
      ].sort(),
    );
    const [packageLicense, rootLicense] = ["conformance/LICENSE", "LICENSE"].map((name) =>
      readFileSync(path.join(root, name), "utf8"),
    );
    expect(packageLicense).toBe(rootLicense);
  });

  it("checks a deployment as an action, whose arguments are read by no shell", async () => {
    // Where the package is not installed.
    const temp = mkdtempSync(path.join(tmpdir(), "conformance-runner-"));
    onTestFinished(() => rmSync(temp, { recursive: true }));
    const { inputs, runs } = parse(readFileSync(path.join(root, "conformance/action.yml"), "utf8"));
    const odd = `X-Test: $(touch ${temp}/made) "quoted' \`touch ${temp}/made\``;
    const values: Readonly<Record<string, string>> = {
      version: `file:${path.join(folder, packed.filename)}`,
      url: service.url,
      credentials: readFileSync(service.credentialsFile, "utf8"),
      arguments: ["--case", "user.list plain", "", "--header", odd].join("\n"),
    };
    expect(Object.keys(inputs)).toEqual(Object.keys(values));
    const summary = path.join(temp, "summary.md");
    const env = {
      RUNNER_TEMP: temp,
      GITHUB_STEP_SUMMARY: summary,
      GITHUB_ACTIONS: "true",
      npm_config_prefer_offline: "1",
    };
    for (const step of runs.steps) {
      if (step.run === undefined) continue;
      expect([step.shell, step.run]).toEqual(["bash", expect.not.stringContaining("${{")]);
      const stepVariables = Object.entries<string>(step.env).map(([name, text]) => [
        name,
        text.replace(/^\$\{\{ inputs\.(\w+) \}\}$/, (_, input) => values[input] ?? ""),
      ]);
      // As the runner does: `bash --noprofile --norc -eo pipefail {0}`.
      const words = ["--noprofile", "--norc", "-eo", "pipefail", "-c", step.run];
      const variables = { ...env, ...Object.fromEntries(stepVariables) };
      const { code, stdout } = await launchProgram("bash", words, { cwd: temp, env: variables })
        .ended;
      expect([code, stdout]).toEqual([
        0,
        expect.stringMatching(/^conformant \(partial\)\n(?:.*\n)+ {2}cases {5}1 of 1\n/m),
      ]);
    }
    expect(existsSync(path.join(temp, "made"))).toBe(false);
    expect(readFileSync(summary, "utf8")).toContain("conformant");
    const uses = runs.steps.filter((step: { uses?: string }) => step.uses);
    expect(uses).toMatchObject([
      { uses: expect.stringMatching(/^actions\/setup-node@/) },
      {
        uses: expect.stringMatching(/^actions\/upload-artifact@/),
        if: "always()",
        with: { path: expect.stringMatching(/runner\.temp \}\}\/conformance\.html$/) },
      },
    ]);
    expect(existsSync(path.join(temp, "conformance.html"))).toBe(true);
  });

  it("is a library: a test for each requirement in any runner, green with one key", async () => {
    writeFileSync(path.join(folder, "conformance.test.mjs"), LIBRARY);
    const words = ["--test", "--test-reporter=tap", "conformance.test.mjs"];
    const { key } = service.credentials.full;
    const { code, stdout, stderr } = await run("node", words, { API_KEY: key, BASE: service.url });
    expect(stdout).toMatch(/^ok \d+ - sysinfo\/status$/m);
    expect(stdout).toMatch(/^ok \d+ - http\/stalled-client # SKIP waits for a time-out/m);
    expect(stdout).not.toMatch(/^not ok/m);
    expect([code, stdout.includes(key), `${stdout}${stderr}`.includes("MaxListeners")]).toEqual([
      0,
      false,
      false,
    ]);
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
