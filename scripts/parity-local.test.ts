import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, it, onTestFinished } from "vitest";
import { parityLocal } from "./parity-local.ts";

describe("parity:local", () => {
  it("finds no difference between two deployments of ours", async () => {
    const out: string[] = [];
    const io = {
      stdout: { write: (text: string) => out.push(text) },
      stderr: { write: (text: string) => out.push(text) },
    };
    const words = ["--only", "deployments/same*", "--only", "sysinfo/version*", "--verbose"];
    expect(await parityLocal(words, process.env.TEST_POSTGRES_URL, io)).toBe(0);
    const text = out.join("");
    expect(text).toMatch(/one deployment on SQLite, the other on (SQLite|PostgreSQL)/);
    expect(text).toContain("deployments/same#sysinfo");
  });

  it("drops what it has made when it is interrupted", async () => {
    const folder = mkdtempSync(join(tmpdir(), "parity-test-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const script = new URL("./parity-local.ts", import.meta.url).pathname;
    const env = { ...process.env, TMPDIR: folder, TEST_POSTGRES_URL: "" };
    const child = spawn(process.execPath, ["--import", "tsx", script], { env });
    child.stdout.resume();
    for await (const line of createInterface(child.stderr)) if (line.includes(": seed ")) child.kill("SIGINT");
    expect(child.exitCode ?? (await once(child, "exit"))[0]).toBe(5);
    expect(readdirSync(folder).filter((name) => name.startsWith("atpoint-"))).toEqual([]);
  });
});
