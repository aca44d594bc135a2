import { expect, it } from "vitest";
import { check } from "../checks/check.ts";
import { fail } from "../client/expect.ts";
import { command } from "../test/command.test-kit.ts";
import { deploy } from "../test/deployment.test-kit.ts";

const passing = check("sysinfo/time", {}, async (api) => api.alive());
const failing = check("sysinfo/method", {}, async () => fail("body", "a", "b"));

it("--repeat runs with one seed after another, and tells what is flaky from what always fails", async () => {
  let runs = 0;
  const flaky = check("sysinfo/status", {}, async () => {
    runs += 1;
    if (runs === 2) fail("state", "a", "b");
  });
  const suite = { checks: [passing, flaky], exclusions: [] };
  const words = ["--url", await deploy(), "--repeat", "3", "--seed", "4294967294"];
  const { code, stdout, stderr } = await command(words, { suite });
  expect([code, runs]).toEqual([1, 3]);
  expect(stderr).toContain("run 2 of 3, seed 4294967295: not conformant: 1 failed, 1 passed\n");
  expect(stderr).toContain("run 3 of 3, seed 0: conformant: 2 passed\n");
  expect(stdout).toMatch(/--seed 4294967295$/m);
  expect(stdout).toMatch(/\n1 flaky in 3 runs, 0 failed in each\n {2}sysinfo\/status: 1 of 3, seeds 4294967295\n$/);
  const all = await command(words, { suite: { checks: [failing], exclusions: [] } });
  expect(all.stdout).toMatch(/\n0 flaky in 3 runs, 1 failed in each\n$/);
});

it("--max-failures ends a run, and the report names what did not run", async () => {
  const suite = { checks: [failing, passing, { ...failing, id: "sysinfo/method#again" }], exclusions: [] };
  const words = ["--url", await deploy(), "--concurrency", "1", "--seed", "1"];
  const first = await command([...words, "--max-failures", "1"], { suite });
  expect(first).toMatchObject({ code: 1, stdout: expect.stringContaining("not conformant: 1 failed, ") });
  expect(first.stdout).toMatch(/incomplete: the run ended after 1 failure \(--max-failures\)/);
  expect(await command([...words, "--max-failures", "9"], { suite })).toMatchObject({
    stdout: expect.stringContaining("not conformant: 2 failed, 1 passed"),
  });
});
