import { describe, expect, it } from "vitest";
import { check } from "../checks/check.ts";
import { fail } from "../client/expect.ts";
import { command, file } from "../test/command.test-kit.ts";
import { deploy, KEY } from "../test/deployment.test-kit.ts";

const passing = check("sysinfo/status", {}, async (api) => api.alive());
const failing = check("sysinfo/method", {}, async () => fail("body", "a", "b"));
const entry = (id: string, until = "2999-12-31") => ({ id, reason: "being mended", until });

async function run(entries: unknown, words: readonly string[] = [], checks = [passing, failing]) {
  const all = ["--url", await deploy(), "--known-failures", file("known.json", entries), ...words];
  return command(all, { suite: { checks, exclusions: [] } });
}

describe("--known-failures", () => {
  it("accepts a failure that it names", async () => {
    const { code, stdout } = await run([entry("sysinfo/method")]);
    expect(stdout).toContain("1 known");
    expect(code).toBe(0);
  });

  it.each([
    ["passes now", [entry("sysinfo/method"), entry("sysinfo/status")]],
    ["is past its date", [entry("sysinfo/method", "2020-01-01")]],
    ["no/such names no check\n", [entry("sysinfo/method"), entry("no/such")]],
    [
      "sysinfo/method#old names no check; its requirement has these now: sysinfo/method\n",
      [entry("sysinfo/method"), entry("sysinfo/method#old")],
    ],
  ])("is red for an entry that %s", async (problem, entries) => {
    const { code, stdout } = await run(entries);
    expect(stdout).toContain(problem);
    expect(code).toBe(1);
  });

  it("accepts every check of a requirement that it names, until all of them pass", async () => {
    const variants = [check("sysinfo/method#get", {}, async (api) => api.alive()), failing];
    const of = (checks: typeof variants) => run([entry("sysinfo/method")], [], checks);
    expect(await of(variants)).toMatchObject({ code: 0, stdout: expect.stringContaining("1 known to fail, 1 passed") });
    const mended = await of(variants.slice(0, 1));
    expect(mended).toMatchObject({ code: 1, stdout: expect.stringContaining("sysinfo/method passes now") });
  });

  it("reads a file that begins with a byte order mark", async () => {
    const full = file("c.json", `\uFEFF${JSON.stringify({ full: { key: KEY } })}`);
    const known = `\uFEFF${JSON.stringify([entry("sysinfo/method")])}`;
    expect((await run(known, ["--credentials", full])).code).toBe(0);
  });

  it("does not call an entry stale whose check was not selected", async () => {
    expect((await run([entry("sysinfo/method")], ["--skip", "sysinfo/method"])).code).toBe(0);
  });

  it("does not call an entry stale whose check sent only some of its requests", async () => {
    const passes = check("sysinfo/method", { brief: true }, async (api) => api.alive());
    const of = (words: readonly string[]) => run([entry("sysinfo/method")], words, [passes]);
    expect([(await of([])).code, (await of(["--smoke"])).code]).toEqual([1, 0]);
  });

  const days = ["soon", "2999-99-99", "2027-02-30"].map((until) => [entry("a", until)]);
  const wrong = ["{", {}, [1], [{ ...entry("a"), reason: "" }], ...days, [entry("a"), entry("a")]];
  it.each(wrong.map((content) => [content]))("refuses the file %j", async (content) => {
    const { code, stderr } = await run(content);
    expect([code, stderr]).toEqual([2, expect.stringContaining("--known-failures")]);
  });
});
