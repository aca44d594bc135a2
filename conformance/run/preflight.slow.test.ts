import { describe, expect, it } from "vitest";
import { contract } from "../contract.ts";
import { parseTarget, proxyIn } from "../http/target.ts";
import type { Contract } from "../oracle/contract.ts";
import { createOracle } from "../oracle/predict.ts";
import { deploy, KEY } from "../proof/kits/deployment.test-kit.ts";
import { type Arrived, serve } from "../proof/kits/server.test-kit.ts";
import { serveTls } from "../proof/kits/tls.test-kit.ts";
import { preflight } from "./preflight.ts";
import {
  begun,
  type DeploymentOptions as Options,
  runAt,
  scripted,
  watched,
} from "./run.test-kit.ts";
import { EXIT } from "./verdict.ts";

const text = { "Content-Type": "text/html" };
const json = { "Content-Type": "application/json" };
const page = (
  status: number,
  headers: Record<string, string> = text,
  body = "<html>",
): Options => ({
  before: () => ({ status, headers, body }),
});
const to = (Location: string) => page(302, { ...text, Location });
const silentTo = (operation: string): Options => ({
  before: ({ url }) => (url.includes(operation) ? "silence" : null),
});
/** Rejects requests that fit with this code. */
const refusing = (fits: (request: Arrived) => boolean, status: number, code: string): Options => ({
  before: (request) =>
    fits(request) ? { status, headers: json, body: JSON.stringify({ code }) } : null,
});
const withKey = ({ headers }: Arrived) => headers["x-api-key"] === KEY;
const calling = (operation: string) => (request: Arrived) =>
  `${request.url} ${request.body}`.includes(operation);

const guarded = Object.values(contract.operations).filter(({ auth }) => auth).length;

describe("a failed preflight is the end", () => {
  it.each<[string, Options, string, number]>([
    [
      "a page",
      page(200),
      "sysinfo answers a JSON document (sysinfo/json): this is not an Atpoint deployment",
      0,
    ],
    ["nothing of that name", page(404), "this is not an Atpoint deployment", 0],
    ["another site", to("https://a.example/api/?@=x"), "did you mean --url https://a.example?", 0],
    ["a path elsewhere", to("/v3/api/"), "/v3?", 0],
    ["a login", to("http://[/"), "this is not an Atpoint deployment", 0],
    ["a byte order mark", page(200, json, "\ufeff{}"), "(sysinfo/json)", 0],
    ["another document", page(200, json, "{}"), "(sysinfo/version): expected 3.0.3; got none", 0],
    ["another version", { version: "3.0.2" }, "(sysinfo/version): expected 3.0.3; got 3.0.2", 0],
    [
      "who lets everybody in",
      { accepts: () => true },
      "a call without a key is refused (user.list/credentials)",
      0,
    ],
    [
      "who takes any key",
      { accepts: (key) => !!key },
      "a made-up key is refused (credentials/invalid)",
      0,
    ],
    ["who knows nobody", { accepts: () => false }, "the key works (user.list/placements)", 1],
    [
      "who has no list",
      refusing(calling("user.list"), 404, "operation-not-found"),
      "the key works",
      1,
    ],
    [
      "a key of others",
      refusing(withKey, 401, "credentials-invalid"),
      "; give a key that this deployment knows",
      1,
    ],
    [
      "another platform",
      refusing(withKey, 403, "platform-not-allowed"),
      "; give a platform that the key is for",
      1,
    ],
    [
      "a refusal in other words",
      refusing(withKey, 403, "no"),
      "; give one that has every scope: ",
      1,
    ],
    ["sysinfo that hangs up", silentTo("sysinfo"), "sysinfo answers (sysinfo/json)", 0],
    [
      "a list that hangs up",
      silentTo("user.list"),
      "every call is answered (dispatch/every-operation)",
      0,
    ],
  ])("%s", async (_, options, fault, keys) => {
    const { url, arrived } = await watched(options);
    expect(await runAt(url)).toMatchObject({
      verdict: "preflight failed",
      exitCode: EXIT.preflight,
      results: { planned: 0 },
      fault: expect.toSatisfy((text) => /^expected that /.test(text) && text.includes(fault)),
    });
    // A target not yet known to be a deployment never gets the key, and one that rejects it gets it
    // once.
    expect(arrived.filter(withKey)).toHaveLength(keys);
    expect(arrived.filter((request) => request.url.includes(KEY))).toEqual([]);
    expect(arrived.length).toBeLessThan(4 + guarded);
  });

  it("says what the base URL is, and what to do if nothing answers there", async () => {
    const url = await deploy();
    const { url: unknown } = await serveTls(await serve((_, response) => response.end("hello")));
    for (const [to, verdict, advice] of [
      [`${url}/api/`, "preflight failed", `the part before /api/: --url ${url}`],
      ["http://127.0.0.1:1", "unreachable", "; nothing listens there"],
      [url.replace("http:", "https:"), "unreachable", "; this port does not speak TLS"],
      [unknown, "unreachable", "NODE_EXTRA_CA_CERTS=FILE"],
    ] as const)
      expect(await runAt(to)).toMatchObject({ verdict, fault: expect.stringContaining(advice) });
  });

  it("names a proxy that is not used before a host that only the proxy may know", async () => {
    const url = "http://nobody.invalid";
    const proxy = (env: NodeJS.ProcessEnv, to = url) => proxyIn(env, parseTarget(to));
    expect(await runAt(url, { proxy: proxy({ http_proxy: "http://127.0.0.1:1" }) })).toMatchObject({
      verdict: "unreachable",
      fault: expect.stringContaining("; there is no such host"),
      lines: ["http_proxy is not supported: requests go straight to the target"],
    });
    expect(proxy({ HTTPS_PROXY: "http://p" }, "https://nobody.invalid")).toBe("HTTPS_PROXY");
    expect(proxy({ HTTPS_PROXY: "http://p" }, "https://127.0.0.1")).toBeUndefined();
    const heard = await runAt(await deploy({ version: "0" }), { proxy: "HTTP_PROXY" });
    expect(heard).toMatchObject({ verdict: "preflight failed", lines: [] });
  });

  it("remarks on a clock that is off", async () => {
    const headers = { Date: new Date(Date.now() + 3_600_000).toUTCString() };
    const { lines } = await runAt(await deploy({ version: "0", headers }));
    expect(lines.join()).toMatch(/^its clock is (3600|3599) s ahead of ours$/);
  });
});

describe("the version of a deployment", () => {
  const health = {
    status: 200,
    headers: json,
    body: JSON.stringify({ checks: { "a/b": contract.version } }),
  };
  /** Each deployment answers sysinfo with a version that is not the contract's. */
  const begunAt = async (place: Pick<Contract, "deploymentVersion">) => {
    const { url } = await watched({
      version: "9",
      before: (one) => (calling("test.health")(one) ? health : null),
    });
    const { deploymentVersion: _, ...rest } = contract;
    const oracle = createOracle({ ...rest, ...place });
    return preflight(begun(url, {}, { ...scripted(), oracle }));
  };

  it.each([
    ["is nowhere, whatever members an answer has", undefined, null, null],
    ["is in the answer that the contract names", "sysinfo /version", "9", "expected 3.0.3; got 9"],
    [
      "is in the member that the contract names",
      "sysinfo /server",
      "Test",
      "expected 3.0.3; got Test",
    ],
    ["is no text", "sysinfo /server/length", null, "expected 3.0.3; got none"],
    ["is behind a key", "test.health /checks/a~1b", contract.version, null],
  ])("%s", async (_, place, version, fault) => {
    const [operation = "", pointer = ""] = place?.split(" ") ?? [];
    const outcome = await begunAt(
      place === undefined ? {} : { deploymentVersion: { operation, pointer } },
    );
    expect(outcome).toMatchObject({
      version,
      fault: fault === null ? null : expect.stringContaining(fault),
    });
  });
});
