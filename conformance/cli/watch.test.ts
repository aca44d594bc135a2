import { createServer } from "node:net";
import { expect, it } from "vitest";
import { freePort, portOf } from "../../src/test/ports.ts";
import { check } from "../checks/check.ts";
import { expectSuccess } from "../client/expect.ts";
import { command } from "../test/command.test-kit.ts";
import { deploy } from "../test/deployment.test-kit.ts";
import { launch } from "../test/process.test-kit.ts";

it("asks again and again, tells Prometheus, and ends well when it is told to", async () => {
  const port = await freePort();
  let asked = 0;
  let reached = () => {};
  const third = new Promise<void>((resolve) => {
    reached = resolve;
  });
  // The preflight and the check each send it once per run.
  const url = await deploy({
    before: ({ url }) => {
      if (url.includes("sysinfo")) asked += 1;
      if (asked === 5) reached();
      return null;
    },
  });
  const words = ["--url", url, "--only", "sysinfo/status", "--watch", "0s", "--metrics", String(port)];
  const { child, ended } = launch(words);
  await third;
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
  const text = await answer.text();
  expect(answer.headers.get("content-type")).toContain("version=0.0.4");
  for (const line of ["atpoint_conformance_up 1", 'atpoint_conformance_check_failed{check="sysinfo/status"} 0'])
    expect(text).toContain(`${line}\n`);
  expect(text).toMatch(/^atpoint_conformance_runs_total [1-9]/m);
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404);
  child.kill("SIGTERM");
  const { code, stdout } = await ended;
  // Printed once, since nothing changed.
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^\S+ conformant \(partial\): 1 passed, [^\n]*\n$/)]);
});

it("only reads, and a port that is taken is wrong use", async () => {
  const end = new AbortController();
  const reading = check("sysinfo/json", {}, async (api) => {
    const reply = await api.call("sysinfo");
    // One round is enough: stop before the next one begins.
    setImmediate(() => end.abort());
    expectSuccess(reply, "sysinfo");
  });
  const writing = check("user.create/json", { effect: "write" }, () => Promise.reject(new Error("it wrote")));
  const suite = { checks: [reading, writing], exclusions: [] };
  const { code, stderr } = await command(["--url", await deploy(), "--watch", "1h"], { suite, signal: end.signal });
  expect([code, stderr]).toEqual([0, ""]);
  const words = ["--watch", "1h", "--metrics", `${await portOf(createServer())}`];
  const refused = await command(["--url", "http://127.0.0.1:1", ...words], { suite });
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("EADDRINUSE") });
});
