import { once } from "node:events";
import { createServer } from "node:net";
import { expect, it } from "vitest";
import { withMoreTime } from "../../test/patience.ts";
import { freePort, portOf } from "../../test/ports.ts";
import { start } from "../../test/running-service.ts";
import { packageVersion } from "../settings/package.ts";
import { type Phase, readiness } from "./server.ts";

async function managed(env: NodeJS.ProcessEnv = {}) {
  const running = await start(env);
  const ask = (path: string, options = {}) =>
    fetch(`${running.service.managementUrl}${path}`, options);
  return { ...running, ask };
}

it("tells life, readiness and metrics, and nothing else, to who asks by GET", async () => {
  const { ask } = await managed();
  expect(await (await ask("/livez")).json()).toEqual({
    status: "alive",
    release: packageVersion(),
    contract: "3.0.3",
  });
  expect(await (await ask("/readyz")).json()).toEqual({ status: "ready" });
  expect((await ask("/metrics", { method: "HEAD" })).headers.get("content-type")).toMatch(
    /^text\/plain; version=/,
  );
  for (const path of ["/livez?", "/readyz?verbose=1", "/metrics?name[]=atpoint_info&x=/?"])
    expect((await ask(path)).status).toBe(200);
  for (const path of ["/api/?@=sysinfo", "/livez/", "/?/livez", "/livez%3F", "/"])
    expect((await ask(path)).status).toBe(404);
  const posted = await ask("/livez", { method: "POST" });
  expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
});

it("counts responses by operation, status and code, and keys in the query", async () => {
  const { ask, service, key } = await managed();
  const withKey = `@=user.list&X-API-KEY=${key}`;
  for (const query of ["@=sysinfo", "@=made-up", withKey, `${withKey}&X-PLATFORM=web`])
    await fetch(`${service.url}/api/?${query}`);
  const text = await (await ask("/metrics")).text();
  expect(
    text.match(/^atpoint_(requests_total|keys|requests_in|info|\w*_count).*/gm)?.sort(),
  ).toEqual([
    `atpoint_info{release="${packageVersion()}",contract="3.0.3"} 1`,
    "atpoint_keys_in_query_total 2",
    'atpoint_request_duration_seconds_count{operation="none"} 1',
    'atpoint_request_duration_seconds_count{operation="sysinfo"} 1',
    'atpoint_request_duration_seconds_count{operation="user.list"} 2',
    "atpoint_requests_in_flight 0",
    'atpoint_requests_total{operation="none",status="404",code="operation-not-found"} 1',
    'atpoint_requests_total{operation="sysinfo",status="200",code=""} 1',
    'atpoint_requests_total{operation="user.list",status="200",code=""} 1',
    'atpoint_requests_total{operation="user.list",status="401",code="credentials-missing"} 1',
  ]);
  expect(text).toMatch(/^atpoint_database_connections\{pool="writer",state="(used|free)"\} 1$/m);
  expect(text).not.toContain(key);
  expect(text).not.toContain("made-up");
});

it("isn't ready while it drains, and serves on for the delay", async () => {
  await withMoreTime(async (milliseconds) => {
    const { ask, service } = await managed({ SHUTDOWN_DELAY_MS: `${milliseconds}` });
    const closed = service.close();
    const draining = await ask("/readyz");
    expect([draining.status, await draining.json()]).toEqual([503, { status: "draining" }]);
    expect((await fetch(`${service.url}/api/?@=sysinfo`)).status).toBe(200);
    await closed;
    await expect(ask("/livez")).rejects.toThrow();
  });
});

it("is nowhere when it is off, and says so when it cannot be had", async () => {
  expect((await managed({ MANAGEMENT_PORT: "off" })).service.managementUrl).toBeNull();
  const taken = String(await portOf(createServer()));
  const named = `ort ${taken} (MANAGEMENT_PORT; by default PORT + 10,000) `;
  await expect(start({ MANAGEMENT_PORT: taken })).rejects.toThrow(
    `P${named}is in use: stop what listens there`,
  );
  const elsewhere = { MANAGEMENT_PORT: taken, MANAGEMENT_HOST: "192.0.2.1" };
  await expect(start(elsewhere)).rejects.toThrow(
    `on p${named}of MANAGEMENT_HOST (EADDRNOTAVAIL): `,
  );
  // Above 55,535 the default is below PORT.
  await expect(start({ MANAGEMENT_PORT: taken, PORT: "65535" })).rejects.toThrow(
    "by default PORT - 10,000",
  );
});

it("is there before the database is", async () => {
  const silent = createServer();
  const MANAGEMENT_PORT = String(await freePort());
  const DATABASE_URL = `postgres://nobody@127.0.0.1:${await portOf(silent)}/none`;
  const unavailable = { name: "StorageUnavailable" };
  const started = expect(start({ DATABASE_URL, MANAGEMENT_PORT })).rejects.toMatchObject(
    unavailable,
  );
  const [connection] = await once(silent, "connection");
  const ask = (path: string) => fetch(`http://127.0.0.1:${MANAGEMENT_PORT}${path}`);
  expect((await ask("/livez")).status).toBe(200);
  const ready = await ask("/readyz");
  expect([ready.status, await ready.json()]).toEqual([503, { status: "starting" }]);
  connection.destroy();
  await started;
});

it("is ready only when its storage works, and logs each change once", async () => {
  let phase: Phase = "starting";
  let cause: Error | null = null;
  const lines: string[] = [];
  const note = (message: string) => void lines.push(message);
  const checkWritable = async () => {
    if (phase !== "ready") expect.unreachable();
    if (cause) throw cause;
  };
  const page = readiness(() => phase, { checkWritable }, { error: note, info: note });
  const full = new Error("disk full");
  for (const [now, fault, status] of [
    ["starting", null, "starting"],
    ["ready", null, "ready"],
    ["ready", full, "storage fails"],
    ["ready", null, "ready"],
  ] as const) {
    [phase, cause] = [now, fault];
    for (const _ of [1, 2]) expect(JSON.parse((await page()).body)).toEqual({ status });
  }
  expect(lines).toEqual(["storage fails", "storage works"]);
});
