// A conforming deployment with rate limits (D21): the suite waits as `Retry-After` says, and what
// it could not send is no finding.
import { expect, it, onTestFinished } from "vitest";
import { brief } from "../../cli/command.test-kit.ts";
import { packaged } from "../../packaged.ts";
import { everything } from "../../run/options.ts";
import { startService } from "../kits/service.test-kit.ts";
import { startProxy } from "../proxy/server.ts";
import { called, problemCode } from "../proxy/sniff.ts";
import { runAt } from "../service.ts";

/** A second, so that a run waits often and not for long. */
const LIMITS = {
  RATE_LIMITS: "on",
  RATE_LIMIT_WINDOW_S: "1",
  RATE_LIMIT_KEY: "90",
  RATE_LIMIT_COMMANDS: "40",
  RATE_LIMIT_ADDRESS: "90",
  RATE_LIMIT_REFUSED: "90",
};
const only = ["limits/*", "user.list/page", "user.create/replayed", "http/parallel"];

it("has no finding, and its limits are checked", async () => {
  const service = await startService(undefined, LIMITS);
  onTestFinished(() => service.stop());
  const limited = new Set<string | undefined>();
  const proxy = await startProxy(
    {
      answer: (answer, request) => {
        if (problemCode(answer) === "rate-limited") limited.add(called(request)?.id);
        return answer;
      },
    },
    service,
  );
  onTestFinished(() => proxy.close());
  const selection = { ...everything, only };
  const options = { selection, randomCaseCount: 0 };
  const suite = { ...brief, scripts: packaged.scripts };
  const { results, outcomes } = await runAt(proxy.url, service.credentials, options, suite);
  expect([results.findings, results.faults]).toEqual([[], []]);
  const passed = outcomes
    .filter(({ outcome }) => outcome === "passed")
    .map(({ requirement }) => requirement.id);
  expect(passed).toEqual(expect.arrayContaining(["limits/headers", "limits/refused"]));
  // Which of them is a matter of time.
  expect(limited.size).toBeGreaterThan(0);
});
