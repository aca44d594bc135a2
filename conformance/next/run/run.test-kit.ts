import { BOUND_MS } from "../../../src/test/patience.ts";
import { KEY } from "../../test/deployment.test-kit.ts";
import { createSuite } from "../cli/suite.ts";
import { noGateway } from "../http/gateway.ts";
import { parseTarget } from "../http/target.ts";
import type { RunOptions } from "./options.ts";
import { run } from "./run.ts";
import type { Suite } from "./state.ts";

const whole = createSuite();
/** Sends only what is drawn. */
const drawing: Suite = { ...whole, covering: { ...whole.covering, cases: [] } };

/** A run against a deployment, of drawn cases alone or of the packaged suite; `lines`: what it tells. */
export async function runAt(url: string, options: Partial<RunOptions> = {}, isWhole = false) {
  const lines: string[] = [];
  const report = await run(isWhole ? whole : drawing, {
    ...{
      target: parseTarget(url),
      gateway: noGateway,
      seed: 1,
      draws: 300,
      concurrency: 8,
      isExhaustive: false,
      isSlow: false,
    },
    ...{ timeoutMs: BOUND_MS, deadlineMs: BOUND_MS, mayWrite: true, mayHarm: true },
    credentials: { full: { key: KEY, platform: "web" }, special: {} },
    tell: (line) => lines.push(line),
    ...options,
  });
  return { ...report, lines };
}
