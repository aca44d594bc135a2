// A new service as its author installs it, with npm and pnpm, and as its operator does, without
// development dependencies. With TEST_INSTALL=1, since packages come from the network.
import { execFile } from "node:child_process";
import { cp, mkdtemp, readdir, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { command as conformance, file } from "../conformance/cli/command.test-kit.ts";
import { serve } from "../conformance/proof/kits/server.test-kit.ts";
import { leaveOut } from "../src/test/left-out.ts";
import { servedFrom } from "./new-service.test-kit.ts";
import { newService } from "./new-service.ts";

const root = resolve(import.meta.dirname, "..");
const PNPM = "pnpm@12.21.0";
let folder: string;

async function run(program: string, ...args: string[]): Promise<string> {
  const env = { ...process.env, NO_COLOR: "1" };
  const { stdout, stderr } = await promisify(execFile)(program, args, { cwd: folder, env });
  return stdout + stderr;
}

/** SQLite's driver is compiled once, here: an installation gets that binary. */
async function handOnDriver(): Promise<void> {
  const server = await realpath(join(folder, "node_modules/atpoint-server"));
  const build = "sqlite3/build";
  await cp(join(root, "node_modules", build), join(dirname(server), build), { recursive: true });
}

beforeAll(async () => {
  if (!process.env.TEST_INSTALL) return;
  await run("npm", "run", "-s", "build", "--prefix", root);
});

if (!process.env.TEST_INSTALL)
  leaveOut("is installed by npm and pnpm", "no network; set TEST_INSTALL=1");

describe.runIf(process.env.TEST_INSTALL)("a new service", () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "atpoint-installed-"));
    expect(await newService([folder, "--name", "my-library", "--resource", "book"], () => {})).toBe(
      0,
    );
  });
  afterAll(() => rm(folder, { recursive: true }));

  it.each([
    ["pnpm", ["npx", "--yes", PNPM, "install", "--ignore-scripts"]],
    ["npm", ["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"]],
  ])("is installed by %s, generates, and its test passes", async (_, [program = "", ...args]) => {
    await rm(join(folder, "node_modules"), { recursive: true, force: true });
    await run(program, ...args);
    await handOnDriver();
    expect(await run("npm", "run", "generate")).toContain("Compilation completed successfully");
    expect(await run("npm", "test", "--", "--smoke")).toMatch(/^conformant \(smoke\)/m);
  });

  it("is installed without development dependencies, and serves", async () => {
    await run("npm", "ci", "--omit=dev", "--ignore-scripts", "--no-audit", "--prefer-offline");
    await handOnDriver();
    const { url, credentials } = await servedFrom(folder, { NODE_ENV: "production" });
    const contract = join(folder, "generated/contract.json");
    const target = ["--url", url, "--credentials", credentials, "--contract", contract];
    const { code, stdout } = await conformance([...target, "--smoke"], { env: {} });
    expect(code, stdout).toBe(0);
    const { packages } = JSON.parse(await readFile(join(folder, "package-lock.json"), "utf8"));
    expect(packages["node_modules/@typespec/asset-emitter"].version).toBe("0.79.1");
  });

  it("is reported to nobody when it is installed, as npm 10 runs every script", async () => {
    let reports = 0;
    const url = await serve((_, response) => {
      reports += 1;
      response.end();
    });
    const words = ["install", "--no-audit", "--no-fund", "--prefer-offline", "--omit=optional"];
    const [server = ""] = (await readdir(join(folder, "packages"))).filter((file) =>
      file.startsWith("atpoint-server-"),
    );
    const fresh = dirname(file("package.json", {}));
    const env = { ...process.env, SCARF_LOCAL_PORT: new URL(url).port };
    const npm10 = ["--yes", "npm@10", ...words, join(folder, "packages", server)];
    await promisify(execFile)("npx", npm10, { cwd: fresh, env });
    // Its script again, with the whole tree, in which it looks for who asked for it. During an
    // installation the tree is read from each package.json, later from npm's own short record.
    await rm(join(fresh, "node_modules/.package-lock.json"));
    const script = join(fresh, "node_modules/@scarf/scarf/report.js");
    const again = { cwd: fresh, env: { ...env, INIT_CWD: fresh } };
    await promisify(execFile)(process.execPath, [script], again);
    expect(reports).toBe(0);
  });
});
