// The command in this process. What needs a process of its own is tested in command.slow.test.ts.
import { readFileSync } from "node:fs";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { BOUND_MS } from "../../src/test/patience.ts";
import { contract } from "../contract.ts";
import { createOracle } from "../oracle/predict.ts";
import packageJson from "../package.json" with { type: "json" };
import { packaged } from "../packaged.ts";
import { deploy, KEY } from "../proof/kits/deployment.test-kit.ts";
import { calling, script, scripted } from "../run/run.test-kit.ts";
import type { Suite } from "../run/state.ts";
import { command, file, reported } from "./command.test-kit.ts";
import { fileMessageOf } from "./usage.ts";

const NOBODY = ["--url", "http://127.0.0.1:1"];
const NO_FIELD = "API_KEY and PLATFORM must be printable ASCII, without blanks around\n";
const right = async () => null;
const wrong = async () => ({
  aspect: "body",
  expected: "one thing",
  actual: `another, with ${KEY}`,
});

/** The suite of a contract in which this requirement is a SHOULD; in ours, each is a MUST. */
function withShould(should: string, suite: Suite): Suite {
  const { contract, operationExtensions } = suite.oracle;
  const requirements = contract.requirements.map((requirement) => ({
    ...requirement,
    level: requirement.id === should ? ("SHOULD" as const) : requirement.level,
  }));
  return { ...suite, oracle: createOracle({ ...contract, requirements }, operationExtensions) };
}

/** Runs nothing but a script of two requirements, the first of which may be a SHOULD. */
async function play(
  words: readonly string[] = [],
  find: Parameters<typeof script>[1] = right,
  isShould = false,
) {
  const id = "sysinfo/method";
  const suite = scripted(script(id, find, { requirements: [id, "sysinfo/time"] }));
  const [{ id: caseId } = { id: "" }] = suite.scripts;
  return reported(["--url", await deploy(), "--case", caseId, "--seed", "7", ...words], {
    suite: isShould ? withShould(id, suite) : suite,
  });
}

it("every report of a right target is written, each to its file", async () => {
  const numbers = `--timeout ${BOUND_MS} --deadline 3600 --concurrency 1`;
  const limits = `--strict ${numbers}`;
  const { code, stdout, report, texts } = await play(limits.split(" "));
  expect([code, report.exitCode, report.run.seed]).toEqual([0, 0, 7]);
  expect(stdout).toMatch(/^conformant \(partial\)\n {2}passed {4}2\n {2}skipped {3}\d+\n/m);
  expect(report.run.command).toContain(limits);
  expect(report.requirements).toHaveLength(contract.requirements.length);
  const beginnings = [/^<\?xml /, /^# Conformance report/, /^<!doctype html>/];
  for (const [at, form] of beginnings.entries()) expect(texts[3 + at]).toMatch(form);
});

describe("the exit code", () => {
  it("is 5 with --complete when something is skipped", async () => {
    const { code, stdout } = await play(["--complete"]);
    expect([code, stdout]).toEqual([5, expect.stringMatching(/^incomplete\n/m)]);
  });

  it("is 1 when a MUST is not met, and 0 for a SHOULD, unless --strict", async () => {
    const { code, stdout } = await play([], wrong);
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(/^not conformant\n {2}failed {4}1\n/m),
    ]);
    expect(stdout.split("\n").slice(0, 3)).toEqual([
      "FAIL body (sysinfo/method)",
      "  got       another, with $API_KEY",
      "  expected  one thing",
    ]);
    expect(stdout).toMatch(
      /^ {2}alone {5}npx atpoint-conformance .* --only sysinfo\/method --seed 7$/m,
    );
    expect(await play([], wrong, true)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^conformant \(partial\)\n {2}failed {4}1\n/m),
    });
    expect((await play(["--strict"], wrong, true)).code).toBe(1);
  });

  it.each<[string, string, NodeJS.ProcessEnv?]>([
    ["--only ysinfo/*", "no requirement matches ysinfo/*; see --list\n"],
    ["--only sysinfo/statu", "sysinfo/statu (did you mean sysinfo/status?)"],
    ["--level WISH", "--level"],
    ["--concurrency 0", "an integer from 1 to 64"],
    ["--unknown", "unknown option"],
    ["--url http://b --url http://c", "one deployment, or two"],
    ["--exceptions e.json", "no second"],
    ["--credentials a --credentials b", "one file for each"],
    ["--known-failures /nowhere", "--known-failures /nowhere: does not exist\n"],
    ["--known-failures /", "--known-failures /: is a folder\n"],
    ["--credentials /nowhere", "--credentials /nowhere: does not exist\n"],
    ["--credentials /", "--credentials /: is a folder\n"],
    ["--contract /dev/null/x", "--contract /dev/null/x: does not exist\n"],
    ["--extensions /nowhere", "--extensions /nowhere: does not exist\n"],
    ["--extensions /", "--extensions /: is a folder\n"],
    ["--recorded /nowhere", "--recorded /nowhere: does not exist\n"],
    ["--recorded /", "--recorded /: is a folder\n"],
    ["--explain no/such", "no such requirement or clause"],
    ["--junit /nowhere/report", "--junit /nowhere: does not exist\n"],
    ["--origin given", "no key for http://127.0.0.1:1", {}],
    ["", NO_FIELD, { API_KEY: "a\nb" }],
    ["", NO_FIELD, { API_KEY: "key", PLATFORM: "\u00e9" }],
  ])("is 2 for '%s': %s", async (words, message, env) => {
    const all = [...NOBODY, ...words.split(" ").filter(Boolean)];
    const rejected = { code: 2, stdout: "", stderr: expect.stringContaining(message) };
    expect(await command(all, env && { env })).toEqual(rejected);
  });

  it.each<[words: string, message: string, content?: string]>([
    ["", "--url is missing"],
    ["--url 127.0.0.1:4500", 'the scheme is missing; write "http://127.0.0.1:4500"\n'],
    ["--url localhost:4500", 'the scheme is missing; write "http://localhost:4500"\n'],
    ["--url api.example.com/x", 'write "https://api.example.com/x"\n'],
    ["--url name:secret@host", "--url: no user or password in the address"],
    ["--url http://", "--url http://: not an address"],
    ["--url URL --case none", '"none"'],
    ["--url URL --credentials", "c.json: not JSON at line 2\n", '{"full":\nsecret}'],
    ["--url URL --known-failures", "c.json: not JSON at line 3\n", '[\n{\n"id"\n\n'],
    ["--url URL --contract", "c.json: not JSON at line 1\n", "\u20ac"],
    ["--url URL --recorded", 'c.json: not JSON at line 1, column 1: unexpected "?"\n', "?"],
    ...['["secret"]', '{"secret', '{"x":{"key":"secret"}}', '{"full":"secret"}'].map(
      (content): [string, string, string] => ["--url URL --credentials", "--credentials", content],
    ),
    ["--url URL --credentials", "--credentials", '{"full":{"key":"secret\\n"}}'],
  ])("is 2 for '%s', %s %s", async (words, message, content) => {
    const url = await deploy();
    const all = words.replace("URL", url).split(" ").filter(Boolean);
    const { code, stdout, stderr } = await command(
      content === undefined ? all : [...all, file("c.json", content)],
    );
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringContaining(message)]);
    expect(stderr).not.toContain("secret");
  });

  it("is 2 for a module that has no extension", async () => {
    const module = file("extension.mjs", 'export default { id: "own", law: [] };');
    const { code, stdout, stderr } = await command([...NOBODY, "--extensions", module]);
    const message = `--extensions ${module}: it is no extension: law is unknown\n`;
    expect([code, stdout, stderr]).toEqual([2, "", message]);
  });

  it("is 4 when a script itself fails, and names it", async () => {
    for (const thrown of [new TypeError("a mistake"), "a mistake"])
      expect(await play([], () => Promise.reject(thrown))).toMatchObject({
        code: 4,
        stdout: expect.stringContaining("own sysinfo/method: a mistake"),
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
});

it("says that a file may not be read", () => {
  expect(fileMessageOf({ code: "EACCES" })).toBe("you have no permission");
});

describe("options", () => {
  it("--help and --version end with 0; no option has a default that says nothing", async () => {
    const { stdout } = await command(["--help"]);
    expect(stdout).toContain("Exit codes: 0 conformant");
    expect(stdout).not.toMatch(/default: \[\]|so long apart|Judges/);
    const version = { code: 0, stdout: `${packageJson.version}\n`, stderr: "" };
    expect(await command(["--version"])).toEqual(version);
  });

  it.each([1, 2])("--concurrency %i plays as many at once, but for those alone", async (width) => {
    let [running, most, beside] = [0, 0, 0];
    const counting = (alone: boolean) =>
      script(
        "sysinfo/method",
        async (run) => {
          running += 1;
          most = Math.max(most, running);
          await calling(run);
          if (alone) beside = Math.max(beside, running - 1);
          running -= 1;
          return null;
        },
        alone ? { alone } : {},
      );
    const words = ["--case", "own sysinfo/method", "--concurrency", `${width}`];
    const suite = scripted(...[true, true, false, false, false].map(counting));
    await command(["--url", await deploy(), ...words], { suite });
    expect([most, beside]).toEqual([width, 0]);
  });

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
    const only = "--only sysinfo/s* --only http/parallel --only sysinfo/m*";
    const words = `--url https://one.invalid --dry-run ${only} --skip sysinfo/m* --level MUST`;
    const suite = withShould("http/parallel", packaged);
    const { code, stdout } = await command(words.split(" "), { suite, env: {} });
    expect(code).toBe(0);
    for (const line of [
      "check sysinfo/status",
      "leave sysinfo/time: outside --only",
      "leave sysinfo/method: skipped by --skip",
      "leave http/parallel: outside --level MUST",
    ])
      expect(stdout).toContain(line);
  });

  it("says after the first 429 how long the run takes, and what makes it fast", async () => {
    let isLimited = false;
    const url = await deploy({
      before: () => {
        const answer = isLimited ? { status: 429, headers: { "Retry-After": "0" } } : null;
        isLimited = false;
        return answer;
      },
    });
    const limiting = script("sysinfo/method", async (run) => {
      await calling(run);
      isLimited = true;
      return null;
    });
    const words = ["--url", url, "--case", limiting.id, "--concurrency", "1"];
    const { stderr } = await command(words, { suite: scripted(limiting, limiting, limiting) });
    expect(stderr.match(/this run takes about \d+ s more; .* RATE_LIMITS=off$/gm)).toHaveLength(1);
  });

  it.each([
    ["--list"],
    ["--explain sysinfo/time"],
    ["--url http://127.0.0.1:1"],
    ["--url http://127.0.0.1:1 --dry-run"],
    ["--url http://127.0.0.1:1 --recorded /dev/null"],
  ])("names no seed and announces nothing where no case is sent: %s", async (words) => {
    const { stdout, stderr } = await command(words.split(" "));
    expect(stdout).not.toMatch(/seed/);
    expect([stdout.length > 50, stderr]).toEqual([true, ""]);
  });

  it("colours a terminal, unless told not to, and takes away how far it is", async () => {
    let now = 0;
    const clock = vi.spyOn(performance, "now").mockImplementation(() => (now += 1000));
    onTestFinished(() => clock.mockRestore());
    const suite = scripted(script("sysinfo/method", right), script("sysinfo/method", right));
    const words = ["--url", await deploy(), "--case", "own sysinfo/method"];
    const coloured = (env: NodeJS.ProcessEnv) =>
      command(words, { suite, env: { API_KEY: KEY, ...env }, isTTY: true });
    const { stdout, stderr } = await coloured({});
    expect([stdout.includes("\x1b[32m"), stderr.endsWith("left\r\x1b[K")]).toEqual([true, true]);
    expect((await coloured({ NO_COLOR: "1" })).stdout).not.toContain("\x1b");
  });

  it("an option for loopback allows that alone", async () => {
    const lacking = async (...words: string[]) => (await play(words)).report.missing.options;
    expect(await lacking()).not.toContain("--allow-write");
    expect(await lacking("--allow-write")).toContain("--allow-hostile");
  });

  it("--slow and --credentials bring in what needs them", async () => {
    const [slow, revoked] = ["http/headers-timeout", "credentials/revoked"];
    const suite = scripted(
      script(slow, right, { id: "own", slow: true }),
      script(revoked, right, { id: "own", needs: ["revoked"] }),
    );
    const words = ["--url", await deploy(), "--case", "own"];
    const outcomes = async (...extraOptions: string[]) => {
      const { report } = await reported([...words, ...extraOptions], { suite });
      const results = report.requirements.filter(({ id }) => [slow, revoked].includes(id));
      return results.map(({ reason, outcome }) => reason ?? outcome).sort();
    };
    const lacking = ["needs another key: revoked", "waits for a time-out: needs --slow"];
    expect(await outcomes()).toEqual(lacking);
    const credentials = file("c.json", { full: { key: KEY }, revoked: { key: "another" } });
    expect(await outcomes("--slow", "--credentials", credentials)).toEqual(["passed", "passed"]);
  });
});

const { requirements } = contract;
const read = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), "utf8");
const readme = read("conformance/README.md");

it("the guide names known requirements and their levels", () => {
  const known = new Set<string>(requirements.map(({ id }) => id));
  const areas = new Set([...known].map((id) => id.split("/", 1)[0]));
  const named = [...readme.matchAll(/(?<![\w./-])([\w.]+)\/[\w-]+(?:#[\w.-]+)?/g)].flatMap(
    ([id, area]) => (areas.has(area) ? [id] : []),
  );
  expect(new Set(named).size).toBeGreaterThan(1);
  expect(named.filter((id) => !known.has(id))).toEqual([]);
  expect(readme).toContain("Every requirement is a MUST.");
  expect(requirements.filter(({ level }) => level !== "MUST")).toEqual([]);
});

it("names the packed file as npm writes it", () => {
  expect(new Set(readme.match(/atpoint-conformance-\S+tgz/g))).toEqual(
    new Set(["atpoint-conformance-*.tgz", "atpoint-conformance-VERSION.tgz"]),
  );
});

it("the guide has at most 800 words", () => {
  expect(readme.match(/\S*\w\S*/g)?.length).toBeLessThanOrEqual(800);
});
