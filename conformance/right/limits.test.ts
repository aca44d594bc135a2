// The default limits of production (D21): the suite waits as `Retry-After` says, and does not count a burst that they block as
// tested.
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { readConfig } from "../../src/test/atpoint.ts";
import { operationOf, problemCode } from "../mutants/proxy/look.ts";
import { startProxy } from "../mutants/proxy/server.ts";
import { checks } from "../suite.ts";
import { judgeAt, type RunningService, startService } from "../test/service.test-kit.ts";

const { perAddress } = readConfig({}).rateLimits;
/** Calls that are sent at once, many of them public. */
const BURST = "http/parallel";
/** Few enough calls of each kind to fit into one minute, and limited ones too. */
const CALM =
  /^(user\.create\/(email-taken|key-form|replayed)|user\.list\/(link|limit-range|invalid-cursor)|sysinfo\/(public|members)|test\.health\/document|docs\.list\/(items|public)|answers\/schema|dispatch\/unknown|credentials\/missing|limits\/(headers|refused))$/;
/** Checks that send many requests alone. */
const MANY = /#(histories|combinations|age)$/;

describe("a right deployment with the default limits", () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startService(undefined, { RATE_LIMITS: "on" });
  });
  afterAll(() => service?.stop());

  const judge = (requirements: RegExp, url = service.url) =>
    judgeAt(
      url,
      service.credentials,
      checks.filter(({ id, requirement, slow }) => requirements.test(requirement) && !MANY.test(id) && !slow),
    );

  /** One call, without checking its result. */
  const status = async (query: string): Promise<number> => {
    const { key, platform } = service.credentials.full;
    return (await fetch(`${service.url}/api/${query}`, { headers: { "X-API-KEY": key, "X-PLATFORM": platform } }))
      .status;
  };

  it("leaves open what must be sent at once and is forbidden, and passes everything as soon as it may", async () => {
    // The first requests of the run use some of the rest, and those sent at once need more than is left then.
    for (let calls = 0; calls < perAddress - 60; calls += 1) await status("?@=sysinfo");
    const forbidden = await judge(new RegExp(`^${BURST}$`));
    expect(forbidden).toMatchObject({ verdict: "incomplete", exitCode: 5, counts: { passed: 0, failed: 0 } });
    expect(forbidden.results[0]?.reason).toBe("the target forbids (429, or 503) what has to be sent at once");

    for (const query of ["?@=sysinfo", "?@=user.list&limit=1"]) while ((await status(query)) !== 429);
    const limited = new Set<string | null>();
    const proxy = await startProxy(
      {
        answer: (answer, request) => {
          if (problemCode(answer) === "rate-limited") limited.add(operationOf(request));
          return answer;
        },
      },
      service.url,
    );
    onTestFinished(() => proxy.close());
    const report = await judge(CALM, proxy.url);
    expect(report.results.filter(({ outcome }) => outcome !== "passed")).toEqual([]);
    expect(report).toMatchObject({ verdict: "conformant", exitCode: 0 });
    expect([...limited]).toContain("sysinfo");
  });
});
