import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { deploy, KEY } from "../proof/kits/deployment.test-kit.ts";
import { command, file } from "./command.test-kit.ts";

/** Repeats what it gets, and sends what no report may obey. */
function odd(): Promise<string> {
  let arrived = 0;
  return deploy({
    headers: { "X-Odd": "\u0085\u009b31m", "X-Echo": KEY.slice(0, 12) },
    before: ({ url, headers }) => {
      arrived += 1;
      const type = { "Content-Type": `# x](http://evil) ${headers["x-api-key"]}` };
      return arrived > 20 ? { status: 404, headers: type, body: `\u202e ${url}` } : null;
    },
  });
}

it("writes every report of a broken deployment; its key is in none, nor a character that a terminal obeys", async () => {
  const url = await odd();
  const names = ["json", "junit", "markdown", "html", "sarif"];
  const files = new Map(names.map((name) => [name, file(`report.${name}`)]));
  const words = [...files].flatMap(([name, to]) => [`--${name}`, to]);
  const options = ["--url", url, "--seed", "1", "--max-failures", "20", "--verbose", ...words];
  const { code, stdout, stderr } = await command(options, { env: { API_KEY: KEY, GITHUB_ACTIONS: "true" } });
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^http:\S+: seed 1, \d+ covering cases and \d+ drawn; what it creates has [0-9a-f]{16} in it\n$/,
  );
  expect(stdout.split("\n", 1)[0]).toMatch(
    /^not conformant: [\d,]+ of [\d,]+ cases; \d+ requirements: \d+ failed, .*; partial; to check the rest: .*keys \(.*\); seed 1$/,
  );
  expect(stdout).toMatch(/^Stopped: the run ended after \d+ failures \(--max-failures\)$/m);
  expect(stdout).toMatch(/^ {2}again {5}curl -q/m);
  expect(stdout).toContain(`  alone     atpoint-conformance --url ${url} --verbose --case '`);
  expect(stdout).toMatch(/^::error title=[^:\n]*404 "# x\]\(http%3A\/\/evil\) undefined"[^:\n]*::expected/m);
  const reports = [["stdout", stdout], ...[...files].map(([name, to]) => [name, readFileSync(to, "utf8")])];
  for (const [name, text = ""] of reports) {
    expect([name, text.includes("not conformant")]).toEqual([name, true]);
    for (let length = 8; length <= KEY.length; length += 1) expect(text).not.toContain(KEY.slice(0, length));
    expect([name, /[^\P{C}\n]/u.exec(text)]).toEqual([name, null]);
  }
});

it("writes a report that nobody asked for to the cache of its user, and replaces it; none where it cannot", async () => {
  const url = await deploy();
  const cache = path.dirname(file("x"));
  const run = (env: NodeJS.ProcessEnv, ...words: string[]) =>
    command(["--url", url, "--max-failures", "1", ...words], { env: { API_KEY: KEY, ...env } });
  const to = path.join(cache, "atpoint-conformance", "report.html");
  expect((await run({ XDG_CACHE_HOME: cache }, "--quiet")).stdout).toMatch(/^not conformant: .*\n$/);
  expect(existsSync(to)).toBe(false);
  for (const env of [{ XDG_CACHE_HOME: cache }, { XDG_CACHE_HOME: cache, HOME: "/" }])
    expect((await run(env)).stdout).toContain(`\nEvery exchange of each finding: ${to}\n`);
  expect([statSync(path.dirname(to)).mode & 0o777, statSync(to).mode & 0o777]).toEqual([0o700, 0o600]);
  expect(readFileSync(to, "utf8")).toContain("</html>");
  for (const env of [{}, { XDG_CACHE_HOME: "/dev/null" }])
    expect((await run(env)).stdout).not.toContain("Every exchange");
});

it("shows how far it is on a terminal, and takes that away", async () => {
  const { stderr } = await command(["--url", await odd(), "--max-failures", "20"], { isTTY: true });
  const [, ...lines] = stderr.split("\r\u001b[K");
  expect(lines[0]).toMatch(/^\d+ of \d+, \d+ failed, about \d+ s left$/);
  expect(lines.at(-1)).toBe("");
});

it("says that a preflight failed, and wants a key, and files that can be written", async () => {
  const gone = await command(["--url", "http://127.0.0.1:1", "--seed", "7"]);
  expect(gone).toMatchObject({
    code: 3,
    stdout: expect.stringMatching(/^unreachable: .*nothing listens there.*; seed 7\n$/),
  });
  const keyless = await command(["--url", "http://127.0.0.1:1"], { env: {} });
  expect(keyless).toMatchObject({ code: 2, stderr: expect.stringContaining("no key for http://127.0.0.1:1") });
  const nowhere = await command(["--url", "http://127.0.0.1:1", "--json", "/no/such/file.json"]);
  expect(nowhere).toMatchObject({
    code: 2,
    stdout: "",
    stderr: expect.stringMatching(/^--json \/no\/such\/file\.json: .*\n$/),
  });
});
