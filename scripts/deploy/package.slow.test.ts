// The package as used in production: packed, installed on its own, without dependencies that need a
// compiler.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { command as conformance, file } from "../../conformance/cli/command.test-kit.ts";
import { launchProgram } from "../../conformance/proof/kits/process.test-kit.ts";
import { databasesUnderTest, fresh } from "../../src/test/databases.ts";
import { start } from "../../src/test/running-service.ts";
import { pack } from "../pack.ts";

const root = resolve(import.meta.dirname, "../..");
const [, postgres] = databasesUnderTest();
const folder = fs.mkdtempSync(join(tmpdir(), "atpoint-package-"));
const installed = join(folder, "node_modules/atpoint");
let files: string[];

const run = (cwd: string, env: NodeJS.ProcessEnv, program: string, ...words: string[]) =>
  launchProgram(program, words, { cwd, env }).ended;

beforeAll(() => {
  const npm = (cwd: string, ...words: string[]) =>
    execFileSync("npm", words, { cwd, encoding: "utf8", stdio: "pipe" });
  npm(root, "run", "-s", "build");
  // Other tests read `dist/` meanwhile: `prepack`, which removes it first, has a test of its own.
  const words = ["--ignore-scripts", "--json", "--pack-destination", folder];
  const [{ filename, files: listed }] = JSON.parse(npm(root, "pack", ...words));
  files = listed.map(({ path }: { path: string }) => path);
  fs.writeFileSync(join(folder, "package.json"), "{}");
  npm(
    folder,
    "install",
    "--prefer-offline",
    "--no-audit",
    "--no-fund",
    "--omit=optional",
    join(folder, filename),
  );
});
afterAll(() => fs.rmSync(folder, { recursive: true }));

const atpoint = (env: NodeJS.ProcessEnv, ...words: string[]) =>
  run(folder, env, "npx", "--no-install", "atpoint", ...words);
const installHere = (...names: string[]) => {
  for (const name of names)
    fs.cpSync(join(root, "node_modules", name), join(folder, "node_modules", name), {
      recursive: true,
    });
};

it("holds neither the suite nor tests nor sources of its own", () => {
  expect(files).toEqual(
    expect.arrayContaining(["dist/src/cli.js", ".env.example", "scripts/deploy/alerts.yml"]),
  );
  const unwanted = /^conformance\/(?!README\.md$|LICENSE$)|\.test\.|src\/test\/|(?<!\.d)\.ts$/;
  expect(files.filter((file) => unwanted.test(file))).toEqual([]);
});

it("says how to get the driver of SQLite and its binary", async () => {
  const failure = async (env: NodeJS.ProcessEnv = {}) => {
    const { code, stderr } = await run(
      folder,
      env,
      process.execPath,
      join(installed, "dist/src/cli.js"),
      "serve",
    );
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^DATABASE_URL names a SQLite file, and its driver /),
    ]);
    return stderr;
  };
  const npm =
    "`npm pkg set --json allowScripts.sqlite3=true`, then `npm install sqlite3@6 && npm " +
    "rebuild sqlite3`";
  expect(await failure()).toContain(`driver is not installed: ${npm}. Or name`);
  const pnpm = "`pnpm add sqlite3@6`, then `pnpm approve-builds sqlite3`";
  expect(await failure({ npm_config_user_agent: "pnpm/12.21.0 npm/? node/v20.20.2" })).toContain(
    `installed: ${pnpm}. Or`,
  );

  // As an installation leaves it that runs no scripts.
  const driver = join(folder, "node_modules/sqlite3");
  installHere("sqlite3/package.json", "sqlite3/lib", "bindings", "file-uri-to-path");
  onTestFinished(() => fs.rmSync(driver, { recursive: true }));
  const skipped = "driver has no binary, since its install script was skipped";
  expect(await failure()).toContain(`${skipped}: ${npm}. Or name`);

  fs.mkdirSync(join(driver, "build/Release"), { recursive: true });
  fs.writeFileSync(join(driver, "build/Release/node_sqlite3.node"), "for another machine");
  expect(await failure()).toContain(
    "driver was built for another machine: `npm rebuild sqlite3`, or",
  );
});

it.skipIf(!postgres)(
  "says how to get OpenTelemetry, which it does not need unless it is asked for",
  async () => {
    const { url: DATABASE_URL } = await fresh(postgres);
    const { code, stderr } = await atpoint(
      { DATABASE_URL, OTEL_TRACES_EXPORTER: "otlp", MANAGEMENT_PORT: "0" },
      "serve",
    );
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining("OpenTelemetry cannot be loaded: install"),
    ]);
  },
);

it("runs its scripts from what was built, or says what they need", async () => {
  const keys = await run(installed, {}, "npm", "run", "-s", "keys", "--", "--help");
  expect([keys.code, keys.stdout]).toEqual([0, expect.stringContaining("Usage: atpoint keys")]);
  const suite = await run(installed, {}, "npm", "run", "-s", "conformance");
  const missing = expect.stringContaining("a package of its own: npm pack -w conformance");
  expect([suite.code, suite.stderr]).toEqual([1, missing]);
});

/** A user's program with the client, and code that must not compile. */
const CALLS = `
import { AtpointError, createClient } from "atpoint/client";

const [, , baseUrl = "", apiKey = ""] = process.argv;
const client = createClient({ baseUrl, apiKey, platform: "web" });

async function main(): Promise<void> {
  const ada = { name: "Ada", email: "ada@example.com" };
  const { email }: { email: string } = await client.call("user.create", ada);
  const seen: string[] = [];
  for await (const user of client.walk("user.list", { limit: 1 })) seen.push(user.email);
  const code = await client.call("user.create", { name: "Ada", email }).catch((error: unknown) => {
    if (!AtpointError.is(error, "user.create")) throw error;
    return error.code;
  });
  const page: string = await client.call("docs.get.README", {}, { accept: "text/html" });
  console.log(JSON.stringify({ email, seen, code, isPage: page.startsWith("<!doctype html>") }));
}
void main();

// @ts-expect-error a member is missing
export const wrong = () => client.call("user.create", { name: "Ada" });
`;

/** Compiles the program as ES modules (`mts`) and for CommonJS (`cts`), and runs each. */
async function expectCalls(cwd: string, program: string, ...forms: string[]): Promise<void> {
  for (const form of forms) fs.writeFileSync(join(cwd, `calls.${form}`), program);
  const language = ["--strict", "--module", "node16", "--target", "es2023", "--lib", "es2023,dom"];
  const types = ["--types", "node", "--typeRoots", join(root, "node_modules/@types")];
  const words = [...language, ...types, ...forms.map((form) => `calls.${form}`)];
  const compiled = await run(cwd, {}, join(root, "node_modules/.bin/tsc"), ...words);
  expect(compiled).toMatchObject({ code: 0, stdout: "" });
  const email = "ada@example.com";
  for (const form of forms) {
    const { service, key } = await start();
    const program = `calls.${form.replace("ts", "js")}`;
    const { stdout } = await run(cwd, {}, process.execPath, program, service.url, key);
    expect(JSON.parse(stdout)).toEqual({ email, seen: [email], code: "email-taken", isPage: true });
  }
}

it("has a client that is typed, and calls", () => expectCalls(folder, CALLS, "mts"));

it("has that client as a package of its own, for ES modules and CommonJS", async () => {
  const empty = dirname(file("package.json", {}));
  const [client = ""] = (await pack(empty, ["atpoint-client"])).values();
  await run(empty, {}, "npm", "install", "--offline", "--no-audit", client);
  expect(fs.readdirSync(join(empty, "node_modules"))).toEqual([
    ".package-lock.json",
    "atpoint-client",
  ]);
  const calls = CALLS.replace("atpoint/client", "atpoint-client");
  await expectCalls(empty, calls, "mts", "cts");
});

/** What the Dockerfile says after this word, of each line that begins with it. */
const lines = fs.readFileSync(join(import.meta.dirname, "Dockerfile"), "utf8").split("\n");
const dockerfile = (word: string) =>
  lines.flatMap((line) => (line.startsWith(`${word} `) ? line.slice(word.length + 1) : []));
const programOf = (word: string): string[] =>
  dockerfile(word).flatMap((rest) => JSON.parse(rest.slice(rest.indexOf("["))));

it("serves as the image does, as its user; with TEST_SLOW=1 to the whole suite", async () => {
  // The folder of this test: the package, and what it needs.
  const copies = [
    ". .",
    "--from=build /build/package .",
    "--from=build /build/node_modules node_modules",
  ];
  expect(dockerfile("COPY")).toEqual(copies);
  installHere("sqlite3", "bindings", "file-uri-to-path");
  const [uid = Number.NaN] = dockerfile("USER").map((user) => Number(user.split(":")[0]));
  const data = join(installed, "data");
  fs.chmodSync(folder, 0o755); // Its user needs access; it can write to the volume only.
  fs.mkdirSync(data);
  const isRoot = process.getuid?.() === 0;
  if (isRoot) fs.chownSync(data, uid, uid);
  const variables = dockerfile("ENV").flatMap((rest) =>
    rest.split(" ").map((pair) => pair.split(/=(.*)/)),
  );
  const env = {
    PATH: process.env.PATH,
    ...Object.fromEntries(variables),
    HOST: "127.0.0.1",
    RATE_LIMITS: "off",
  };
  const printed: string[] = [];
  const launch = ([node, ...program]: string[], PORT = "0") => {
    expect(node).toBe("node");
    const options = { cwd: installed, env: { ...env, PORT }, ...(isRoot ? { uid, gid: uid } : {}) };
    const child = spawn(process.execPath, program, {
      ...options,
      stdio: ["ignore", "pipe", "pipe"],
    });
    child.stderr.on("data", (text) => printed.push(`${text}`));
    onTestFinished(() => void child.kill("SIGKILL"));
    return { child, ended: once(child, "exit").then(([code]) => code) };
  };
  const [entrypoint, health] = [programOf("ENTRYPOINT"), programOf("HEALTHCHECK")];
  const credentials = join(data, "credentials.json");
  expect(await launch([...entrypoint, "migrate"]).ended, printed.join("")).toBe(0);
  expect(await launch([...entrypoint, "keys", "conformance", "--out", credentials]).ended).toBe(0);
  const { child, ended } = launch([...entrypoint, ...programOf("CMD")]);
  const url = await new Promise<string>((resolve) =>
    createInterface(child.stdout).on("line", (line) => {
      const { msg, url } = JSON.parse(line);
      if (msg === "listening") resolve(url);
    }),
  );
  const { port } = new URL(url);
  expect(await launch(health, port).ended).toBe(0);
  const how = process.env.TEST_SLOW ? ["--exhaustive", "--slow"] : ["--smoke"];
  const { code, stdout } = await conformance(["--url", url, "--credentials", credentials, ...how], {
    env: {},
  });
  expect(code, stdout).toBe(0);
  child.kill();
  expect(await ended).toBe(0);
  expect(await launch(health, port).ended).not.toBe(0);
});
