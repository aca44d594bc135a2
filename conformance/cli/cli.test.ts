// The command in this process. What needs a process of its own is tested in command.test.ts.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { BOUND_MS } from "../../src/test/patience.ts";
import { contract } from "../contract.ts";
import packageJson from "../package.json" with { type: "json" };
import { deploy, KEY } from "../proof/kits/deployment.test-kit.ts";
import { calling, script, scripted } from "../run/run.test-kit.ts";
import { command, file, reported } from "./command.test-kit.ts";

const NOBODY = ["--url", "http://127.0.0.1:1"];
const NO_FIELD = "API_KEY and PLATFORM must be printable ASCII, without blanks around\n";
const right = async () => null;
const wrong = async () => ({
  aspect: "body",
  expected: "one thing",
  actual: `another, with ${KEY}`,
});

/** Runs nothing but a script of two requirements. */
async function play(
  words: readonly string[] = [],
  find: Parameters<typeof script>[1] = right,
  id = "sysinfo/method",
) {
  const one = script(id, find, { requirements: [id, "sysinfo/time"] });
  return reported(["--url", await deploy(), "--case", one.id, "--seed", "7", ...words], {
    suite: scripted(one),
  });
}

it("every report of a right target is written, each to its file", async () => {
  const limits = [
    "--strict",
    "--timeout",
    `${BOUND_MS}`,
    "--deadline",
    "3600",
    "--concurrency",
    "1",
  ];
  const { code, stdout, report, texts } = await play(limits);
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/^conformant \(partial\): .*requirements: 2 passed, /),
  ]);
  expect(report).toMatchObject({ exitCode: 0, run: { seed: 7 } });
  expect(report.run.command).toContain(limits.join(" "));
  expect(report.requirements).toHaveLength(contract.requirements.length);
  const beginnings = ["<?xml ", "# Conformance report", "<!doctype html>", "{"];
  expect(texts.slice(3).map((text, at) => text.slice(0, beginnings[at]?.length))).toEqual(
    beginnings,
  );
});

describe("the exit code", () => {
  it("is 5 with --complete when something is not selected", async () => {
    expect(await play(["--complete"])).toMatchObject({
      code: 5,
      stdout: expect.stringMatching(/^incomplete: /),
    });
  });

  it("is 1 when a MUST is not met, and 0 for a SHOULD, unless --strict", async () => {
    const { code, stdout } = await play([], wrong);
    expect([code, stdout]).toEqual([1, expect.stringMatching(/^not conformant: .*: 1 failed/)]);
    expect(stdout).toMatch(
      /^ {2}alone {5}atpoint-conformance --url http:.* --only sysinfo\/method --seed 7$/m,
    );
    expect(stdout).toContain("another, with $API_KEY");
    const should = await play([], wrong, "http/body-crumbs");
    expect([should.code, should.stdout]).toEqual([
      0,
      expect.stringMatching(/^conformant \(partial\): .*: 1 failed/),
    ]);
    const strict = await play(["--strict"], wrong, "http/body-crumbs");
    expect([strict.code, strict.stdout]).toEqual([1, expect.stringMatching(/^not conformant/)]);
  });

  it.each<[string, string, NodeJS.ProcessEnv?]>([
    ["--only ysinfo/*", "no requirement matches ysinfo/*; see --list\n"],
    ["--only sysinfo/statu", "sysinfo/statu (did you mean sysinfo/status?)"],
    ["--skip sysinfo.status", "no requirement matches sysinfo.status"],
    ["--level WISH", "--level"],
    ["--concurrency 0", "an integer from 1 to 64"],
    ["--unknown", "unknown option"],
    ["--url http://b --url http://c", "one deployment, or two"],
    ["--exceptions e.json", "no second"],
    ["--credentials a --credentials b", "one file for each"],
    ["--known-failures /nowhere", "--known-failures /nowhere"],
    ["--credentials /nowhere", "cannot be read"],
    ["--explain no/such", "no such requirement or clause"],
    ["--junit /nowhere/report", "--junit /nowhere/report"],
    ["", "no key for http://127.0.0.1:1", {}],
    ["", NO_FIELD, { API_KEY: "a\nb" }],
    ["", NO_FIELD, { API_KEY: " key" }],
    ["", NO_FIELD, { API_KEY: "key", PLATFORM: "\u00e9" }],
  ])("is 2 for '%s': %s", async (words, message, env) => {
    const { code, stdout, stderr } = await command(
      [...NOBODY, ...words.split(" ").filter(Boolean)],
      env && { env },
    );
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringContaining(message)]);
  });

  it("is 2 without an address, for one that is none, for a case that there is not, and for a file of no keys", async () => {
    const url = ["--url", await deploy()];
    for (const [words, message] of [
      [[], "--url is missing"],
      [["--url", "nonsense"], "--url"],
      [[...url, "--case", "user.list no such row"], '"user.list no such row"'],
      ...[
        '["secret"]',
        '{"secret',
        '{"x":{"key":"secret"}}',
        '{"full":{"key":"secret\\n"}}',
        '{"full":"secret"}',
      ].map(
        (content) => [[...url, "--credentials", file("c.json", content)], "--credentials"] as const,
      ),
    ] as const) {
      const { code, stdout, stderr } = await command(words);
      expect([code, stdout, stderr]).toEqual([2, "", expect.stringContaining(message)]);
      expect(stderr).not.toContain("secret");
    }
  });

  it("is 3 when nobody is there, and says so once", async () => {
    const { code, stdout } = await command([...NOBODY, "--seed", "7"]);
    const once = /^unreachable: expected that the target is reachable: [^\n]*; seed 7\n$/;
    expect([code, stdout]).toEqual([3, expect.stringMatching(once)]);
  });

  it("is 4 when a script itself fails, and names it", async () => {
    for (const thrown of [new TypeError("a mistake"), "a mistake"])
      expect(await play([], () => Promise.reject(thrown))).toMatchObject({
        ...{ code: 4, stdout: expect.stringContaining("own sysinfo/method: a mistake") },
      });
  });

  it("is 4 when a report cannot be written in the end; the others are whole", async () => {
    const junit = file("report.xml");
    const suite = scripted(script("sysinfo/method", right));
    const words = ["--case", "own sysinfo/method", "--json", "/dev/full", "--junit", junit];
    const { code, stdout, stderr } = await command(["--url", await deploy(), ...words], { suite });
    expect([code, stdout]).toEqual([4, expect.stringContaining("conformant (partial)")]);
    expect(stderr).toMatch(/^not written: --json \/dev\/full: ENOSPC/m);
    expect(readFileSync(junit, "utf8")).toContain("</testsuites>");
  });

  it("is 5 when the run is interrupted before it begins, and the report is written", async () => {
    const interrupted = { verdict: "incomplete", exitCode: 5, stopped: "the run was interrupted" };
    expect(
      await reported(["--url", await deploy()], { signal: AbortSignal.abort() }),
    ).toMatchObject({
      ...{
        code: 5,
        report: interrupted,
        stdout: expect.stringContaining("the run was interrupted"),
      },
    });
  });
});

describe("options", () => {
  it("--help and --version end with 0; no option has a default that says nothing", async () => {
    const { stdout } = await command(["--help"]);
    expect(stdout).toContain("Exit codes: 0 conformant");
    expect(stdout).not.toMatch(/default: \[\]|so long apart|Judges/);
    expect(await command(["--version"])).toMatchObject({
      code: 0,
      stdout: `${packageJson.version}\n`,
    });
  });

  it.each([1, 2])(
    "--concurrency says how many are played at once, but for those that want to be alone: %i",
    async (width) => {
      let [running, most, beside] = [0, 0, 0];
      const counting = (isAlone: boolean) =>
        script(
          "sysinfo/method",
          async (run) => {
            running += 1;
            most = Math.max(most, running);
            await calling(run);
            if (isAlone) beside = Math.max(beside, running - 1);
            running -= 1;
            return null;
          },
          isAlone ? { alone: true } : {},
        );
      const words = [
        "--url",
        await deploy(),
        "--case",
        "own sysinfo/method",
        "--concurrency",
        `${width}`,
      ];
      await command(words, { suite: scripted(...[true, true, false, false, false].map(counting)) });
      expect([most, beside]).toEqual([width, 0]);
    },
  );

  it("--list and --explain need no target", async () => {
    const { code, stdout } = await command(["--list"], { env: {} });
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining("http/headers-timeout  MUST  decided  D13\n"),
    ]);
    expect(stdout.trimEnd().split("\n")).toHaveLength(contract.requirements.length);
    for (const [id, said] of [
      ["credentials/revoked", "A key that was revoked is rejected"],
      ["http/headers-timeout", "hostile, slow"],
      ["credentials/never-shown", "checked of every response that it is about"],
      ["user.list/json", "operation user.list"],
      ["D26", "user.list/limit-range: `limit` is an integer from 1 to 200"],
    ] as const)
      expect((await command(["--explain", id], { env: {} })).stdout).toContain(said);
  });

  it("--dry-run sends nothing, and says what --only, --skip and --level leave out", async () => {
    const choice = ["--only", "sysinfo/s*", "--only", "http/body-crumbs", "--only", "sysinfo/m*"];
    const words = [
      "--url",
      "https://one.invalid",
      "--dry-run",
      ...choice,
      "--skip",
      "sysinfo/m*",
      "--level",
      "MUST",
    ];
    const { code, stdout } = await command(words, { env: {} });
    expect([code, stdout]).toEqual([0, expect.stringContaining("check sysinfo/status")]);
    expect(stdout).toContain("leave sysinfo/time: outside --only");
    expect(stdout).toContain("leave sysinfo/method: skipped by --skip");
    expect(stdout).toContain("leave http/body-crumbs: outside --level MUST");
  });

  it("colours a terminal, unless told not to, and takes away how far it is", async () => {
    const suite = scripted(script("sysinfo/method", right));
    const words = ["--url", await deploy(), "--case", "own sysinfo/method"];
    const coloured = (env: NodeJS.ProcessEnv) =>
      command(words, { suite, env: { API_KEY: KEY, ...env }, isTTY: true });
    const { stdout, stderr } = await coloured({});
    expect([stdout.includes("\x1b[32m"), stderr.endsWith("left\r\x1b[K")]).toEqual([true, true]);
    expect((await coloured({ NO_COLOR: "1" })).stdout).not.toContain("\x1b");
  });

  it("what is allowed on loopback is all that is done there, when something is allowed", async () => {
    const first = async (...words: string[]) => (await play(words)).stdout.split("\n", 1)[0];
    expect(await first()).not.toContain("--allow-");
    expect(await first("--allow-write")).toMatch(/to check the rest: --allow-hostile/);
  });

  it("--slow and --credentials bring in what needs them", async () => {
    const ids = ["http/headers-timeout", "credentials/revoked"];
    const [slow, keyed] = [{ slow: true }, { needs: ["revoked"] }] as const;
    const scripts = ids.map((requirement, at) =>
      script(requirement, right, { id: "own", ...[slow, keyed][at] }),
    );
    const words = ["--url", await deploy(), "--case", "own"];
    const outcomes = async (...more: string[]) => {
      const { report } = await reported([...words, ...more], { suite: scripted(...scripts) });
      return report.requirements.flatMap(({ id, reason, outcome }) =>
        ids.includes(id) ? [reason ?? outcome] : [],
      );
    };
    const lacking = ["needs another key: revoked", "waits for a time-out: needs --slow"];
    expect((await outcomes()).sort()).toEqual(lacking);
    const credentials = file("credentials.json", {
      full: { key: KEY },
      revoked: { key: "another" },
    });
    expect(await outcomes("--slow", "--credentials", credentials)).toEqual(["passed", "passed"]);
  });
});

const { requirements } = contract;
const read = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), "utf8");
const readme = read("conformance/README.md");

it("the guide names requirements that there are, without variants, and says rightly which levels there are", () => {
  const known = new Set<string>(requirements.map(({ id }) => id));
  const areas = new Set([...known].map((id) => id.split("/", 1)[0]));
  const named = [...readme.matchAll(/(?<![\w./-])([\w.]+)\/[\w-]+(?:#[\w.-]+)?/g)].flatMap(
    ([id, area]) => (areas.has(area) ? [id] : []),
  );
  expect(new Set(named).size).toBeGreaterThan(1);
  expect(named.filter((id) => !known.has(id))).toEqual([]);
  expect(readme).toContain("Every requirement is a MUST but one: `http/body-crumbs` is a SHOULD");
  const others = requirements.flatMap(({ id, level }) =>
    level === "MUST" ? [] : [`${id} ${level}`],
  );
  expect(others).toEqual(["http/body-crumbs SHOULD"]);
});

it("a guide runs nothing by a name that anybody could take in the registry", () => {
  for (const guide of ["conformance/README.md", "README.md", "scripts/deploy/README.md"])
    expect(read(guide).match(/\bnpx (?!--no-install )[^`\n]*atpoint/)).toBeNull();
  expect(new Set(readme.match(/atpoint-conformance-\S+tgz/g))).toEqual(
    new Set(["atpoint-conformance-*.tgz", "atpoint-conformance-VERSION.tgz"]),
  );
});

it("the guide has at most 900 words outside its blocks of code", () => {
  expect(readme.replace(/^```.*?^```$/gms, "").match(/\S*\w\S*/g)?.length).toBeLessThanOrEqual(900);
});
