import { readFileSync } from "node:fs";
import https from "node:https";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { command, file } from "../test/command.test-kit.ts";
import { deploy, KEY } from "../test/deployment.test-kit.ts";
import { launch, launchProgram } from "../test/process.test-kit.ts";
import { type Arrived, listen } from "../test/server.test-kit.ts";

/** A server whose certificate nobody has signed but itself. */
async function serveTls(): Promise<{ url: string; certificate: string }> {
  const key = file("key.pem");
  const certificate = path.join(path.dirname(key), "certificate.pem");
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const name = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "1"];
  await launchProgram("openssl", ["req", "-x509", ...curve, ...name, "-keyout", key, "-out", certificate]).ended;
  const server = https.createServer({ key: readFileSync(key), cert: readFileSync(certificate) }, (_, response) => {
    response.end("hello");
  });
  return { url: (await listen(server)).replace("http:", "https:"), certificate };
}

describe("a preflight that fails", () => {
  it("says what the base URL is", async () => {
    const url = await deploy();
    const { code, stdout } = await command(["--url", `${url}/api/`]);
    const said = `the base URL is the part before /api/: --url ${url}\n`;
    expect([code, stdout]).toEqual([3, expect.stringContaining(said)]);
  });

  it("says how a certificate is trusted, and so it is", async () => {
    const { url, certificate } = await serveTls();
    const { code, stdout } = await command(["--url", url]);
    expect([code, stdout]).toEqual([3, expect.stringContaining("NODE_EXTRA_CA_CERTS=FILE")]);
    const trusted = await launch(["--url", url], { env: { API_KEY: KEY, NODE_EXTRA_CA_CERTS: certificate } }).ended;
    expect(trusted.stdout).toContain("preflight, sysinfo answers a JSON document");
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
const answering = (part: string, status: number, code: string) => ({
  before: ({ url, body }: Arrived) =>
    `${url} ${body}`.includes(part) && !url.includes("sysinfo")
      ? { status, headers: json, body: JSON.stringify({ code }) }
      : null,
});

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
    ["who lets everybody in", { accepts: () => true }, "no key is refused (user.list/credentials)", 0],
    ["who takes any key", { accepts: (key?: string) => !!key }, "a made-up key is refused (credentials/invalid)", 0],
    ["who knows nobody", { accepts: () => false }, "the key works (user.list/placements)", 1],
    ["who has no user.list", answering("user.list", 404, "operation-not-found"), "the key works", 1],
    [
      "a key for reading",
      answering("user.create", 403, "scope-missing"),
      "it lacks users:write (user.create); give",
      3,
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
      expect(stdout).not.toContain("FAIL");
      // Nobody who is not yet known to be a deployment gets the key, and whoever refuses it gets it once.
      expect(arrived.filter(({ headers }) => headers["x-api-key"] === KEY)).toHaveLength(keys);
      expect(arrived.filter((request) => request.url.includes(KEY))).toEqual([]);
      expect(arrived.length).toBeLessThan(7);
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

it("a clock that is off is remarked on, and nothing fails by it", async () => {
  const url = await deploy({ headers: { Date: new Date(Date.now() + 3_600_000).toUTCString() } });
  const { code, stderr } = await command(["--url", url, "--only", "sysinfo/json"]);
  expect([code, stderr]).toEqual([0, expect.stringMatching(/: its clock is (3600|3599) s ahead of ours\n/)]);
});
