import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { check } from "../checks/check.ts";
import { fail } from "../client/expect.ts";
import type { CheckResult } from "../report/report.ts";
import { command, file } from "../test/command.test-kit.ts";
import { deploy, KEY } from "../test/deployment.test-kit.ts";

const emailIn = (text: string) => /conformance\+[0-9a-f]{16}-\d+@example\.com/.exec(text)?.[0];

it("the steps of a failure are a script that creates with fresh addresses each time, up to the guilty one", async () => {
  const arrived: string[] = [];
  const url = await deploy({
    before: ({ method, url, body }) => {
      arrived.push(`${method} ${emailIn(body.toString()) ?? url}`);
      return null;
    },
  });
  const steps = check("user.create/listed", { effect: "write" }, async (api) => {
    const created = await api.createUser();
    const listed = await api.call("user.list");
    await api.call("sysinfo");
    // What was looked at last is what it is about.
    fail("state", `${created.status} to be undone`, `${listed.status}`);
  });
  const json = file("report.json");
  await command(["--url", url, "--json", json], { suite: { checks: [steps], exclusions: [] } });
  const results: CheckResult[] = JSON.parse(readFileSync(json, "utf8")).results;
  const { script, guilty, operation, curl } = results[0]?.failure ?? {};
  expect({ guilty, operation }).toEqual({ guilty: 1, operation: "user.list" });
  expect(curl).toMatch(/^curl .*@=user\.list/);
  expect(script).toContain("# 2, guilty: answered 200\ncurl ");
  expect(script).not.toContain(KEY);
  const first = arrived.find((one) => one.startsWith("POST"));
  for (const _time of [1, 2]) {
    const from = arrived.length;
    await promisify(execFile)("sh", ["-c", script ?? ""], { env: { PATH: process.env.PATH, API_KEY: KEY } });
    const [create, list, ...more] = arrived.slice(from);
    expect([create, list, more]).toEqual([expect.stringMatching(/^POST conformance\+/), "GET /api/?@=user.list", []]);
    expect(create).not.toBe(first);
  }
  const creates = arrived.filter((one) => one.startsWith("POST"));
  expect(new Set(creates).size).toBe(creates.length);
});
