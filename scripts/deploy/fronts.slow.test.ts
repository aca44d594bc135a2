// The shipped proxy configurations, each in front of the service, checked by the suite.
import { readFileSync } from "node:fs";
import { Agent, type RequestOptions } from "node:https";
import { setTimeout } from "node:timers/promises";
import { describe, expect, onTestFinished } from "vitest";
import { file } from "../../conformance/cli/command.test-kit.ts";
import { launch } from "../../conformance/proof/kits/process.test-kit.ts";
import { storesOf } from "../../src/test/atpoint.ts";
import { run as command } from "../../src/test/command.ts";
import { databasesUnderTest } from "../../src/test/databases.ts";
import { BOUND_MS } from "../../src/test/patience.ts";
import { freePort } from "../../src/test/ports.ts";
import { itWith } from "../programs.test-kit.ts";
import { ask, fronts, holdOpen, replicas, startFront } from "./front.test-kit.ts";

// PostgreSQL if there is one: two replicas are checked as one deployment.
const [sqlite, kind = sqlite] = databasesUnderTest();
const problem = { "content-type": "application/problem+json", "cache-control": "no-store" };

/** An address without a service. */
async function nobody() {
  const url = `http://127.0.0.1:${await freePort()}`;
  return { url, managementUrl: url };
}

for (const front of Object.values(fronts))
  describe(front.file, () => {
    const test = (title: string, run: () => Promise<void>) =>
      itWith([front.program, "openssl"], title, run);

    test("the service behind it is conformant", async () => {
      const { database, all } = await replicas(kind);
      const credentials = file("credentials.json");
      await command({ DATABASE_URL: database.url }, "keys", "conformance", "--out", credentials);
      // A check that needs a user must not begin before another check has created one.
      const ada = { name: "Ada", email: "ada@example.com", createdAt: new Date() };
      const [first] = all;
      if (first) await storesOf(first.storage).users.insert(ada);
      const { url, ca } = await startFront(front, all);
      const words = [
        "--seed",
        "1",
        "--timeout",
        `${BOUND_MS}`,
        "--url",
        url,
        "--credentials",
        credentials,
        ...front.suiteArguments,
        // A front is the same for every operation: the scenarios are played behind one of them.
        ...(front === fronts.haproxy ? [] : ["--skip", "user.*"]),
      ];
      const { stdout } = await launch(words, { env: { NODE_EXTRA_CA_CERTS: ca } }).ended;
      expect(stdout).toMatch(/^conformant/m);
    });

    test("sends problem documents when the service is away, and for other paths", async () => {
      const { url, ca } = await startFront(front, [await nobody(), await nobody()]);
      const options = { ca: readFileSync(ca) };
      const away = await ask(`${url}/api/?@=sysinfo`, options);
      expect(away).toMatchObject({ status: 503, headers: { ...problem, "retry-after": "5" } });
      expect(JSON.parse(away.body)).toMatchObject({ status: 503, code: "storage-unavailable" });
      const notFound = await ask(new URL("/", url).href, options);
      expect(notFound).toMatchObject({ status: 404, headers: problem });
      expect(JSON.parse(notFound.body)).toMatchObject({ status: 404, code: "path-not-found" });
      expect(notFound.headers).not.toHaveProperty("server");
    });

    if (!("limits" in front)) return;
    const { limits } = front;
    const headers = { ...problem, "retry-after": "1", "x-request-id": expect.any(String) };
    /** Rejects a request to this address, and none of another caller. */
    const expectLimited = async (address: string, options: RequestOptions) => {
      const { body, ...rejected } = await ask(address, options);
      expect(rejected).toMatchObject({ status: 429, headers });
      expect(JSON.parse(body)).toMatchObject({ status: 429, code: "rate-limited" });
      expect(await ask(address, { ...options, localAddress: "127.0.0.2" })).toMatchObject({
        status: 200,
      });
    };

    test("limits the requests of one address that the service does not count", async () => {
      const { url, ca } = await startFront(front, (await replicas(kind)).all, limits.requests);
      const options = { ca: readFileSync(ca) };
      const statuses: unknown[] = [];
      for (const path of ["/", "/openapi.json", "/nothing", "/api/?@=nothing"])
        statuses.push((await ask(`${url}${path}`, options)).status);
      expect(statuses).toEqual([200, 200, 404, 404]);
      await expectLimited(`${url}/`, options);
    });

    test("limits the connections of one address, and serves those that it has", async () => {
      const { url, ca } = await startFront(front, (await replicas(kind)).all, limits.connections);
      const options = { ca: readFileSync(ca), agent: false } as const;
      const held = [];
      for (let each = 0; each < 3; each += 1) held.push(await holdOpen(`${url}/api/`, options));
      await expectLimited(`${url}/api/?@=sysinfo`, options);
      // No operation is named.
      expect(await Promise.all(held.map((finish) => finish()))).toEqual([400, 400, 400]);
    });
  });

itWith(
  ["haproxy", "openssl"],
  "haproxy answers every request while its replicas are restarted in turn",
  async () => {
    // Much longer than the README of this folder recommends: the machine may be busy.
    const { key, startReplica, all } = await replicas(kind, { SHUTDOWN_DELAY_MS: "10000" });
    const { url, ca, prints } = await startFront(fronts.haproxy, all);
    const agent = new Agent({ keepAlive: true, ca: readFileSync(ca) });
    onTestFinished(() => agent.destroy());
    const headers = { "X-API-KEY": key, "X-PLATFORM": "web", "Content-Type": "application/json" };
    const statuses = new Set<unknown>();
    let sent = 0;
    let restarted = false;
    const client = async () => {
      while (!restarted) {
        sent += 1;
        const data = { name: "Ada", email: `${sent}@example.com` };
        const create = sent % 4 === 0 ? JSON.stringify({ "@": "user.create", data }) : undefined;
        const [path, method] = create ? ["/api/", "POST"] : ["/api/?@=user.list&limit=5", "GET"];
        statuses.add((await ask(`${url}${path}`, { agent, headers, method }, create)).status);
        // Without a pause it would take a core from the tests that run in parallel.
        await setTimeout(20);
      }
    };
    const clients = Promise.all(Array.from({ length: 8 }, client));
    for (const [index, service] of all.entries()) {
      await Promise.all([prints(/is DOWN/), service.close()]);
      // The other one is restarted when haproxy uses this one again.
      const used = prints(/is UP/);
      const [PORT, MANAGEMENT_PORT] = [service.url, service.managementUrl ?? ""].map(
        (url) => new URL(url).port,
      );
      all[index] = await startReplica({ PORT, MANAGEMENT_PORT });
      await used;
    }
    restarted = true;
    await clients;
    expect([...statuses].sort()).toEqual([200, 201]);
  },
);
