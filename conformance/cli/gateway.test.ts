// What a gateway may require: a field in every request, a certificate on every connection.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { check } from "../checks/check.ts";
import { fail } from "../client/expect.ts";
import { command, file } from "../test/command.test-kit.ts";
import { deploy, KEY } from "../test/deployment.test-kit.ts";
import { jsonReport } from "../test/markup.test-kit.ts";
import { launch } from "../test/process.test-kit.ts";
import type { Arrived } from "../test/server.test-kit.ts";
import { selfSigned, serveTls } from "../test/tls.test-kit.ts";

const SECRET = "it's-a-secret-0123456789";
const header = ["--header", `X-Gate: ${SECRET}`, "--header", "Cookie: stage=blue-and-long"];

const sending = check("sysinfo/status", {}, async (api) => {
  const target = api.path("/api/?@=sysinfo");
  const first = await api.call("sysinfo");
  await api.raw(api.rawRequest({ target }));
  await api.rawRequests([api.rawRequest({ target, connection: null }), api.rawRequest({ target })]);
  await api.raw([`GET ${target} HTTP/1.1\r\nHo`, `st: ${api.host}\r\nConnection: close\r\n\r\n`]);
  fail("body", "something else", `${first.text} and ${SECRET}`, first);
});
const atLimit = check("http/header-count", { effect: "hostile" }, async (api) => {
  const headers = Array.from({ length: 98 }, () => ["X-More", "a"] as const);
  await api.raw(api.rawRequest({ target: api.path("/"), headers }));
});
const twice = check("credentials/nowhere-else", {}, async (api) => {
  await api.call("sysinfo", { headers: { Cookie: "a=b" } });
});

it("gets its field in every request, and no report shows the value", async () => {
  const arrived: Arrived[] = [];
  const url = await deploy({
    before: (request) => {
      arrived.push(request);
      return request.headers["x-gate"] === SECRET ? null : { status: 403 };
    },
  });
  const json = file("report.json");
  const others = ["junit", "markdown", "html"].map((kind) => path.join(path.dirname(json), `report.${kind}`));
  const files = others.flatMap((name) => [`--${path.extname(name).slice(1)}`, name]);
  const suite = { checks: [sending, atLimit, twice], exclusions: [] };
  const ran = await command(["--url", url, "--json", json, ...files, ...header], { suite });
  const { results, run } = jsonReport(json);
  const outcomes = results.map(({ outcome, reason }: { outcome: string; reason: string }) => `${outcome}: ${reason}`);
  expect([ran.code, outcomes]).toEqual([
    1,
    [
      "not selected: it sends its own Cookie, which --header sends",
      "not selected: it sends as many fields as are allowed, and --header adds to them",
      "failed: null",
    ],
  ]);
  expect(arrived.filter(({ headers }) => headers["x-gate"] !== SECRET || !headers.cookie)).toEqual([]);
  expect(arrived.filter(({ url }) => url.includes("sysinfo")).length).toBeGreaterThan(5);
  const outputs = [ran.stdout, ran.stderr, ...[json, ...others].map((name) => readFileSync(name, "utf8"))];
  expect(outputs.filter((text) => /a-secret-01|blue-and-long/.test(text))).toEqual([]);
  expect(run.command).toContain('--header "X-Gate: $HEADER_X_GATE"');
  const { failure } = results[2];
  expect(failure.rerun).toContain('--header "X-Gate: $HEADER_X_GATE" --header "Cookie: $HEADER_COOKIE"');
  const sent = arrived.length;
  const env = { PATH: process.env.PATH, API_KEY: KEY, HEADER_X_GATE: SECRET, HEADER_COOKIE: "stage=blue-and-long" };
  await promisify(execFile)("sh", ["-c", failure.curl], { env });
  expect(arrived.slice(sent).map(({ headers }) => headers["x-gate"])).toEqual([SECRET]);
});

it("gets the certificate that it wants, on sockets as well", async () => {
  const { certificate, key } = await selfSigned();
  const { url, certificate: trusted } = await serveTls(await deploy(), certificate);
  const json = file("report.json");
  const env = { API_KEY: KEY, NODE_EXTRA_CA_CERTS: trusted };
  const words = ["--url", url, "--only", "sysinfo/status", "--only", "http/versions#golden", "--json", json];
  const without = await launch(words, { env }).ended;
  expect(without.code).toBe(3);
  await launch([...words, "--client-cert", certificate, "--client-key", key], { env }).ended;
  const { results } = jsonReport(json);
  const of = (id: string) => results.find((one: { check: string }) => one.check === id);
  expect(of("sysinfo/status").outcome).toBe("passed");
  // The smallest deployment responds, but not as the contract says.
  const { failure } = of("http/versions#golden");
  expect(failure.exchanges[failure.guilty]).toMatchObject({ request: { raw: {} }, answer: { status: 200 } });
  expect(failure.curl).toMatch(new RegExp(`openssl s_client .* -cert ${certificate} -key ${key}$`));
});

it.each([
  [["--header", `X-API-KEY: ${SECRET}`], "--header X-API-KEY: the contract uses this field"],
  [["--header", `idempotency-key: ${SECRET}`], "the contract uses this field"],
  [["--header", `Transfer-Encoding: ${SECRET}`], "the contract uses this field"],
  [["--header", SECRET], "--header: must be 'Name: value'"],
  [["--header", `X-Gate: ${SECRET}\r\nX: y`], "--header: must be 'Name: value'"],
  [["--client-cert", "/nowhere"], "one needs the other"],
  [["--client-cert", "/nowhere", "--client-key", "/nowhere"], "only for https"],
  [["--client-cert", "/nowhere", "--client-key", "/n", "--url", "https://a"], "--client-key /n: ENOENT"],
])("is not described by %j", async (words, message) => {
  const url = words.includes("--url") ? [] : ["--url", "http://127.0.0.1:1"];
  const { code, stdout, stderr } = await command([...url, ...words]);
  expect([code, stdout, stderr]).toEqual([2, "", expect.stringContaining(message)]);
  expect(stderr).not.toContain(SECRET);
});
