// The conformance suite against the service in this process, on every database under test: what an
// operator would run.
import { existsSync, readFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { command, file } from "../conformance/cli/command.test-kit.ts";
import { listen } from "../conformance/proof/kits/server.test-kit.ts";
import type { ReportData } from "../conformance/report/json.ts";
import { run } from "../src/test/command.ts";
import { databasesUnderTest } from "../src/test/databases.ts";
import { BOUND_MS } from "../src/test/patience.ts";
import { start } from "../src/test/running-service.ts";

const databases = databasesUnderTest();

/** A deployment on a new database, and the file with its keys. */
async function deployed(kind = databases[0], env: NodeJS.ProcessEnv = { RATE_LIMITS: "off" }) {
  const { service, database } = await start({ LOG_LEVEL: "silent", ...env }, kind);
  const credentials = file("credentials.json");
  const created = await run(
    { DATABASE_URL: database.url },
    "keys",
    "conformance",
    "--out",
    credentials,
  );
  expect(created.code).toBe(0);
  return { url: service.url, credentials };
}

type Deployed = Awaited<ReturnType<typeof deployed>>;
const argumentsOf = ({ url, credentials }: Deployed) => [
  "--url",
  url,
  "--credentials",
  credentials,
];

const suite = (...words: string[]) => command([...words, "--timeout", `${BOUND_MS}`], { env: {} });
const reportIn = (path: string): ReportData => JSON.parse(readFileSync(path, "utf8"));

const UNLIMITED = { RATE_LIMITS: "off" };
const LIMITED = { RATE_LIMITS: "on", RATE_LIMIT_REFUSED: "50", RATE_LIMIT_WINDOW_S: "2" };

describe("the service", () => {
  const ofAll = "what a run sends by default, without limits";
  const byDefault = [[], UNLIMITED, "conformant (partial)", 7300, 120] as const;
  const [sqlite] = databases;

  it.each([
    ...databases.map((one) => [`${ofAll}, on ${one.name}`, one, ...byDefault] as const),
    ["a first look", sqlite, ["--smoke"], UNLIMITED, "conformant (smoke)", 1000, 120],
    ["its limits", sqlite, ["--only", "limits/*"], LIMITED, "conformant (partial)", 7300, 400],
  ] as const)("is conformant: %s", async (_, database, choice, env, ...bounds) => {
    const [expected, mostRequests, mostCreated] = bounds;
    const report = file("report.json");
    const { code } = await suite(
      ...argumentsOf(await deployed(database, env)),
      "--json",
      report,
      ...choice,
    );
    const { verdict, requirements, findings, created, run } = reportIn(report);
    // With --slow as well the run is `conformant`.
    const expectedReason =
      expected === "conformant (smoke)" ? /./ : /^not applicable: |--slow|outside --only/;
    const left = requirements.filter(
      ({ outcome, reason }) => outcome !== "passed" && !expectedReason.test(reason ?? ""),
    );
    expect([findings, left]).toEqual([[], []]);
    expect([verdict, code]).toEqual([expected, 0]);
    expect(run.requests.all).toBeLessThan(mostRequests);
    expect(created.length).toBeLessThanOrEqual(mostCreated);
  });
});

/** In front of a deployment, until the test ends: every piece of its responses is changed. */
async function changing(
  { url, credentials }: Deployed,
  change: (text: string) => string,
): Promise<Deployed> {
  const { hostname, port } = new URL(url);
  const server = createServer((caller) => {
    const service = connect(Number(port), hostname);
    caller.pipe(service);
    service.on("data", (bytes) =>
      caller.write(Buffer.from(change(bytes.toString("latin1")), "latin1")),
    );
    service.on("end", () => caller.end());
    for (const [socket, peer] of [
      [caller, service],
      [service, caller],
    ] as const)
      socket.on("error", () => peer.destroy()).on("close", () => peer.destroy());
  });
  return { url: await listen(server), credentials };
}

describe("two deployments", () => {
  /** The exit code, and both reports. */
  async function compared(first: Deployed, second: Deployed, ...words: string[]) {
    const report = file("report.json");
    const both = [...argumentsOf(first), ...argumentsOf(second)];
    const choice = ["--only", "deployments/*", "--smoke", "--json", report];
    const { code, stdout } = await suite(...both, ...choice, ...words);
    // Nothing of that is about the first alone.
    expect(existsSync(report)).toBe(false);
    return { code, stdout, second: reportIn(report.replace("report.json", "report.2.json")) };
  }
  const placesOf = ({ findings }: ReportData) =>
    findings.map(({ requirement, source, aspect }) => `${requirement} ${source} ${aspect}`);

  const head = (lines: () => string) => (text: string) =>
    text.replace(/(?<=^HTTP\/1\.1 .*\r\n)/, lines);

  it("do not differ in what varies, nor where an exception says so", async () => {
    const now = Date.now();
    const varying = (at: number, extraFields = "") =>
      head(
        () => `X-Took: ${performance.now()}\r\nX-Time: ${new Date(at).toJSON()}\r\n${extraFields}`,
      );
    const firstDeployment = await changing(await deployed(), varying(now));
    const served = "X-Served-By: b\r\n";
    const secondDeployment = await changing(
      await deployed(databases.at(-1)),
      varying(now + 1, served),
    );
    const meant = { pointer: "header/x-served-by", reason: "of another proxy" };
    const exceptions = file("exceptions.json", [meant]);
    const { code, second } = await compared(
      firstDeployment,
      secondDeployment,
      "--exceptions",
      exceptions,
    );
    expect(placesOf(second)).toEqual([]);
    const same = second.requirements.find(({ id }) => id === "deployments/same");
    expect([code, same]).toMatchObject([0, { outcome: "passed" }]);
    // Of most requirements that a rule decides a case is sent.
    expect(same?.sent).toBeGreaterThan(40);
  });

  it("differ in a header field, a member and a status; exceptions must be needed", async () => {
    const original = await deployed();
    const changed = await changing(await deployed(), (text) =>
      head(() => "X-Served-By: b\r\n")(text)
        .replace(/(?<="status":")Operational/, "operational")
        .replace(/(?<=^HTTP\/1\.1 )405/, "410"),
    );
    const unneeded = { pointer: "#/runtime", reason: "of another runtime" };
    const exceptions = file("exceptions.json", [unneeded]);
    const { code, stdout, second } = await compared(original, changed, "--exceptions", exceptions);
    expect(code).toBe(1);
    const places = ["header:x-served-by", "body:/status", "status"];
    expect(new Set(placesOf(second))).toEqual(
      new Set(places.map((place) => `deployments/same pair ${place}`)),
    );
    expect(stdout).toContain("deployments/same");
    // The response of each, and whose it is.
    const [finding] = second.findings;
    expect(finding).toMatchObject({ case: expect.any(String), exchanges: [{}, {}], at: 1 });
    expect(finding?.expected).toContain(`as ${original.url}, `);
    expect(second.baseline).toEqual([
      expect.stringContaining("exception #/runtime (of another runtime): nothing differs there"),
    ]);
  });

  it("are not compared when one cannot be reached", async () => {
    const [reachable, report] = [await deployed(), file("report.json")];
    const away = { ...reachable, url: "http://127.0.0.1:1" };
    const both = [...argumentsOf(away), ...argumentsOf(reachable)];
    const { code } = await suite(...both, "--smoke", "--json", report);
    expect([code, existsSync(report)]).toEqual([3, true]);
    expect(readFileSync(report.replace("report.json", "report.2.json"), "utf8")).toBe("");
  });
});
