import { expect } from "vitest";
import { BOUND_MS } from "../../src/test/patience.ts";
import type { Difference, Finding } from "../exchange.ts";
import { packaged } from "../packaged.ts";
import { deploy, KEY } from "../proof/kits/deployment.test-kit.ts";
import type { Arrived } from "../proof/kits/server.test-kit.ts";
import { optionsFor } from "../proof/service.ts";
import { exploration } from "../scenarios/explore.ts";
import { scenarioScripts } from "../scenarios/scripts.ts";
import { begin } from "./begin.ts";
import { plainExchange } from "./exchange.ts";
import type { RunOptions } from "./options.ts";
import { run } from "./run.ts";
import type { Run, Script, Suite } from "./state.ts";

export type DeploymentOptions = NonNullable<Parameters<typeof deploy>[0]>;

/** Scripts alone, with the cases that show what there is and those that are drawn. */
export const scripted = (...scripts: readonly Script[]): Suite => ({
  ...packaged,
  coveringCases: [],
  scripts: [...scripts, exploration],
});

/** A script of a requirement, and what it finds. */
export const script = (
  requirement: string,
  find: (run: Run) => Promise<(Difference & Partial<Finding>) | null>,
  overrides: Partial<Script> = {},
): Script => ({
  id: `own ${requirement}`,
  requirements: [requirement],
  effect: "read",
  ...overrides,
  async *run(run, exercised): AsyncGenerator<Finding> {
    const difference = await find(run);
    for (const id of overrides.requirements ?? [requirement]) exercised(id);
    if (difference)
      yield { requirement, source: "script", exchanges: [], at: -1, case: null, ...difference };
  },
});

/** Calls an operation, a command with values of its own. */
export function calling(run: Run, id: "sysinfo" | "user.create" = "sysinfo", values: object = {}) {
  const operation = run.suite.oracle.contract.operations[id] ?? expect.fail(id);
  return plainExchange(run, operation, { ...run.inputs.fresh(operation), ...values });
}

/** A deployment, and the requests that have arrived there. */
export async function watched({ before, ...options }: DeploymentOptions = {}) {
  const arrived: Arrived[] = [];
  const url = await deploy({
    ...options,
    before: (request) => {
      arrived.push(request);
      return before?.(request) ?? null;
    },
  });
  return { url, arrived };
}

/** The addresses of records that a run creates, in requests or texts. */
export const emailsIn = (...texts: readonly (string | Arrived)[]): readonly string[] =>
  texts.flatMap(
    (text) =>
      `${typeof text === "string" ? text : text.body}`.match(
        /conformance\+[0-9a-f]{16}-[\w.-]*@[\w.-]+/g,
      ) ?? [],
  );

/**
 * A run against a deployment, of drawn cases alone or of the packaged suite; `lines`: what it
 * reports meanwhile.
 */
export const runAt = (url: string, options: Partial<RunOptions> = {}, isWhole = false) =>
  started(isWhole ? packaged : scripted(), url, options);

/** A run that plays scenarios, and sends no case but those that show what there is. */
export const playAt = (url: string, options: Partial<RunOptions> = {}) =>
  scriptsAt(url, scenarioScripts(packaged.oracle), options);

/** A run of these scripts, which sends no case but those that show what there is. */
export const scriptsAt = (
  url: string,
  scripts: readonly Script[],
  options: Partial<RunOptions> = {},
) => started(scripted(...scripts), url, { randomCaseCount: 0, ...options });

const withDefaults = (url: string, options: Partial<RunOptions>): RunOptions => ({
  ...optionsFor(url, { full: { key: KEY, platform: "web" }, special: {} }),
  randomCaseCount: 300,
  timeoutMs: BOUND_MS,
  deadlineMs: BOUND_MS,
  ...options,
});

/** A run that has not sent anything yet. */
export const begun = (url: string, options: Partial<RunOptions> = {}, suite = scripted()) =>
  begin(suite, withDefaults(url, options));

async function started(suite: Suite, url: string, options: Partial<RunOptions>) {
  const lines: string[] = [];
  const report = await run(
    suite,
    withDefaults(url, { tell: (line) => lines.push(line), ...options }),
  );
  return { ...report, lines };
}
