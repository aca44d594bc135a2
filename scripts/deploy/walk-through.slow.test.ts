// The guide "Running it" as its reader uses it: every command of it, in its order, in one shell.
import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished } from "vitest";
import { databasesUnderTest, fresh } from "../../src/test/databases.ts";
import { freePort } from "../../src/test/ports.ts";
import { itWith } from "../programs.test-kit.ts";

const root = resolve(import.meta.dirname, "../..");
const guide = readFileSync(join(root, "src/docs/running.md"), "utf8");
const commands = [...guide.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, code]) => code).join("");
const [, postgres] = databasesUnderTest();
const programs = ["haproxy", "openssl", "curl", "createdb"];

if (postgres)
  itWith(programs, "the walk-through leads from nothing to two replicas behind TLS", async () => {
    // A database and ports of its own. Packages are installed already, and the registry is not
    // asked.
    const { hostname, port, username, password } = new URL((await fresh(postgres)).url);
    const database = `atpoint_walk_${process.pid}`;
    const HOME = mkdtempSync(join(tmpdir(), "atpoint-walk-"));
    onTestFinished(() => rmSync(HOME, { recursive: true }));
    let script = commands.replace(/^npm ci$/m, "").replaceAll("atpoint_live", database);
    script = script.replaceAll("127.0.0.1:5432", `${hostname}:${port || 5432}`);
    const ports: string[] = [];
    for (const known of ["8443", "3000", "3001", "13000", "13001"])
      ports.push(`s/\\b${known}\\b/${await freePort()}/g`);
    const moved = spawnSync("sed", [ports.join(";")], { input: script, encoding: "utf8" }).stdout;
    script = moved.replace(
      "haproxy.cfg > haproxy.cfg",
      `haproxy.cfg | sed '${ports.join(";")}' > haproxy.cfg`,
    );
    const kill = "kill $one $two $(cat ~/atpoint/haproxy.pid)";
    const end = `dropdb --force --if-exists ${database}; ${kill}`;
    const connection = {
      PGHOST: hostname,
      PGPORT: port || "5432",
      PGUSER: username,
      PGPASSWORD: password,
    };
    const npm = { npm_config_prefer_offline: "true", npm_config_audit: "false" };
    const cache = { npm_config_cache: join(homedir(), ".npm") };
    const env = { PATH: process.env.PATH, HOME, USER: username, ...connection, ...npm, ...cache };
    const shell = ["--norc", "-euc", `one= two=; trap '${end}' EXIT\n${script}`];
    const { stdout } = await promisify(execFile)("bash", shell, { cwd: root, env });
    expect(stdout).toContain('{"status":"pass","version":"3.0.3"');
    expect(stdout).toContain('{"items":[]}');
    expect(stdout).toMatch(/^conformant \(operations\)/m);
  });
