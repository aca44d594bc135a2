import { expect, it } from "vitest";
import { check } from "../checks/check.ts";
import { fail } from "../client/expect.ts";
import { command } from "../test/command.test-kit.ts";
import { deploy, KEY } from "../test/deployment.test-kit.ts";
import { escapeMessage, escapeProperty, toAnnotations } from "./annotations.ts";
import { clean, sample, unreachable } from "./sample.fixture.ts";

it.each([
  ["100% a:b,c", "100%25 a:b,c", "100%25 a%3Ab%2Cc"],
  ["one\r\ntwo", "one%0D%0Atwo", "one%0D%0Atwo"],
  ["%0A::error::", "%250A::error::", "%250A%3A%3Aerror%3A%3A"],
])("a workflow command carries %j", (text, message, property) => {
  expect([escapeMessage(text), escapeProperty(text)]).toEqual([message, property]);
});

it("has one line for each cause and each fault, whatever the target sends", () => {
  const lines = toAnnotations(sample).trimEnd().split("\n");
  expect(lines.filter((line) => !/^::error title=[^:,\n]+::./.test(line))).toEqual([]);
  expect(lines).toHaveLength(1 + sample.baseline.length);
  expect(lines.join()).not.toMatch(/[^\P{C}\n]/u);
  expect(toAnnotations(unreachable)).toBe(
    "::error title=unreachable::no connection%3A ECONNREFUSED\n".replace("%3A", ":"),
  );
  expect(toAnnotations(clean)).toBe("");
});

it("is printed where GitHub Actions runs the command", async () => {
  const failing = check("sysinfo/method", {}, async (api) => {
    await api.call("sysinfo");
    fail("body", "50% of it", "nothing");
  });
  const run = async (env: NodeJS.ProcessEnv) =>
    command(["--url", await deploy()], { suite: { checks: [failing], exclusions: [] }, env: { API_KEY: KEY, ...env } });
  expect((await run({ GITHUB_ACTIONS: "true" })).stdout).toMatch(/^::error title=.*sysinfo\/method: .*50%25 of it%0A/m);
  expect((await run({})).stdout).not.toContain("::error");
});
