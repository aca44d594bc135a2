// Each example, as its author has it: written by `new-service`, installed from the packed packages,
// generated, checked, called by a generated client, and conformant; its defects are found.
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hashOf } from "../conformance/requests/generate.ts";
import { clientCalls, type Outcome } from "./client-calls.ts";
import { allExamples, failedWith, installExamples, plainCases } from "./example-checks.ts";
import { servedFrom } from "./new-service.test-kit.ts";
import { run, suiteOf } from "./written-service.ts";

const root = resolve(import.meta.dirname, "..");
/** Of all that are tried before a release. */
const DEFECTS = 3;

/** What requirements are about: `effects/read` is about effects. */
const clauseOf = (requirement: string | undefined) => requirement?.split("/")[0];

const examples = await allExamples();
let home: string;

const inHome = async (cwd: string, ...[program = "", ...words]: string[]) => {
  const env = { ...process.env, NO_COLOR: "1" };
  const { stdout, stderr } = await run(program, words, { cwd, env }).catch((failed) => failed);
  return `${stdout}${stderr}`;
};

beforeAll(async () => {
  await run("npm", ["run", "-s", "build"], { cwd: root });
  home = await mkdtemp(join(tmpdir(), "atpoint-examples-"));
  await installExamples(home);
});
afterAll(() => rm(home, { recursive: true }));

describe.each(examples)("the example $name", ({ name, defects }) => {
  const inFolder = (...words: string[]) => inHome(join(home, name), ...words);

  it("compiles, and its contract passes the linters", async () => {
    expect(await inFolder("npm", "run", "-s", "check")).toBe("");
    const files = ["openapi.yaml", "openapi.operations.yaml"].map((file) => `generated/${file}`);
    const rules = join(root, "scripts/lint");
    const redocly = ["redocly", "lint", "--config", join(rules, "redocly.yaml"), ...files];
    expect(await inFolder("npx", ...redocly)).toContain("Your API descriptions are valid");
    const spectral = ["spectral", "lint", "--ruleset", join(rules, "spectral.yaml")];
    const output = await inFolder("npx", ...spectral, "--fail-severity", "hint", ...files);
    expect(output).toContain("No results with a severity of 'hint' or higher found");
  });

  it("has types by which a client calls each operation", async () => {
    const { oracle } = await suiteOf(join(home, name));
    const folder = join(home, name, "client");
    await mkdir(folder);
    await writeFile(join(folder, "calls.ts"), clientCalls(oracle.contract));
    const document = "../generated/openapi.operations.yaml";
    await run("npx", ["openapi-typescript", document, "-o", "paths.ts"], { cwd: folder });
    const compiler = ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext"];
    const forms = ["--target", "es2023", "--lib", "es2023,dom", "--types", "node"];
    const tsc = ["tsc", ...compiler, ...forms, "--allowImportingTsExtensions", "calls.ts"];
    expect(await inHome(folder, "npx", ...tsc)).toBe("");
    const { url, credentials } = await servedFrom(join(home, name));
    const { full } = JSON.parse(await readFile(credentials, "utf8"));
    const env = { ...process.env, BASE: url, API_KEY: full.key, PLATFORM: full.platform };
    const { stdout } = await run("npx", ["tsx", "calls.ts"], { cwd: folder, env });
    const outcomes: readonly Outcome[] = JSON.parse(stdout);
    const { operations } = oracle.contract;
    expect(outcomes.map(({ id }) => id).sort()).toEqual(Object.keys(operations).sort());
    for (const { id, status, code } of outcomes)
      if (status >= 300)
        expect([id, operations[id]?.problems]).toEqual([id, expect.arrayContaining([code])]);
    const failed = outcomes.filter(({ status }) => status >= 300 && status !== 409);
    expect(failed).toEqual([]);
  });

  it("is conformant", async () => {
    const suite = await suiteOf(join(home, name));
    const cases = plainCases(suite.oracle.contract);
    const covering = JSON.stringify({ hash: hashOf(suite.tables), cases });
    await writeFile(join(home, name, "generated/covering.json"), covering);
    const output = await inFolder("npm", "test");
    expect(output).toMatch(/^conformant/m);
    expect(output).not.toMatch(/^FAIL |^known|npm error/m);
  });

  it("has ten defects", () => expect(defects).toHaveLength(10));

  it.each(defects.slice(0, DEFECTS))("is found out where $what", async (defect) => {
    const failed = await failedWith(join(home, name), defect);
    expect(failed).toContain(defect.requirement);
    // It is the reason of what is found first.
    expect(clauseOf(failed[0])).toBe(clauseOf(defect.requirement));
  });
});
