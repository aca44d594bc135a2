// The lines that repeat a finding: the requests of `again`, and the command of `alone`.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { packaged } from "../packaged.ts";
import { deploy, KEY } from "../proof/kits/deployment.test-kit.ts";
import { plainExchange } from "../run/exchange.ts";
import type { Script } from "../run/state.ts";
import { brief, command, file } from "./command.test-kit.ts";

/** Finds a fault in what creates a record; the next request is right. */
const creating: Script = {
  ...{ id: "creating", requirements: ["user.create/listed"], effect: "write" },
  async *run(run) {
    const { "user.create": create, sysinfo } = run.suite.oracle.contract.operations;
    const before = sysinfo && (await plainExchange(run, sysinfo, sysinfo.example));
    const created = create && (await plainExchange(run, create, run.inputs.fresh(create)));
    if (!before || !created) throw new Error("not carried out");
    const what = { aspect: "state", expected: "to be undone", actual: `${created.response?.status}` };
    const place = { exchanges: [before, created], at: 1, case: null };
    yield { requirement: "user.create/listed", source: "script", ...what, ...place };
  },
};

const suite = { ...packaged, covering: [], scripts: [creating] };

it("the requests of a finding are sent again up to the one that it is about, each time with a new address", async () => {
  const arrived: string[] = [];
  const url = await deploy({
    before: ({ body }) => {
      arrived.push(...(body.toString().match(/conformance\+[0-9a-f]{16}-\d+@example\.com/) ?? []));
      return null;
    },
  });
  const json = file("report.json");
  await command(["--url", url, "--json", json, "--case", creating.id], { suite });
  const { findings } = JSON.parse(readFileSync(json, "utf8"));
  const found = findings.find(({ script }: { script: string }) => script === creating.id);
  expect(found).toMatchObject({ at: 1, operation: "user.create" });
  expect(found.again).not.toContain(KEY);
  const sent = arrived.length;
  for (const _time of [1, 2])
    await promisify(execFile)("sh", ["-c", found.again], { env: { PATH: process.env.PATH, API_KEY: KEY } });
  expect(arrived).toHaveLength(sent + 2);
  expect(new Set(arrived).size).toBe(sent + 2);
});

describe("the command of one finding alone", () => {
  const aloneOf = async (words: readonly string[], env: NodeJS.ProcessEnv = {}) => {
    const json = file("report.json");
    const own = ["--url", await deploy(), "--json", json, "--case", creating.id];
    const { stdout } = await command([...own, ...words], { suite, env: { API_KEY: KEY, ...env } });
    const { findings, run } = JSON.parse(readFileSync(json, "utf8"));
    const found = findings.find(({ script }: { script: string }) => script === creating.id);
    expect(stdout).toContain(run.command);
    return String(found.alone);
  };

  it("keeps what the run was given, and is ready to paste into a shell", async () => {
    const kept = ["--allow-write", "--allow-hostile", "--slow", "--strict", "--timeout", "20000"];
    const alone = await aloneOf([...kept, "--seed", "5", "--max-failures", "9", "--header", "X-It: it's"]);
    expect(alone).toContain(kept.join(" "));
    expect(alone).toContain(' --header "X-It: $HEADER_X_IT"');
    expect(alone).toMatch(/^atpoint-conformance --url http:\S+ .* --only user\.create\/listed --seed 5$/);
    expect(alone).not.toMatch(/--json|--max-failures/);
  });

  it.each([
    ["conformance", "tsx conformance/cli/bin.ts", "npm run -s conformance -- "],
    ["judge", "tsx conformance/cli/bin.ts --strict", "atpoint-conformance "],
    ["npx", "atpoint-conformance", "npx --no-install atpoint-conformance "],
  ])("begins as the command was started: %s", async (npm_lifecycle_event, npm_lifecycle_script, line) => {
    const alone = await aloneOf([], { npm_lifecycle_event, npm_lifecycle_script });
    expect(alone.startsWith(line)).toBe(true);
  });

  it("brings a case back, whose id has blanks", async () => {
    const json = file("report.json");
    const url = await deploy({ status: "Down" });
    await command(["--url", url, "--json", json, "--max-failures", "3"], { suite: brief });
    const { findings } = JSON.parse(readFileSync(json, "utf8"));
    const found = findings.find((one: { case: string | null }) => one.case?.includes(" "));
    const again = await command(["--url", url, "--case", found.case]);
    expect(again).toMatchObject({ code: 1, stdout: expect.stringContaining(found.requirement) });
    expect(found.alone).toMatch(new RegExp(`--case '${found.case.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}'`));
  });
});
