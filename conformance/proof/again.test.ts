// The exchange that a finding shows is the wrong one: its `again` line shows the same difference there, and none at a right service.
import { execFile } from "node:child_process";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Finding } from "../exchange.ts";
import { noGateway } from "../http/gateway.ts";
import { parseTarget } from "../http/target.ts";
import { replayer } from "../report/exchanges.ts";
import { everything } from "../run/options.ts";
import { secretsOf } from "../secrets/redact.ts";
import type { RunningService } from "./kits/service.test-kit.ts";
import { startProxy } from "./proxy/server.ts";
import { mutantCalled } from "./served.ts";
import { runAt, seededService } from "./service.ts";

/** Mutants of each kind: hand-written, points and response mutants, that answer the same request in the same way; and what finds them. */
const MUTANTS: readonly (readonly [id: string, only: string])[] = [
  ["user.list gives one less", "user.list/*"],
  ["user.list takes an invalid cursor for the end", "user.list/invalid-cursor"],
  ["the caller's address is that of X-Forwarded-For", "sysinfo/*"],
  ["user.list 200 application/json drops Link", "paging/*"],
  ["user.list 200 application/json renames createdAt in /items/*", "answers/schema"],
  ["HEAD user.list 401 application/problem+json drops WWW-Authenticate", "credentials/challenge"],
  ["400 malformed-query drops Access-Control-Allow-Origin", "cors/*"],
  ["the platform | trimmed | all", "credentials/platform"],
  ["the key | by its beginning | credentials in the query", "credentials/invalid"],
  ["the order of checks | without checkScope | all", "credentials/scope"],
  ["user.list: parameter limit | as a list | all", "input/*"],
];

interface Seen {
  readonly status: number;
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** The output of `curl --include`. */
function read(printed: string): Seen {
  const end = printed.indexOf("\r\n\r\n");
  const [line = "", ...lines] = printed.slice(0, end).split("\r\n");
  const fields = lines.map(
    (field) => [field.split(":", 1)[0] ?? "", field.slice(field.indexOf(":") + 2)] as const,
  );
  return { status: Number(line.split(" ")[1]), fields, body: printed.slice(end + 4) };
}

/** The part of a response that a finding is about; for a list, its beginning. */
function at(aspect: string, { status, fields, body }: Seen): unknown {
  if (aspect === "status") return status;
  const [kind, place = ""] = aspect.split(/:(.*)/s);
  if (kind === "header")
    return fields.filter(([name]) => name.toLowerCase() === place).map(([, value]) => value);
  const steps = place.split("/").slice(1);
  return steps.length === 0
    ? body
    : steps.reduce(
        (value: unknown, name) => Object(value)[name === "*" ? 0 : name],
        JSON.parse(body),
      );
}

let service: RunningService;
beforeAll(async () => {
  service = await seededService();
});
afterAll(() => service.stop());

async function send(line: string): Promise<Seen> {
  const secrets = secretsOf(service.credentials, noGateway);
  const env = {
    PATH: process.env.PATH,
    ...Object.fromEntries(secrets.map(({ name, value }) => [name, value])),
  };
  const printed = await new Promise<string>((resolve, reject) =>
    execFile("bash", ["-c", line], { env }, (error, out) => (error ? reject(error) : resolve(out))),
  );
  return read(printed);
}

/** What one request shows; of what a deployment holds, its header fields. */
const isAlone = ({ exchanges, written, source, aspect }: Finding) =>
  exchanges.length === 1 &&
  exchanges[0]?.response &&
  written === undefined &&
  (source !== "state" || aspect.startsWith("header"));

it.each(MUTANTS)("shows it: %s", async (id, requirement) => {
  const mutant = mutantCalled(id, service.credentials);
  if (!mutant) throw new Error(`no mutant is called ${id}`);
  const proxy = await startProxy(mutant, service);
  try {
    const { results, runId } = await runAt(proxy.url, service.credentials, {
      draws: 0,
      maxFailures: 10,
      selection: { ...everything, only: [requirement] },
    });
    const finding = results.findings.find(isAlone);
    const response = finding?.exchanges[finding.at]?.response;
    if (!finding || !response)
      throw new Error(`not found: ${results.findings.map(({ aspect }) => aspect)}`);
    const target = parseTarget(proxy.url);
    const line = replayer(runId, { target, credentials: service.credentials, gateway: noGateway })(
      finding,
    );
    const wrong = at(finding.aspect, { ...response, body: response.body.toString() });
    expect(at(finding.aspect, await send(line))).toEqual(wrong);
    const [broken = "", sound = ""] = [proxy.url, service.url].map((url) => new URL(url).host);
    expect(at(finding.aspect, await send(line.replaceAll(broken, sound)))).not.toEqual(wrong);
  } finally {
    await proxy.close();
  }
});
