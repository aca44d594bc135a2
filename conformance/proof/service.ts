import { noGateway } from "../http/gateway.ts";
import { parseTarget } from "../http/target.ts";
import { packaged } from "../packaged.ts";
import type { RunOptions } from "../run/options.ts";
import { type Report, run } from "../run/run.ts";
import type { Suite } from "../run/state.ts";
import type { Credentials } from "../secrets/credentials.ts";
import { type RunningService, startService } from "./kits/service.test-kit.ts";
import { creating } from "./operations.ts";

/** More users than a default page has, so that a wrong default shows. */
const SEEDED = 120;

/** The real service in a separate process, with users in it. */
export async function seededService(): Promise<RunningService> {
  const service = await startService();
  const { key, platform } = service.credentials.full;
  const headers = { "X-API-KEY": key, "X-PLATFORM": platform, "Content-Type": "application/json" };
  for (const { name, example } of creating)
    for (let n = 0; n < SEEDED; n += 1) {
      const data = { ...example, email: `seed-${n}@example.com` };
      const body = JSON.stringify({ "@": name, data });
      const { status } = await fetch(`${service.url}/api/`, { method: "POST", headers, body });
      if (status !== 201) throw new Error(`${name} was rejected: ${status}`);
    }
  return service;
}

/** Those of a default run with all keys. */
export const optionsFor = (url: string, credentials: Credentials): RunOptions => ({
  target: parseTarget(url),
  gateway: noGateway,
  credentials,
  seed: 1,
  allowWrite: true,
  allowHostile: true,
  timeoutMs: 20_000,
  deadlineMs: 600_000,
});

export const runAt = (
  url: string,
  credentials: Credentials,
  options: Partial<RunOptions> = {},
  suite: Suite = packaged,
): Promise<Report> => run(suite, { ...optionsFor(url, credentials), ...options });
