import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { check } from "../checks/check.ts";
import { fail } from "../client/expect.ts";
import { command, file } from "../test/command.test-kit.ts";
import { deploy, KEY } from "../test/deployment.test-kit.ts";

it("the line of a failure sends the request that it is about, each time with a fresh address", async () => {
  const arrived: string[] = [];
  const url = await deploy({
    before: ({ body }) => {
      arrived.push(...(body.toString().match(/conformance\+[0-9a-f]{16}-\d+@example\.com/) ?? []));
      return null;
    },
  });
  const steps = check("user.create/listed", { effect: "write" }, async (api) => {
    const before = await api.call("user.list");
    const created = await api.createUser();
    await api.call("sysinfo");
    // The finding is about the response that was read last.
    fail("state", `${before.status} to be undone`, `${created.status}`);
  });
  const json = file("report.json");
  await command(["--url", url, "--json", json], { suite: { checks: [steps], exclusions: [] } });
  const [{ failure }] = JSON.parse(readFileSync(json, "utf8")).results;
  expect(failure).toMatchObject({ guilty: 1, operation: "user.create" });
  expect(failure.curl).not.toContain(KEY);
  const sent = arrived.length;
  for (const _time of [1, 2])
    await promisify(execFile)("sh", ["-c", failure.curl], { env: { PATH: process.env.PATH, API_KEY: KEY } });
  expect(arrived).toHaveLength(sent + 2);
  expect(new Set(arrived).size).toBe(sent + 2);
});
