import { BOUND_MS } from "../../../src/test/patience.ts";
import { KEY } from "../../test/deployment.test-kit.ts";
import { noGateway } from "../http/gateway.ts";
import { parseTarget } from "../http/target.ts";
import { packaged } from "../packaged.ts";
import { scenarioScripts } from "../scenarios/index.ts";
import type { RunOptions } from "./options.ts";
import { run } from "./run.ts";
import type { Suite } from "./state.ts";

const whole = packaged;
/** Sends only what is drawn. */
const drawing: Suite = { ...whole, covering: [], scripts: [] };

/** A run against a deployment, of drawn cases alone or of the packaged suite; `lines`: what it tells. */
export const runAt = (url: string, options: Partial<RunOptions> = {}, isWhole = false) =>
  started(isWhole ? whole : drawing, url, options);

/** A run that plays scenarios, and sends no case but those that show what there is. */
export const playAt = (url: string, options: Partial<RunOptions> = {}) =>
  started({ ...drawing, scripts: scenarioScripts(whole.oracle) }, url, { draws: 0, ...options });

async function started(suite: Suite, url: string, options: Partial<RunOptions>) {
  const lines: string[] = [];
  const report = await run(suite, {
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
