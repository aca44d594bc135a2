// The shipped proxy configurations, each in front of the service, checked by the suite.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { Agent } from "node:https";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { contract } from "../../generated/contract.ts";
import type { Service } from "../../src/server/service.ts";
import { readConfig, runCli, startService, storesOf } from "../../src/test/atpoint.ts";
import { databasesUnderTest, fresh, keyIn } from "../../src/test/databases.ts";
import { patience } from "../../src/test/patience.ts";
import { freePort } from "../../src/test/ports.ts";
import { ask, fronts, holdOpen, isInstalled, newFolder, startFront } from "./front.test-kit.ts";

const { scopes } = contract;

// PostgreSQL if there is one: two replicas are checked as one deployment.
const [sqlite, kind = sqlite] = databasesUnderTest();
const nowhere = { write: () => true };

async function replicas(more: NodeJS.ProcessEnv = {}) {
  const { url } = await fresh(kind);
  const env = {
    ...patience,
    DATABASE_URL: url,
    LOG_LEVEL: "silent",
    SHUTDOWN_GRACE_MS: "100",
    CHECK_ANSWERS: "throw",
    DEPLOYMENT_URLS: "https://api.example.com/atpoint",
    TRUST_PROXY_HOPS: "1",
    ...more,
  };
  /** On the same port as before, if there was one. */
  const start = async (before?: Service) => {
    const [PORT, MANAGEMENT_PORT] = [before?.url, before?.managementUrl].map((url) => (url ? new URL(url).port : "0"));
    const service = await startService(readConfig({ ...env, PORT, MANAGEMENT_PORT }));
    onTestFinished(() => service.close());
    return service;
  };
  return { env, start, all: [await start(), await start()] };
}

/** An address without a service. */
async function nobody() {
  const url = `http://127.0.0.1:${await freePort()}`;
  return { url, managementUrl: url };
}

const suite = join(import.meta.dirname, "../../conformance/cli/bin.ts");

/**
 * Every check of HTTP itself, and of conditional requests; a proxy knows no operations and reads no input: a first look at those
 * is enough.
 */
const OF_HTTP = ["http/*", "cors/*", "dispatch/head*", "docs.get/not-modified"];
const RUNS = [OF_HTTP.flatMap((id) => ["--only", id]), ["--smoke"]];

for (const [name, front] of Object.entries(fronts)) {
  const title = `the service behind ${name} is conformant`;
  it.skipIf(!isInstalled(front))(
    isInstalled(front) ? title : `${title}: LEFT OUT, ${name} is not installed`,
    async () => {
      const { env, all } = await replicas();
      const credentials = join(newFolder(), "credentials.json");
      await runCli(["keys", "conformance", "--out", credentials], { env, stdout: nowhere, stderr: nowhere });
      // A check that needs a user must not begin before another check has created one.
      const [first] = all;
      const ada = { name: "Ada", email: "ada@example.com", createdAt: new Date() };
      if (first) await storesOf(first.storage).users.insert(ada);
      const { url, ca } = await startFront(front, all);
      const argv = [
        "--import",
        "tsx",
        suite,
        "--url",
        url,
        "--credentials",
        credentials,
        "--seed",
        "1",
        ...front.suiteArguments,
      ];
      for (const some of RUNS) {
        const { stdout } = await promisify(execFile)(process.execPath, [...argv, ...some], {
          env: { PATH: process.env.PATH, NODE_EXTRA_CA_CERTS: ca },
          maxBuffer: 2 ** 26,
        }).catch((error: { stdout: string }) => error);
        expect(stdout).toMatch(/^conformant/);
      }
    },
  );
}

it.skipIf(!Object.values(fronts).every(isInstalled)).each(Object.values(fronts))(
  "$file: says by a problem document that the service is away, and that a path is not its own",
  async (front) => {
    const { url, ca } = await startFront(front, [await nobody(), await nobody()]);
    const options = { ca: readFileSync(ca) };
    const problem = { "content-type": "application/problem+json", "cache-control": "no-store" };
    const away = await ask(`${url}/api/?@=sysinfo`, options);
    expect(away).toMatchObject({ status: 503, headers: { ...problem, "retry-after": "5" } });
    expect(JSON.parse(away.body)).toMatchObject({ status: 503, code: "storage-unavailable" });
    const other = await ask(new URL("/", url).href, options);
    expect(other).toMatchObject({ status: 404, headers: problem });
    expect(JSON.parse(other.body)).toMatchObject({ status: 404, code: "path-not-found" });
    expect(other.headers).not.toHaveProperty("server");
  },
);

describe.skipIf(!isInstalled(fronts.nginx) || !isInstalled(fronts.haproxy)).each([fronts.nginx, fronts.haproxy])(
  "$file limits one address",
  (front) => {
    const problem = { "content-type": "application/problem+json", "cache-control": "no-store", "retry-after": "1" };
    const limited = { status: 429, headers: { ...problem, "x-request-id": expect.any(String) } };
    const other = { localAddress: "127.0.0.2" };

    it("in requests that the service does not count, and no other one", async () => {
      const { all } = await replicas();
      const { url, ca } = await startFront(front, all, front.limits.requests);
      const options = { ca: readFileSync(ca) };
      const statuses: unknown[] = [];
      for (const path of ["/", "/openapi.json", "/nothing", "/api/?@=nothing"])
        statuses.push((await ask(`${url}${path}`, options)).status);
      expect(statuses).toEqual([200, 200, 404, 404]);
      const rejected = await ask(`${url}/`, options);
      expect(rejected).toMatchObject(limited);
      expect(JSON.parse(rejected.body)).toMatchObject({ status: 429, code: "rate-limited" });
      expect(await ask(`${url}/`, { ...options, ...other })).toMatchObject({ status: 200 });
    });

    it("in connections to the service, and no other one; those that it has are served", async () => {
      const { all } = await replicas();
      const { url, ca } = await startFront(front, all, front.limits.connections);
      const options = { ca: readFileSync(ca), agent: false } as const;
      const held = [];
      for (let each = 0; each < 3; each += 1) held.push(await holdOpen(`${url}/api/`, options));
      const rejected = await ask(`${url}/api/?@=sysinfo`, options);
      expect(rejected).toMatchObject(limited);
      expect(JSON.parse(rejected.body)).toMatchObject({ status: 429, code: "rate-limited" });
      expect(await ask(`${url}/api/?@=sysinfo`, { ...options, ...other })).toMatchObject({ status: 200 });
      // No operation is named.
      expect(await Promise.all(held.map((one) => one.finish()))).toEqual([400, 400, 400]);
    });
  },
);

it.skipIf(!isInstalled(fronts.haproxy))(
  "answers every request while its replicas are restarted, one after the other",
  async () => {
    // Much longer than the README of this folder recommends: the machine may be busy.
    const { start, all } = await replicas({ SHUTDOWN_DELAY_MS: "10000" });
    const key = await keyIn(all[0]?.storage.keys ?? expect.unreachable(), ...scopes);
    const { url, ca, prints } = await startFront(fronts.haproxy, all);
    const agent = new Agent({ keepAlive: true, ca: readFileSync(ca) });
    onTestFinished(() => agent.destroy());
    const headers = { "X-API-KEY": key, "X-PLATFORM": "web", "Content-Type": "application/json" };
    const statuses = new Map<number | undefined, number>();
    let sent = 0;
    let restarted = false;
    const client = async () => {
      while (!restarted) {
        sent += 1;
        const data = { name: "Ada", email: `${sent}@example.com` };
        const create = sent % 4 === 0 ? JSON.stringify({ "@": "user.create", data }) : undefined;
        const [path, method] = create ? ["/api/", "POST"] : ["/api/?@=user.list&limit=5", "GET"];
        const { status } = await ask(`${url}${path}`, { agent, headers, method }, create);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        // Without a pause it would take a core from the tests that run in parallel.
        await setTimeout(20);
      }
    };
    const clients = Promise.all(Array.from({ length: 8 }, client));
    for (const [index, service] of all.entries()) {
      const left = prints(/is DOWN/);
      const closed = service.close();
      await left;
      await closed;
      // The other one is restarted when haproxy uses this one again.
      const used = prints(/is UP/);
      all[index] = await start(service);
      await used;
    }
    restarted = true;
    await clients;
    expect([...statuses.keys()].sort()).toEqual([200, 201]);
  },
);
