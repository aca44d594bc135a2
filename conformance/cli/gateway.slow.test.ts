// What a gateway may require: a field in every request, a certificate on every connection.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { contract } from "../contract.ts";
import { packaged } from "../packaged.ts";
import { deploy, KEY } from "../proof/kits/deployment.test-kit.ts";
import { launch, launchProgram } from "../proof/kits/process.test-kit.ts";
import { selfSigned, serveTls } from "../proof/kits/tls.test-kit.ts";
import type { ReportData } from "../report/json.ts";
import { calling, script, watched } from "../run/run.test-kit.ts";
import { brief, command, file, reported } from "./command.test-kit.ts";

const SECRET = "it's-a-secret-0123456789";
const header = ["--header", `X-Gate: ${SECRET}`, "--header", "Cookie: stage=blue-and-long"];

it("gets its field in every request, and no report shows the value", async () => {
  const { url, arrived } = await watched({
    before: ({ headers }) => (headers["x-gate"] === SECRET ? null : { status: 403 }),
  });
  const leakingScript = script("sysinfo/status", async (run) => {
    const exchange = (await calling(run)) ?? expect.fail();
    const actual = `${exchange.response?.body} and ${SECRET}`;
    return { aspect: "body", expected: "something else", actual, exchanges: [exchange], at: 0 };
  });
  const suite = { ...brief, scripts: [{ ...leakingScript, isSmoke: true }] } as const;
  const { code, report, texts } = await reported(["--url", url, "--smoke", ...header], { suite });
  const { requirements, findings, run } = report;
  expect([code, requirements.find(({ id }) => id === "sysinfo/status")?.outcome]).toEqual([
    1,
    "failed",
  ]);
  expect(arrived.filter(({ headers }) => headers["x-gate"] !== SECRET || !headers.cookie)).toEqual(
    [],
  );
  expect(arrived.length).toBeGreaterThan(20);
  expect(texts.filter((text) => /a-secret-01|blue-and-long/.test(text))).toEqual([]);
  expect(run.command).toContain('--header "X-Gate: $HEADER_X_GATE"');
  const { again = "", alone } = findings.find((found) => found.script === leakingScript.id) ?? {};
  expect(alone).toContain('--header "X-Gate: $HEADER_X_GATE" --header "Cookie: $HEADER_COOKIE"');
  const sent = arrived.length;
  const env = { API_KEY: KEY, HEADER_X_GATE: SECRET, HEADER_COOKIE: "stage=blue-and-long" };
  await launchProgram("sh", ["-c", again], { env }).ended;
  expect(arrived.slice(sent).map(({ headers }) => headers["x-gate"])).toEqual([SECRET]);
});

it.each([
  ["Cookie: session", "it sends its own Cookie, which --header sends"],
  [
    "fields of the limit and 0",
    "it sends as many fields as are allowed, and --header adds to them",
  ],
])("withholds what its fields would change, with the reason: %s", async (words, reason) => {
  const caseId = packaged.coveringCases?.find((id) => id.includes(words)) ?? expect.fail(words);
  expect((await command(["--url", await deploy(), "--case", caseId, ...header])).stdout).toContain(
    reason,
  );
});

it("gets the certificate that it wants, on sockets as well", async () => {
  const { certificate, key } = await selfSigned();
  const { url, certificate: trusted } = await serveTls(await deploy(), certificate);
  const json = file("report.json");
  const env = { API_KEY: KEY, NODE_EXTRA_CA_CERTS: trusted };
  const words = ["--url", url, "--json", json, "--case", "sysinfo HTTP/1.0"];
  expect((await launch(words, { env }).ended).code).toBe(3);
  await launch([...words, "--client-cert", certificate, "--client-key", key], { env }).ended;
  const { requirements, findings }: ReportData = JSON.parse(readFileSync(json, "utf8"));
  expect(requirements.find(({ id }) => id === "sysinfo/status")?.outcome).toBe("passed");
  // The smallest deployment responds, but not as the contract says.
  const [{ exchanges, at, again } = expect.fail()] = findings;
  expect(exchanges[at]).toMatchObject({ request: { version: "1.0" }, response: { status: 200 } });
  expect(again).toMatch(new RegExp(`openssl s_client .* -cert ${certificate} -key ${key}$`));
});

it.each([
  [["--header", `X-API-KEY: ${SECRET}`], "--header X-API-KEY: the contract uses this field"],
  [["--header", `idempotency-key: ${SECRET}`], "the contract uses this field"],
  [["--header", SECRET], "--header: must be 'Name: value'"],
  [["--header", `X-Gate: ${SECRET}\r\nX: y`], "--header: must be 'Name: value'"],
  [["--client-cert", "/nowhere"], "one needs the other"],
  [["--client-cert", "/nowhere", "--client-key", "/nowhere"], "only for https"],
  [
    ["--client-cert", "/nowhere", "--client-key", "/n", "--url", "https://a"],
    "--client-cert /nowhere: does not exist",
  ],
])("is not described by %j", async (words, message) => {
  const url = words.includes("--url") ? [] : ["--url", "http://127.0.0.1:1"];
  const { code, stdout, stderr } = await command([...url, ...words]);
  expect([code, stdout, stderr]).toEqual([2, "", expect.stringContaining(message)]);
  expect(stderr).not.toContain(SECRET);
});

it("asks the list of the contract, never its texts, which fields a service reads", async () => {
  const decision = "No service reads `X-Gate`, whatever it holds.";
  const clauses = [
    ...contract.clauses,
    { id: "T1", title: "Gates", decision, untried: "It is text." },
  ];
  const of = async (name: string, requestHeaders?: readonly string[]) => {
    const contractFile = file("contract.json", { ...contract, clauses, requestHeaders });
    const words = ["--contract", contractFile, "--header", `${name}: a`];
    return (await command(["--url", "http://127.0.0.1:1", ...words])).code;
  };
  const exits = { reads: 2, goesOn: 3 };
  expect(await of("X-Gate", ["x-tenant"])).toBe(exits.goesOn);
  expect(await of("X-Tenant", ["x-tenant"])).toBe(exits.reads);
  expect(await of("X-Tenant")).toBe(exits.goesOn);
  // An operation declares it, whatever a list has.
  expect(await of("Idempotency-Key", [])).toBe(exits.reads);
});
