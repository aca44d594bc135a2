import { BOUND_MS } from "../../src/test/patience.ts";
import { noGateway } from "../http/gateway.ts";
import { parseTarget } from "../http/target.ts";
import { packaged } from "../packaged.ts";
import { KEY } from "../proof/kits/deployment.test-kit.ts";
import { scenarioScripts } from "../scenarios/index.ts";
import type { RunOptions } from "./options.ts";
import { begin, run } from "./run.ts";
import type { Script, Suite } from "./state.ts";

const whole = packaged;
/** Sends only what is drawn. */
const drawing: Suite = { ...whole, covering: [], scripts: [] };

/** A run against a deployment, of drawn cases alone or of the packaged suite; `lines`: what it tells. */
export const runAt = (url: string, options: Partial<RunOptions> = {}, isWhole = false) =>
  started(isWhole ? whole : drawing, url, options);

/** A run that plays scenarios, and sends no case but those that show what there is. */
export const playAt = (url: string, options: Partial<RunOptions> = {}) =>
  started({ ...drawing, scripts: scenarioScripts(whole.oracle) }, url, { draws: 0, ...options });

/** A run of these scripts, which sends no case but those that show what there is. */
export const scriptsAt = (url: string, scripts: readonly Script[], options: Partial<RunOptions> = {}) =>
  started({ ...drawing, scripts }, url, { draws: 0, ...options });

const optionsFor = (url: string, options: Partial<RunOptions>): RunOptions => ({
  ...{ target: parseTarget(url), gateway: noGateway, seed: 1, draws: 300, concurrency: 8 },
  ...{ isExhaustive: false, isSlow: false, timeoutMs: BOUND_MS, deadlineMs: BOUND_MS, mayWrite: true, mayHarm: true },
  credentials: { full: { key: KEY, platform: "web" }, special: {} },
  tell: () => {},
  ...options,
});

/** A run that has not sent anything yet. */
export const begun = (url: string, options: Partial<RunOptions> = {}) =>
  begin(drawing, optionsFor(url, options), () => {}, new AbortController().signal);

async function started(suite: Suite, url: string, options: Partial<RunOptions>) {
  const lines: string[] = [];
  const report = await run(suite, optionsFor(url, { tell: (line) => lines.push(line), ...options }));
  return { ...report, lines };
}
