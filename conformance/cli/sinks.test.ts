// The files of the reports, written by a process of its own.
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { file } from "../test/command.test-kit.ts";
import { deploy } from "../test/deployment.test-kit.ts";
import { launch } from "../test/process.test-kit.ts";

describe("a report that cannot be written", () => {
  it.each(["--json", "--junit", "--html", "--markdown"])("is wrong use, and nothing is sent: %s", async (flag) => {
    let requests = 0;
    const url = await deploy({
      before: () => {
        requests += 1;
        return null;
      },
    });
    const { code, stdout, stderr } = await launch(["--url", url, flag, "/nowhere/report"]).ended;
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringContaining("/nowhere/report")]);
    expect(requests).toBe(0);
  });

  it("leaves the others whole, and is said", async () => {
    const junit = file("report.xml");
    const html = path.join(path.dirname(junit), "report.html");
    const words = ["--url", await deploy(), "--only", "sysinfo/status"];
    const reports = ["--json", "/dev/full", "--junit", junit, "--html", html];
    const { code, stdout, stderr } = await launch([...words, ...reports]).ended;
    expect([code, stdout]).toEqual([4, expect.stringContaining("conformant (partial)")]);
    expect(stderr).toMatch(/^not written: \/dev\/full: ENOSPC/m);
    for (const name of [junit, html]) expect(readFileSync(name, "utf8")).toContain("sysinfo/status");
  });
});
