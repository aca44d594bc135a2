import { type Detail, renderResult } from "../report/console.ts";
import { Progress } from "../report/progress.ts";
import type { CheckResult } from "../report/report.ts";
import type { CliOptions } from "./options.ts";

/** Where the command writes to. */
export interface Output {
  write(text: string): unknown;
  readonly isTTY?: boolean;
}

export const colorful = (output: Output, env: NodeJS.ProcessEnv) => output.isTTY === true && !env.NO_COLOR;

export const detailOf = ({ quiet, verbose }: CliOptions): Detail => (quiet ? "quiet" : verbose ? "verbose" : "normal");

/** Tells how a run goes on while it does. */
export function createTeller(options: CliOptions, total: number, output: Output, env: NodeJS.ProcessEnv) {
  const detail = detailOf(options);
  const progress = new Progress(total, detail === "normal" && output.isTTY === true);
  const write = (text: string) => void (detail === "quiet" || text === "" || output.write(text));
  return {
    ended: (result: CheckResult) =>
      write(detail === "verbose" ? `${renderResult(result, colorful(output, env))}\n` : progress.ended(result)),
    creating: (email: string) => write(`${progress.cleared()}creating ${email}\n`),
    done: () => write(progress.cleared()),
  };
}
