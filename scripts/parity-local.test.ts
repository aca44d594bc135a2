import { describe, expect, it } from "vitest";
import { parityLocal } from "./parity-local.ts";

describe("parity:local", () => {
  it("finds no difference between two deployments of ours", { timeout: 60_000 }, async () => {
    const out: string[] = [];
    const io = {
      stdout: { write: (text: string) => out.push(text) },
      stderr: { write: (text: string) => out.push(text) },
    };
    const words = ["--only", "deployments/same*", "--only", "sysinfo/version*"];
    expect(await parityLocal(words, process.env.TEST_POSTGRES_URL, io)).toBe(0);
    const text = out.join("");
    expect(text).toMatch(/one deployment on SQLite, the other on (SQLite|PostgreSQL)/);
    expect(text).toContain("deployments/same#sysinfo");
  });
});
