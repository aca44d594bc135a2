import { execFile } from "node:child_process";
import type { Credentials } from "../../../conformance/client/credentials.ts";
import type { RunningService } from "../../../conformance/test/service.test-kit.ts";

/** One server to check. */
export interface Job {
  /** Its address. */
  readonly url: string;
  readonly credentials: Credentials;
  /** The right deployment behind the broken one. */
  readonly service: RunningService;
  /** An empty folder for this run. */
  readonly folder: string;
  /** Unique to this run. */
  readonly run: string;
}

export interface Tool {
  readonly name: string;
  /** Writes the tool's input files into the folder, and returns the Node program with arguments that checks the server. */
  readonly command: (job: Job) => Promise<readonly string[]>;
  /** Exit codes that mean a fault of the server. Any other is a fault of the tool or of this bench, and no finding. */
  readonly red: (exitCode: number) => boolean;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Outcome {
  /** `fault`: of the tool. `threw`: the defect threw, so the server was not broken as described. */
  readonly verdict: "green" | "red" | "timed out" | "fault" | "threw";
  readonly seconds: number;
  /** Its output, for diagnosis. */
  readonly output: string;
}

/** Runs a tool in a separate process. One that does not end in time is killed, and never counts as green. */
export async function runTool(tool: Tool, job: Job, timeoutS: number): Promise<Outcome> {
  const args = await tool.command(job);
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      args,
      {
        cwd: job.folder,
        env: { ...process.env, ...tool.env, NO_COLOR: "1" },
        timeout: timeoutS * 1000,
        killSignal: "SIGKILL",
        maxBuffer: 2 ** 28,
      },
      (error, stdout, stderr) => {
        const seconds = (performance.now() - startedAt) / 1000;
        const exitCode = child.exitCode;
        const ended =
          exitCode === null ? (error?.killed ? "timed out" : "fault") : tool.red(exitCode) ? "red" : "fault";
        resolve({ verdict: exitCode === 0 ? "green" : ended, seconds, output: `${stdout}${stderr}` });
      },
    );
  });
}
