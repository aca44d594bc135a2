import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Defect } from "../broken/defect.ts";
import { startBroken } from "../broken/server.ts";
import type { Check } from "../checks/check.ts";
import { checks } from "../checks/index.ts";
import { special } from "../client/credentials.ts";
import { parseTarget } from "../client/wire/target.ts";
import { run } from "../engine/run.ts";
import type { Report } from "../report/report.ts";
import { type RunningService, startService } from "../test/service.test-kit.ts";

/** The checks that a defect declares: by their own ids, or all of a requirement. */
export const declared = ({ catches }: Defect): readonly Check[] =>
  checks.filter(({ id, requirement }) => catches.includes(id) || catches.includes(requirement));

/** All but those that wait for a time-out. */
export const quick = checks.filter(({ slow }) => !slow);

/** What checks over all exchanges have to see something of. */
const carriers = quick.filter(
  ({ kind, effect, requirement }) =>
    kind === "target" && effect === "read" && /\/(json|document|page|missing|unknown)$/.test(requirement),
);

/** The longest wait for a time-out of the target, and some. */
const CAUGHT_WITHIN_MS = 90_000;

/** More users than a page has by default, so that a wrong default shows in whichever test comes first. */
const SEEDED = 120;

async function seed({ url, credentials }: RunningService): Promise<void> {
  const { key, platform } = credentials.full;
  const headers = { "X-API-KEY": key, "X-PLATFORM": platform, "Content-Type": "application/json" };
  for (let n = 0; n < SEEDED; n += 1) {
    const data = { name: `Seed ${n}`, email: `seed-${n}@example.com` };
    const body = JSON.stringify({ "@": "user.create", data });
    const { status } = await fetch(`${url}/api/`, { method: "POST", headers, body });
    if (status !== 201) throw new Error(`a user could not be created: ${status}`);
  }
}

/** The real service in a process of its own for the tests of one file, with users in it. */
export function seededService(): () => RunningService {
  let service: RunningService | undefined;
  beforeAll(async () => {
    service = await startService();
    await seed(service);
  });
  afterAll(() => service?.stop());
  return () => {
    if (!service) throw new Error("the service has not started");
    return service;
  };
}

/** Runs checks against a URL; `good` is the other deployment of checks that compare two. */
export function judge(
  url: string,
  good: RunningService,
  selected: readonly Check[],
  { preflight = false } = {},
): Promise<Report> {
  return run({
    target: parseTarget(url),
    credentials: good.credentials,
    other: { target: parseTarget(good.url), credentials: good.credentials },
    checks: selected,
    exclusions: [],
    selection: {
      origin: "all",
      level: "MAY",
      only: [],
      skip: [],
      effects: ["read", "write", "hostile"],
      slow: true,
      credentials: special,
      pair: true,
    },
    seed: 1,
    concurrency: 8,
    timeoutMs: 5_000,
    // It is the test that has an end.
    deadlineMs: 3_600_000,
    preflight,
  });
}

/** What did not pass, in words. */
export const failures = ({ results }: Report) =>
  results.flatMap(({ check, outcome, reason, failure }) =>
    outcome === "passed" ? [] : [{ check, outcome, reason, expected: failure?.expected, actual: failure?.actual }],
  );

/** A test for each broken server: every check that it declares fails, for the declared reason. */
export function catchEach(defects: readonly Defect[]): void {
  const service = seededService();

  async function reportOn(defect: Defect, selected: readonly Check[]): Promise<Report> {
    const good = service();
    const server = await startBroken(defect, good.url, 0, { credentials: good.credentials.full, seed: 1 });
    try {
      const report = await judge(server.url, good, selected);
      expect(server.faults).toEqual([]);
      return report;
    } finally {
      await server.close();
    }
  }

  const only = new RegExp(process.env.OLD ?? "");
  it.each(defects.filter(({ id, catches }) => !catches.includes("*") && only.test(id)))(
    "$id is caught: $description",
    async (defect) => {
      const wanted = checks.filter(({ requirement }) => defect.requirements.includes(requirement));
      const over = wanted.some(({ kind }) => kind === "exchanges");
      const { results } = await reportOn(defect, over ? [...new Set([...wanted, ...carriers])] : wanted);
      const ids = new Set(wanted.map(({ id }) => id));
      const red = results.filter(({ check, outcome }) => ids.has(check) && outcome === "failed");
      expect(red.map(({ check }) => check)).not.toEqual([]);
    },
    CAUGHT_WITHIN_MS,
  );

  const wholesale = defects.filter(({ catches }) => catches.includes("*"));
  describe.runIf(wholesale.length > 0)("wholesale", () => {
    it.each(wholesale)("$id is red: $description", async (defect) => {
      const asked = quick.filter(({ kind, effect }) => kind === "target" && effect === "read").slice(0, 16);
      const { results } = await reportOn(defect, asked);
      expect(results.some(({ outcome }) => outcome === "failed")).toBe(true);
    });
  });
}
