// Conforming deployments that differ from ours: nothing may be found where the contract leaves a
// choice.
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { openDriver } from "../../../src/server/storage/database.ts";
import { readConfig } from "../../../src/test/atpoint.ts";
import { fresh } from "../../../src/test/databases.ts";
import { patience } from "../../../src/test/patience.ts";
import { packaged } from "../../packaged.ts";
import { everything, type RunOptions } from "../../run/options.ts";
import type { Suite } from "../../run/state.ts";
import { foundAlone } from "../alone.ts";
import { type RunningService, startService } from "../kits/service.test-kit.ts";
import type { Hooks } from "../proxy/message.ts";
import { startProxy } from "../proxy/server.ts";
import { runAt, seededService } from "../service.ts";
import { crowded } from "./behaviour.ts";
import { conforming, together } from "./index.ts";

/** What is found about a deployment with these differences. */
async function checkDeployment(
  rights: readonly Hooks[],
  service: RunningService,
  options?: Partial<RunOptions>,
  suite?: Suite,
) {
  const proxy = await startProxy(together(rights), service);
  const report = await runAt(proxy.url, service.credentials, options, suite);
  const { results, exitCode, outcomes } = report;
  await proxy.close();
  expect([proxy.faults, results.faults]).toEqual([[], []]);
  const lines = results.findings.map(({ requirement, case: of, script, expected, actual }) =>
    `${requirement} ${of?.id ?? script}: ${expected}; ${actual}`.slice(0, 400),
  );
  return { lines, exitCode, outcomes };
}

describe("a conforming deployment that is not like ours", () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await seededService();
  });
  afterAll(() => service?.stop());

  it("has no finding where it differs in everything at once", async () => {
    const { lines, exitCode } = await checkDeployment(conforming, service);
    // Each difference is run alone to find which it was.
    const guilty: string[] = [];
    for (const right of lines.length > 0 ? conforming : [])
      for (const line of (await checkDeployment([right], service)).lines)
        guilty.push(`${right.id}: ${line}`);
    expect([...lines, ...guilty]).toEqual([]);
    expect(exitCode).toBe(0);
  });

  it("has no finding by a case alone", async () => {
    const { paths } = packaged;
    const alone = [
      "docs.get If-None-Match: *",
      "docs.get If-None-Match: * + HEAD",
      ...paths.flatMap((path) => [
        `sysinfo path ${path}`,
        `sysinfo path ${path} + If-None-Match: *`,
      ]),
    ];
    expect(await foundAlone(service.url, service.credentials, alone)).toEqual([]);
  });
});

/** Users of other clients, one a second from 2024 on. */
const fill = (users: number) => `with recursive numbers (n) as (
    select 0 union all select n + 1 from numbers where n < ${users - 1}
  )
  insert into users (id, name, email, email_key, created_at)
  select
    printf('01900000-%04x-7000-8000-%012x', n / 65536, n),
    'Somebody', 'Somebody-' || n || '@example.org', 'somebody-' || n || '@example.org',
    strftime('%Y-%m-%dT%H:%M:%fZ', 1719792000 + n, 'unixepoch')
  from numbers`;

it("may hold 100,000 users, and grow with every page that is read", async () => {
  const { url } = await fresh();
  const service = await startService(url);
  onTestFinished(() => service.stop());
  const database = openDriver(readConfig({ ...patience, DATABASE_URL: url })).migrator();
  await database.raw(fill(100_000));
  await database.destroy();
  const only = ["user.list/*", "user.create/listed"];
  const options = { randomCaseCount: 0, selection: { ...everything, only } };
  const ofLists = packaged.coveringCases?.filter((id) => id.startsWith("user.list ")) ?? [];
  const suite = { ...packaged, coveringCases: ofLists };
  const { lines, outcomes } = await checkDeployment([crowded], service, options, suite);
  expect(lines).toEqual([]);
  expect(outcomes.filter(({ outcome }) => outcome === "incomplete")).toEqual([]);
});
