import { BOUND_MS } from "../../src/test/patience.ts";
import type { Finding } from "../exchange.ts";
import { packaged } from "../packaged.ts";
import { optionsFor } from "../proof/service.ts";
import { plainExchange } from "../run/exchange.ts";
import type { Credentials, RunOptions } from "../run/options.ts";
import { begin } from "../run/run.ts";
import { Lacking } from "../run/script.ts";
import type { Script, Suite } from "../run/state.ts";

export const whole = packaged;

/** The socket scripts whose id matches. */
export const scriptsOf = (pattern: RegExp): readonly Script[] =>
  whole.scripts.filter(({ id }) => id.startsWith("socket ") && pattern.test(id));

/** The first finding of these scripts at a deployment, without a preflight; `learns`: after one call of each query. */
export async function playAt(
  url: string,
  credentials: Credentials,
  scripts: readonly Script[],
  { learns = true, suite = whole, ...more }: Partial<RunOptions> & { readonly learns?: boolean; suite?: Suite } = {},
): Promise<Finding | null> {
  const run = begin(suite, { ...optionsFor(url, credentials), isSlow: true, timeoutMs: BOUND_MS, ...more });
  if (learns)
    for (const operation of Object.values(suite.oracle.contract.operations))
      if (operation.method === "GET") await plainExchange(run, operation, operation.example);
  try {
    for (const script of scripts)
      try {
        for await (const finding of script.run(run)) return { ...finding, script: script.id };
      } catch (error) {
        if (!(error instanceof Lacking)) throw error;
      }
    return null;
  } finally {
    run.client.close();
  }
}
