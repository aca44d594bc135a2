// What a run must never do, seen from outside: show a key, leave records that no report lists, harm
// the target.
import { networkInterfaces } from "node:os";
import { describe, expect, it, onTestFinished } from "vitest";
import { deploy } from "../proof/kits/deployment.test-kit.ts";
import { launch, launchProgram } from "../proof/kits/process.test-kit.ts";
import type { Arrived } from "../proof/kits/server.test-kit.ts";
import { startService } from "../proof/kits/service.test-kit.ts";
import { startProxy } from "../proof/proxy/server.ts";
import { problemCode } from "../proof/proxy/sniff.ts";
import { calling, emailsIn, script, scripted, watched } from "../run/run.test-kit.ts";
import { brief, file, reported } from "./command.test-kit.ts";

describe("a key", () => {
  const key = "Zq7+vX/2mK=9tR4wY8pL1&c";
  const base64 = Buffer.from(key).toString("base64");
  const spellings = [
    key,
    encodeURIComponent(key),
    base64,
    base64.replaceAll("+", "-").replaceAll("/", "_"),
  ];
  /**
   * Runs of twelve characters in every spelling, and beginnings of eight, ignoring case: the key
   * must not be recoverable.
   */
  const traces = [
    ...spellings.flatMap((text) =>
      Array.from({ length: text.length - 11 }, (_, at) => text.slice(at, at + 12)),
    ),
    key.slice(0, 8),
  ].map((text) => text.toLowerCase());

  it("is in no output of a target that echoes it", async () => {
    const { url, arrived } = await watched({
      accepts: (given) => given === key,
      before: (request) => {
        const type = { "Content-Type": `# x](http://evil) ${request.headers["x-api-key"]}` };
        const isOdd = arrived.length > 20 && request.url.startsWith("/api/?@=user.list");
        return isOdd ? { status: 404, headers: type, body: `\u202e ${request.url}` } : null;
      },
      // Long enough for an excerpt to end within the key.
      status: `${"x".repeat(170)}${key}`,
      headers: {
        "X-Echo": `test ${key} ${encodeURIComponent(key)}`,
        "X-Base64": base64,
        "X-Part": key.slice(0, -1),
        "X-Odd": "\u0085\u009b31m",
        "X-Latest": "latest",
      },
    });
    // Another key is short, and a common word.
    const credentials = file("credentials.json", { full: { key }, revoked: { key: "test" } });
    const words = ["--verbose", "--url", url, "--smoke", "--credentials", credentials];
    const model = { suite: brief, env: { GITHUB_ACTIONS: "true" } };
    const { code, stdout, stderr, report, texts } = await reported(words, model);
    expect(code).toBe(1);
    for (const text of texts) {
      expect(traces.filter((trace) => text.toLowerCase().includes(trace))).toEqual([]);
      expect(text.match(/(x-api-key|x-echo)[^a-z$]{1,12}test/gi)).toBeNull();
      expect(/[^\P{C}\n\t]/u.exec(text)).toBeNull();
      expect(text === stderr || text.includes("not conformant")).toBe(true);
    }
    expect(stdout).toMatch(/^ {2}check {5}credentials\/never-shown;/m);
    expect(stdout).toContain(`X-API-KEY: '"$API_KEY"`);
    expect(stdout).toContain("latest");
    expect(stdout).toContain(
      `  alone     npx atpoint-conformance --verbose --url ${url} --credentials ${credentials} ` +
        "--case '",
    );
    expect(stdout).toMatch(/^::error title=[^:\n]*404 "# x\]\(http%3A\/\/evil\) [^:\n]*::got/m);
    expect(stderr).toMatch(
      /^http:\S+: seed \d+, a first look; what it creates has [0-9a-f]{16} in it\n$/,
    );

    // Other statuses are of what the server of Node rejects itself; and in a query the value would
    // have to be escaped.
    const answered = report.findings.filter(({ exchanges, at }) =>
      [200, 401, 404].includes(exchanges[at]?.response?.status ?? 0),
    );
    const lines = [...new Set(answered.map(({ again }) => again))];
    const again = lines.filter((line) =>
      /^(?:curl|printf) (?!.*[?&][^ ]*\$API_KEY).*\$API_KEY/.test(line),
    );
    expect(again.length).toBeGreaterThan(2);
    const form = ({ method, url: target, rawHeaders, body }: Arrived) =>
      JSON.stringify([method, target, [...rawHeaders].sort(), body.toString()]);
    const before = new Set(arrived.map(form));
    const env = { API_KEY: key, REVOKED_KEY: "test" };
    for (const line of again.slice(0, 12)) {
      arrived.length = 0;
      await launchProgram("sh", ["-c", line], { env }).ended;
      expect(arrived.map((request) => before.has(form(request)) || line)).toEqual([true]);
    }
  });
});

it("creates a limited number of records, names itself before, and lists them all", async () => {
  const greedy = script(
    "user.create/as-sent",
    async (run) => {
      for (let n = 0; n < 2 * run.mostCreated; n += 1) await calling(run, "user.create");
      return null;
    },
    { effect: "write" },
  );
  const { url, arrived } = await watched();
  const words = ["--verbose", "--url", url, "--case", greedy.id];
  const { stdout, stderr, report } = await reported(words, { suite: scripted(greedy) });
  const seen = emailsIn(...arrived);
  expect(seen.length).toBe(120);
  expect(report.created).toEqual(seen);
  expect(new Set(emailsIn(stdout))).toEqual(new Set(seen));
  expect(seen.filter((one) => !one.includes(report.run.id))).toEqual([]);
  expect(stderr).toContain(`what it creates has ${report.run.id} in it`);
});

it("ended by SIGKILL has named all that it wrote", async () => {
  const { url, arrived } = await watched({
    before: () => {
      if (emailsIn(...arrived).length >= 3) child.kill("SIGKILL");
      return null;
    },
  });
  const { child, ended } = launch(["--url", url, "--smoke"]);
  const { code, stderr } = await ended;
  const seen = emailsIn(...arrived);
  expect([code, seen.length]).toEqual([null, expect.toSatisfy((count: number) => count >= 3)]);
  const [, run = "none"] = /what it creates has ([0-9a-f]{16}) in it\n/.exec(stderr) ?? [];
  expect(seen.filter((email) => !email.startsWith(`conformance+${run}-`))).toEqual([]);
});

it("harms nobody where it may only read, and says what it left out", async () => {
  const service = await startService();
  onTestFinished(() => service.stop());
  const codes: string[] = [];
  const bodies: string[] = [];
  const proxy = await startProxy(
    {
      answer: (answer, { body }) => {
        codes.push(problemCode(answer) ?? "");
        bodies.push(body);
        return answer;
      },
    },
    service,
  );
  onTestFinished(proxy.close);
  const words = ["--url", proxy.url, "--credentials", service.credentialsFile, "--read-only"];
  const { code, stdout, report } = await reported(words, { env: {} });
  const { verdict, created, requirements, clauses } = report;
  expect([code, verdict, created], stdout).toEqual([0, "conformant (read only)", []]);
  expect(stdout).not.toContain("FAIL");
  expect(codes.length).toBeGreaterThan(500);
  const harmful =
    /^(malformed-|(content|headers)-too-large|uri-too-long|expectation-failed|request-timeout)/;
  expect(codes.filter((one) => harmful.test(one))).toEqual([]);
  expect(codes.filter((one) => one === "credentials-invalid").length).toBeLessThan(6);
  const large = bodies.filter((body) => body.length > 65_536 || body.includes('"data":{"name"'));
  expect(large).toEqual([]);
  const reasons = requirements.map(({ reason }) => reason);
  for (const what of ["something oversized", "something malformed", "a key that is refused"])
    expect(reasons).toContain(`needs --allow-hostile: it sends ${what}`);
  const untried = expect.stringContaining("only by harming it");
  const [harming, reading] = ["D14", "G6"].map((id) => clauses.find((one) => one.clause === id));
  expect(harming).toMatchObject({ requirements: 0, untried });
  expect(reading).toMatchObject({ requirements: 1, passed: 1, failed: 0, untried: null });
});

/** An address of this machine that is not a loopback address. */
const address = Object.values(networkInterfaces())
  .flat()
  .find((one) => one?.family === "IPv4" && !one.internal)?.address;

it.skipIf(address === undefined)("off loopback a run only reads, and paces itself", async () => {
  const creating = script("user.create/created", async () => null, { effect: "write" });
  const words = ["--url", await deploy({ host: address ?? "" }), "--case", creating.id];
  const { report } = await reported(words, { suite: scripted(creating) });
  const { requirements, run, created, limit } = report;
  expect([created, limit]).toEqual([[], "read only"]);
  const reason = requirements.find(({ id }) => id === "user.create/created")?.reason;
  expect(reason).toMatch(/^needs --allow-write/);
  // 200 ms between the starts of two requests; timers may fire a few milliseconds early.
  expect(run.durationMs).toBeGreaterThan((run.requests.all - 1) * 190);
});
