import { describe, expect, it } from "vitest";
import { contract } from "../../generated/contract.ts";
import { command } from "../test/command.test-kit.ts";
import { deploy, KEY } from "../test/deployment.test-kit.ts";
import { launch } from "../test/process.test-kit.ts";
import { type Arrived, serve } from "../test/server.test-kit.ts";
import { serveTls } from "../test/tls.test-kit.ts";

const { operations } = contract;

describe("a preflight that fails", () => {
  it("says what the base URL is", async () => {
    const url = await deploy();
    const { code, stdout } = await command(["--url", `${url}/api/`]);
    const said = `the base URL is the part before /api/: --url ${url}\n`;
    expect([code, stdout]).toEqual([3, expect.stringContaining(said)]);
  });

  it("says how a certificate is trusted, and so it is", async () => {
    const { url, certificate } = await serveTls(await serve((_, response) => response.end("hello")));
    const { code, stdout } = await command(["--url", url]);
    expect([code, stdout]).toEqual([3, expect.stringContaining("NODE_EXTRA_CA_CERTS=FILE")]);
    const trusted = await launch(["--url", url], { env: { API_KEY: KEY, NODE_EXTRA_CA_CERTS: certificate } }).ended;
    expect(trusted.stdout).toContain("preflight failed: expected that sysinfo answers a JSON document");
    expect(trusted.stdout).not.toContain("NODE_EXTRA_CA_CERTS");
  });
});

const text = { "Content-Type": "text/html" };
const json = { "Content-Type": "application/json" };
const page = (status: number, headers: Record<string, string> = text, body = "<html>") => ({
  before: () => ({ status, headers, body }),
});
const to = (Location: string) => page(302, { ...text, Location });
const silentTo = (operation: string) => ({
  before: ({ url }: Arrived) => (url.includes(operation) ? ("silence" as const) : null),
});
/** Gives this response to requests with the test's key, and the other response to any other. */
const guarded = (status: number, code: string) => ({
  before: ({ headers }: Arrived) =>
    headers["x-api-key"] === KEY ? { status, headers: json, body: JSON.stringify({ code }) } : null,
});
const answering = (part: string, status: number, code: string) => ({
  before: ({ url, body }: Arrived) =>
    `${url} ${body}`.includes(part) && !url.includes("sysinfo")
      ? { status, headers: json, body: JSON.stringify({ code }) }
      : null,
});

const guardedCount = Object.values(operations).filter(({ auth }) => auth).length;

describe("a failed preflight is the end", () => {
  it.each([
    ["a page", page(200), "sysinfo answers a JSON document (sysinfo/json): this is not an Atpoint deployment", 0],
    ["nothing of that name", page(404), "this is not an Atpoint deployment", 0],
    ["another site", to("https://a.example/api/?@=x"), "did you mean --url https://a.example?", 0],
    ["a path elsewhere", to("/v3/api/"), "/v3?", 0],
    ["a login", to("http://[/"), "this is not an Atpoint deployment", 0],
    ["a byte order mark", page(200, json, "\ufeff{}"), "(sysinfo/json)", 0],
    ["another document", page(200, json, "{}"), "(sysinfo/version): expected 3.0.3; got none", 0],
    ["another version", { version: "3.0.2" }, "(sysinfo/version): expected 3.0.3; got 3.0.2", 0],
    ["who lets everybody in", { accepts: () => true }, "a call without a key is refused (user.list/credentials)", 0],
    ["who takes any key", { accepts: (key?: string) => !!key }, "a made-up key is refused (credentials/invalid)", 0],
    ["who knows nobody", { accepts: () => false }, "the key works (user.list/placements)", 1],
    ["who has no user.list", answering("user.list", 404, "operation-not-found"), "the key works", 1],
    [
      "a key of somebody else",
      guarded(401, "credentials-invalid"),
      "; give a key that this deployment knows: API_KEY",
      1,
    ],
    ["another platform", guarded(403, "platform-not-allowed"), "; give a platform that the key is for: PLATFORM", 1],
    ["a refusal in other words", guarded(403, "no"), "; give one that has every scope: ", 1],
    [
      "a key for reading",
      answering("user.create", 403, "scope-missing"),
      "it lacks users:write (user.create); give",
      guardedCount,
    ],
    ["sysinfo that hangs up", silentTo("sysinfo"), "sysinfo answers (sysinfo/json)", 0],
    ["user.list that hangs up", silentTo("user.list"), "every call is answered", 0],
  ] as const)(
    "%s",
    async (_, { before = () => null, ...options }: Parameters<typeof deploy>[0] & object, fault, keys) => {
      const arrived: Arrived[] = [];
      const url = await deploy({
        ...options,
        before: (request) => {
          arrived.push(request);
          return before(request);
        },
      });
      const { code, stdout } = await command(["--url", url]);
      expect([code, stdout]).toEqual([3, expect.stringContaining(fault)]);
      // The reason, and nothing else.
      expect(stdout).toMatch(/^preflight failed: expected that [^\n]*\n$/);
      // A target not yet known to be a deployment never gets the key, and one that rejects it gets it once.
      expect(arrived.filter(({ headers }) => headers["x-api-key"] === KEY)).toHaveLength(keys);
      expect(arrived.filter((request) => request.url.includes(KEY))).toEqual([]);
      expect(arrived.length).toBeLessThan(4 + guardedCount);
    },
  );

  it("leaves a second deployment alone", async () => {
    const { code, stdout } = await command([
      "--url",
      await deploy({ version: "3.0.2" }),
      "--url",
      "http://127.0.0.1:1",
    ]);
    expect([code, stdout]).toEqual([3, expect.not.stringContaining("unreachable")]);
  });
});

it("says what to do if nothing answers", async () => {
  const plain = await deploy({});
  for (const [url, advice] of [
    [plain.replace("http:", "https:"), "TLS: wrong version number (EPROTO); this port does not speak TLS"],
    ["http://127.0.0.1:1", "; nothing listens there"],
    ["http://nobody.invalid", "; there is no such host"],
  ] as const) {
    const { code, stdout } = await command(["--url", url]);
    expect([code, stdout]).toEqual([3, expect.stringContaining(advice)]);
    expect(stdout).toMatch(/^unreachable: expected that [^\n]*\n$/);
  }
});

it("a clock that is off is remarked on, and nothing fails by it", async () => {
  const url = await deploy({ headers: { Date: new Date(Date.now() + 3_600_000).toUTCString() } });
  const { code, stderr } = await command(["--url", url, "--only", "sysinfo/json"]);
  expect([code, stderr]).toEqual([0, expect.stringMatching(/: its clock is (3600|3599) s ahead of ours\n/)]);
});
