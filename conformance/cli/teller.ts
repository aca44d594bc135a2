import { type Detail, renderResult } from "../report/console.ts";
import { Progress } from "../report/progress.ts";
import type { CheckResult } from "../report/report.ts";
import type { CliOptions } from "./options.ts";

/** The streams that the command writes to. */
export interface Output {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  /** The width of a terminal. */
  readonly columns?: number;
}

export const colorful = (output: Output, env: NodeJS.ProcessEnv) => output.isTTY === true && !env.NO_COLOR;

/** The width that texts are wrapped at: that of a terminal. What is piped is not wrapped. */
export const widthOf = ({ isTTY, columns }: Output) => (isTTY === true && columns ? columns : undefined);

export const detailOf = ({ quiet, verbose }: CliOptions): Detail => (quiet ? "quiet" : verbose ? "verbose" : "normal");

/** Reports the progress of a run. */
export function createTeller(options: CliOptions, total: number, output: Output, env: NodeJS.ProcessEnv) {
  const detail = detailOf(options);
  const progress = new Progress(total, detail === "normal" && output.isTTY === true);
  let creates = false;
  const write = (text: string) => void (detail === "quiet" || text === "" || output.write(text));
  return {
    ended: (result: CheckResult) =>
      write(detail === "verbose" ? `${renderResult(result, colorful(output, env))}\n` : progress.ended(result)),
    creating: (email: string) => {
      // One address identifies them all, and is printed before the first is sent: if the run dies, its users can be found.
      if (detail !== "verbose" && creates) return;
      const others =
        detail === "verbose" ? "" : "; the addresses of all users of this run have the same number in them";
      creates = true;
      write(`${progress.cleared()}creating ${email}${others}\n`);
    },
    done: () => write(progress.cleared()),
  };
}
