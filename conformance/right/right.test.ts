// Deployments that are right, and not like ours: what the contract leaves open must not be judged.
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { readConfig } from "../../src/config.ts";
import { openDriver } from "../../src/storage/driver.ts";
import { fresh } from "../../src/test/databases.ts";
import { onLanes, onService, seededService } from "../mutants/laboratory.ts";
import { judgeBehind, type Sender, senders } from "../mutants/trial.ts";
import { judgeAt, type RunningService, startService } from "../test/service.test-kit.ts";
import { answersOfOne, answersOfOther } from "./answers.ts";
import { behaviourOfOne, behaviourOfOther } from "./behaviour.ts";
import { type Right, together } from "./right.ts";

// The comparison of two deployments tells of just such differences: it is there to list them.
const quick = senders.filter(({ slow, kind }) => !slow && kind === "target");

/** The checks that do not let these differences pass, and why. */
async function refusedBy(
  name: string,
  checks: readonly Sender[],
  rights: readonly Right[],
  service: RunningService,
): Promise<string[]> {
  const refused: string[] = [];
  await onLanes(
    onService(service),
    checks,
    (check) => check,
    async (check) => {
      const { outcome, expectation, reason } = await judgeBehind(together(rights), name, check, service);
      if (outcome !== "passed") refused.push(`${check.id}: ${expectation?.message ?? reason}`.slice(0, 400));
    },
  );
  return refused;
}

describe("a right deployment that is not like ours", () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await seededService();
  }, 60_000);
  afterAll(() => service?.stop());

  it.each([
    ["one", [...behaviourOfOne, ...answersOfOne]],
    ["another", [...behaviourOfOther, ...answersOfOther]],
  ])("passes every check: %s, different in everything at once", { timeout: 600_000 }, async (name, rights) => {
    const refused = await refusedBy(name, quick, rights, service);
    // Which of the differences it was, each tells alone.
    const ids = new Set(refused.map((line) => line.split(": ", 1)[0]));
    const again = quick.filter(({ id }) => ids.has(id));
    const guilty: string[] = [];
    for (const right of again.length > 0 ? rights : [])
      for (const line of await refusedBy(right.id, again, [right], service)) guilty.push(`${right.id}: ${line}`);
    expect([...refused, ...guilty]).toEqual([]);
  });
});

/** Users of others, one a second from 2024 on. */
const fill = (
  users: number,
) => `with recursive numbers (n) as (select 0 union all select n + 1 from numbers where n < ${users - 1})
  insert into users (id, name, email, email_key, created_at)
  select printf('01900000-%04x-7000-8000-%012x', n / 65536, n), 'Somebody', 'Somebody-' || n || '@example.org',
    'somebody-' || n || '@example.org', strftime('%Y-%m-%dT%H:%M:%fZ', 1719792000 + n, 'unixepoch') from numbers`;

describe("a right deployment with 100,000 users", () => {
  it("passes every check of the list, and none is left unjudged", { timeout: 120_000 }, async () => {
    const { url } = await fresh();
    const service = await startService(url);
    onTestFinished(() => service.stop());
    const database = openDriver(readConfig({ DATABASE_URL: url }).database).migrator();
    await database.raw(fill(100_000));
    await database.destroy();
    const list = quick.filter(({ requirement }) => /^user\.(list|create.listed)/.test(requirement));
    const report = await judgeAt(service.url, service.credentials, list);
    expect(report.results.filter(({ outcome }) => outcome !== "passed")).toEqual([]);
  });
});
