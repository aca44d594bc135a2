// What a gateway may require: a field in every request, a certificate on every connection.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { packaged } from "../packaged.ts";
import { deploy, KEY } from "../proof/kits/deployment.test-kit.ts";
import { launch } from "../proof/kits/process.test-kit.ts";
import type { Arrived } from "../proof/kits/server.test-kit.ts";
import { selfSigned, serveTls } from "../proof/kits/tls.test-kit.ts";
import { plain, setField, written } from "../requests/draft.ts";
import { compared } from "../run/exchange.ts";
import type { Run, Script } from "../run/state.ts";
import { command, file } from "./command.test-kit.ts";

const SECRET = "it's-a-secret-0123456789";
const header = ["--header", `X-Gate: ${SECRET}`, "--header", "Cookie: stage=blue-and-long"];

const simple = ({ suite, source }: Run, ...fields: (readonly [string, string])[]) => {
  const operation = suite.oracle.contract.operations.sysinfo ?? expect.fail();
  const draft = plain(operation, operation.example, source.caller);
  for (const [name, value] of fields) setField(draft, name, [value]);
  return written(draft);
};

/** Sends a request with these fields, and says that what comes back is wrong. */
const sending = (requirement: string, ...fields: (readonly [string, string])[]): Script => ({
  ...{ id: `script ${requirement}`, requirements: [requirement], effect: "read" },
  async *run(run) {
    const request = simple(run, ...fields);
    const { exchange } = await compared(run, request, run.suite.oracle.predict(request, run.world));
    const actual = `${exchange.response?.body} and ${SECRET}`;
    const found = { aspect: "body", expected: "something else", actual };
    yield { requirement, source: "script", ...found, exchanges: [exchange], at: 0, case: null };
  },
});
const many = Array.from({ length: 97 }, (_, at) => [`X-More-${at}`, "a"] as const);
const scripts = [
  sending("sysinfo/status"),
  sending("http/header-count", ...many),
  sending("credentials/nowhere-else", ["Cookie", "a=b"]),
];
/** Cases with a `Cookie` of their own, and with as many fields as are allowed. */
const cases = packaged.covering?.filter((id) => /^sysinfo (?:Cookie: session|fields of the limit and 0)/.test(id));

it("gets its field in every request, and no report shows the value", async () => {
  const arrived: Arrived[] = [];
  const url = await deploy({
    before: (request) => {
      arrived.push(request);
      return request.headers["x-gate"] === SECRET ? null : { status: 403 };
    },
  });
  const json = file("report.json");
  const others = ["junit", "markdown", "html", "sarif"].map((kind) => path.join(path.dirname(json), `report.${kind}`));
  const files = others.flatMap((name) => [`--${path.extname(name).slice(1)}`, name]);
  const suite = { ...packaged, covering: [], scripts };
  const ran = await command(["--url", url, "--json", json, ...files, ...header], { suite });
  expect(ran.code).toBe(1);
  const { requirements, findings, run } = JSON.parse(readFileSync(json, "utf8"));
  const of = (id: string) => requirements.find((one: { id: string }) => one.id === id);
  expect(of("sysinfo/status")).toMatchObject({ outcome: "failed" });
  expect(findings.filter(({ script }: { script: string | null }) => script && script !== scripts[0]?.id)).toEqual([]);
  expect(arrived.filter(({ headers }) => headers["x-gate"] !== SECRET || !headers.cookie)).toEqual([]);
  expect(arrived.length).toBeGreaterThan(20);
  const outputs = [ran.stdout, ran.stderr, ...[json, ...others].map((name) => readFileSync(name, "utf8"))];
  expect(outputs.filter((text) => /a-secret-01|blue-and-long/.test(text))).toEqual([]);
  expect(run.command).toContain('--header "X-Gate: $HEADER_X_GATE"');
  const { again, alone } = findings.find(({ script }: { script: string | null }) => script === scripts[0]?.id);
  expect(alone).toContain('--header "X-Gate: $HEADER_X_GATE" --header "Cookie: $HEADER_COOKIE"');
  const sent = arrived.length;
  const env = { PATH: process.env.PATH, API_KEY: KEY, HEADER_X_GATE: SECRET, HEADER_COOKIE: "stage=blue-and-long" };
  await promisify(execFile)("sh", ["-c", again], { env });
  expect(arrived.slice(sent).map(({ headers }) => headers["x-gate"])).toEqual([SECRET]);
});

it("withholds what its fields would change, with the reason", async () => {
  expect(cases?.length).toBeGreaterThan(1);
  for (const one of cases ?? []) {
    const { stdout } = await command(["--url", await deploy(), "--case", one, ...header]);
    expect(stdout).toContain(
      one.includes("Cookie")
        ? "it sends its own Cookie, which --header sends"
        : "it sends as many fields as are allowed, and --header adds to them",
    );
  }
});

it("gets the certificate that it wants, on sockets as well", async () => {
  const { certificate, key } = await selfSigned();
  const { url, certificate: trusted } = await serveTls(await deploy(), certificate);
  const json = file("report.json");
  const env = { API_KEY: KEY, NODE_EXTRA_CA_CERTS: trusted };
  const words = ["--url", url, "--json", json, "--case", "sysinfo HTTP/1.0"];
  const without = await launch(words, { env }).ended;
  expect(without.code).toBe(3);
  await launch([...words, "--client-cert", certificate, "--client-key", key], { env }).ended;
  const { requirements, findings } = JSON.parse(readFileSync(json, "utf8"));
  expect(requirements.find(({ id }: { id: string }) => id === "sysinfo/status").outcome).toBe("passed");
  // The smallest deployment responds, but not as the contract says.
  const [{ exchanges, at, again }] = findings;
  expect(exchanges[at]).toMatchObject({ request: { version: "1.0" }, response: { status: 200 } });
  expect(again).toMatch(new RegExp(`openssl s_client .* -cert ${certificate} -key ${key}$`));
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
