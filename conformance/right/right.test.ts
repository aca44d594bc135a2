// Right deployments that differ from ours: what the contract leaves open must not fail.
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { openDriver } from "../../src/server/storage/database.ts";
import { readConfig } from "../../src/test/atpoint.ts";
import { fresh } from "../../src/test/databases.ts";
import { patience } from "../../src/test/patience.ts";
import type { Check } from "../checks/check.ts";
import { seededService } from "../mutants/laboratory.ts";
import { startProxy } from "../mutants/proxy/server.ts";
import { checks } from "../suite.ts";
import { judgeAt, type RunningService, startService } from "../test/service.test-kit.ts";
import { answersOfOne, answersOfOther } from "./answers.ts";
import { behaviourOfOne, behaviourOfOther, crowded } from "./behaviour.ts";
import { connectionsOfOne, connectionsOfOther } from "./connections.ts";
import { type Right, together } from "./right.ts";

// The comparison of two deployments reports exactly such differences: that is its purpose.
const quick = checks.filter(({ slow, kind }) => !slow && kind !== "pair");

/** The checks that fail on these differences, and why. */
async function refusedBy(
  some: readonly Check[],
  rights: readonly Right[],
  { url, credentials }: RunningService,
): Promise<string[]> {
  const proxy = await startProxy(together(rights), url, 0, { credentials: credentials.full });
  const { results } = await judgeAt(proxy.url, credentials, some);
  await proxy.close();
  expect(proxy.faults).toEqual([]);
  const open = rights.flatMap(({ leavesOpen = [] }) => leavesOpen);
  return results.flatMap(({ check, outcome, failure, reason }) =>
    outcome === "passed" || (outcome === "incomplete" && open.includes(check))
      ? []
      : [`${check}: ${failure?.expected ?? reason} (${failure?.actual})`.slice(0, 400)],
  );
}

const others: readonly (readonly [name: string, rights: readonly Right[]])[] = [
  ["one", [...behaviourOfOne, ...answersOfOne, ...connectionsOfOne]],
  ["another", [...behaviourOfOther, ...answersOfOther, ...connectionsOfOther]],
];

describe("a right deployment that is not like ours", () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await seededService();
  });
  afterAll(() => service?.stop());

  it.each(others)("passes every check: %s, different in everything at once", async (_, rights) => {
    const refused = await refusedBy(quick, rights, service);
    // Each difference is run alone to find which it was.
    const again = quick.filter(({ id }) => refused.some((line) => line.startsWith(`${id}: `))).slice(0, 20);
    const guilty: string[] = [];
    for (const right of again.length > 0 ? rights : [])
      for (const line of await refusedBy(again, [right], service)) guilty.push(`${right.id}: ${line}`);
    expect([...refused, ...guilty]).toEqual([]);
  });

  it("may have a list that grows with every page that is read", async () => {
    const walks = quick.filter(({ id }) => id === "user.list/walk#histories");
    expect(await refusedBy(walks, [crowded], service)).toEqual([]);
  });
});

/** Users of other clients, one a second from 2024 on. */
const fill = (
  users: number,
) => `with recursive numbers (n) as (select 0 union all select n + 1 from numbers where n < ${users - 1})
  insert into users (id, name, email, email_key, created_at)
  select printf('01900000-%04x-7000-8000-%012x', n / 65536, n), 'Somebody', 'Somebody-' || n || '@example.org',
    'somebody-' || n || '@example.org', strftime('%Y-%m-%dT%H:%M:%fZ', 1719792000 + n, 'unixepoch') from numbers`;

describe("a right deployment with 100,000 users", () => {
  it("passes every check of the list, and none is left unjudged", async () => {
    const { url } = await fresh();
    const service = await startService(url);
    onTestFinished(() => service.stop());
    const database = openDriver(readConfig({ ...patience, DATABASE_URL: url }).database).migrator();
    await database.raw(fill(100_000));
    await database.destroy();
    const list = quick.filter(({ requirement }) => /^user\.(list|create.listed)/.test(requirement));
    const report = await judgeAt(service.url, service.credentials, list);
    expect(report.results.filter(({ outcome }) => outcome !== "passed")).toEqual([]);
  });
});
