// Deployments that are right for every single request to a new one: sequences find them, and shrink.
import { execFile } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databasesUnderTest } from "../../src/test/databases.ts";
import { BOUND_MS } from "../../src/test/patience.ts";
import { secretsOf } from "../client/credentials.ts";
import { DEFAULT_TIMEOUT_MS } from "../client/session.ts";
import { parseTarget } from "../client/wire/target.ts";
import { run } from "../engine/run.ts";
import { ours } from "../lists/ours.ts";
import { callers } from "../proof/broken/histories/callers.ts";
import { keys } from "../proof/broken/histories/keys.ts";
import { lists } from "../proof/broken/histories/lists.ts";
import { startProxy } from "../proof/proxy/server.ts";
import { checks } from "../suite.ts";
import { type RunningService, startService } from "../test/service.test-kit.ts";
import { explorable, explorer } from "./explore.ts";

const exploring = (url: string, { credentials }: RunningService, requests: number, seed: number) =>
  run({
    ...{ target: parseTarget(url), credentials, oracle: ours, preflight: false, exclusions: [] },
    checks: explorable({ checks }).checks,
    explorer: explorer(requests, { mostFindings: 1, share: 1 }),
    selection: {
      ...({ origin: "all", level: "MAY", only: [], skip: [], slow: false, pair: false } as const),
      effects: ["read", "write", "hostile"],
      credentials: Object.keys(credentials.special),
    },
    ...{ seed, concurrency: 1, timeoutMs: DEFAULT_TIMEOUT_MS, deadlineMs: BOUND_MS },
  });

describe.each(databasesUnderTest())("the right service on $name", (kind) => {
  it.each([1, 2])("shows nothing with the seed %i", async (seed) => {
    const database = await kind.fresh();
    const service = await startService(database.url);
    const { results, run, exitCode, created } = await exploring(service.url, service, 400, seed);
    await service.stop();
    await database.drop();
    expect(results.flatMap(({ failure }) => (failure ? [failure.expected, failure.actual, failure.curl] : []))).toEqual(
      [],
    );
    expect([exitCode, run.explored]).toEqual([0, 400]);
    expect(created.length).toBeGreaterThan(5);
    expect(created.length).toBeLessThan(110);
  });
});

describe("a broken service", () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  /** The statuses of the responses that a script prints. */
  const send = async (script: string): Promise<readonly number[]> => {
    const { PATH } = process.env;
    const named = Object.fromEntries(secretsOf(service.credentials).map(({ name, value }) => [name, value]));
    const printed = await new Promise<string>((resolve, reject) =>
      execFile("sh", ["-c", script], { env: { PATH, ...named } }, (error, out) =>
        error ? reject(error) : resolve(out),
      ),
    );
    return [...printed.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => Number(status));
  };

  it.each([
    ["forgets a key when another is used", 409, 201],
    ["uses up the key with a conflict", 422, 201],
    ["frees an address with a conflict", 201, 409],
    ["ends a cursor with the next create", 400, 200],
  ] as const)("%s: a script of a few requests shows it", async (name, broken, right) => {
    const [, hooks = {}] = [...keys, ...lists, ...callers].find(([id]) => id === name) ?? [];
    const proxy = await startProxy(hooks, service.url, 0, { credentials: service.credentials.full });
    const { results, exitCode } = await exploring(proxy.url, service, 1000, 1);
    const [failure] = results.flatMap((one) => one.failure ?? []);
    expect([exitCode, proxy.faults]).toEqual([1, []]);
    const statuses = failure?.exchanges.map(({ answer }) => answer?.status) ?? [];
    expect([statuses.length <= 4, statuses.at(-1)]).toEqual([true, broken]);
    const script = failure?.curl ?? "";
    expect(await send(script)).toEqual(statuses);
    const [proxied, real] = [proxy.url, service.url].map((url) => new URL(url).host);
    expect(await send(script.replaceAll(proxied ?? "", real ?? ""))).toEqual([...statuses.slice(0, -1), right]);
    await proxy.close();
  });
});
