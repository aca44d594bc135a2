// A supplier hands out restricted keys, or none: whatever can be checked is checked.
import { afterAll, beforeAll, expect, it } from "vitest";
import { packaged } from "../packaged.ts";
import { type RunningService, startService } from "../proof/kits/service.test-kit.ts";
import { withStatus } from "../proof/proxy/edit-response.ts";
import { startProxy } from "../proof/proxy/server.ts";
import type { Suite } from "../run/state.ts";
import { brief, file, reported } from "./command.test-kit.ts";

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const suite: Suite = { ...brief, scripts: packaged.scripts };
const keyOf = (kind: string) => ({ API_KEY: service.credentials.special[kind]?.key });

it.each([
  ["no key", () => ({}), "a key,", "there is no key", ["test.health", "user.list", "user.create"]],
  [
    "a key for reading",
    () => keyOf("users:read"),
    "a key with system:health, users:write,",
    "the key lacks system:health, users:write",
    ["test.health", "user.create"],
  ],
  [
    "a key for writing",
    () => keyOf("users:write"),
    "a key with users:read, system:health,",
    "the key lacks users:read, system:health",
    ["test.health", "user.list"],
  ],
])("%s has no finding in a right deployment, and says what it leaves out", async (...row) => {
  const [, env, rest, lacks, unchecked] = row;
  const words = ["--url", service.url, "--seed", "1"];
  const { code, stdout, stderr, report } = await reported(words, { suite, env: env() });
  expect([report.findings, code]).toEqual([[], 0]);
  expect(stdout).toMatch(/^conformant \(partial\)$/m);
  expect(report.summary).toContain(`to check the rest: ${rest}`);
  expect(stderr).toContain(`${lacks}`);
  expect(stderr).toContain(`of ${unchecked.join(", ")} only rejections are checked`);
  const passed = report.requirements.flatMap(({ id, outcome }) => (outcome === "passed" ? id : []));
  expect(passed).toEqual(expect.arrayContaining(["sysinfo/status", "credentials/missing"]));
  expect(passed.length).toBeGreaterThan(140);
  // No key creates nothing.
  if (!unchecked.includes("user.create")) expect(report.created.length).toBeGreaterThan(0);
  else expect(report.created).toEqual([]);
});

it("is incomplete without a key where --complete demands all", async () => {
  const words = ["--url", service.url, "--smoke", "--complete"];
  const { code, report } = await reported(words, { suite, env: {} });
  expect([report.findings, report.verdict, code]).toEqual([[], "incomplete", 5]);
});

it("leaves out the keys that a service cannot issue, and says so once", async () => {
  const { full, special } = service.credentials;
  const credentials = file("c.json", { full, ...special, revoked: null, expired: null });
  const words = ["--url", service.url, "--credentials", credentials, "--only", "credentials/*"];
  const { code, stderr, report } = await reported(words, { suite, env: {} });
  expect([report.findings, report.missing.keys, code]).toEqual([[], [], 0]);
  const line = "left out: the service cannot issue keys of the kind expired, revoked";
  expect(stderr.split(line)).toHaveLength(2);
  const reasons = report.requirements.flatMap(({ id, reason }) =>
    /^credentials\/(?:revoked|expired)$/.test(id) ? reason : [],
  );
  const reason = "not applicable: the service cannot issue keys of the kind expired, revoked";
  expect(reasons).toEqual([reason, reason]);
});

it("finds without a key what a deployment rejects in the wrong way", async () => {
  const answer: Parameters<typeof startProxy>[0]["answer"] = (right) =>
    right.status === 401 ? withStatus(right, 403) : right;
  const proxy = await startProxy({ answer }, service);
  const words = ["--url", proxy.url, "--smoke"];
  const { code, report } = await reported(words, { suite, env: {} });
  await proxy.close();
  const failed = report.requirements.flatMap(({ id, outcome }) => (outcome === "failed" ? id : []));
  expect([failed, code]).toEqual([expect.arrayContaining(["credentials/missing"]), 1]);
});
