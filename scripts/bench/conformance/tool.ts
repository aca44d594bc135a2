import { execFile } from "node:child_process";
import type { Credentials } from "../../../conformance/client/credentials.ts";
import type { RunningService } from "../../../conformance/test/service.test-kit.ts";

/** One server to judge. */
export interface Job {
  /** What is judged. */
  readonly url: string;
  readonly credentials: Credentials;
  /** The good deployment behind the broken one. */
  readonly service: RunningService;
  /** An empty folder of this run. */
  readonly folder: string;
  /** Unlike that of any other run. */
  readonly run: string;
}

export interface Tool {
  readonly name: string;
  /** Writes what the tool reads into the folder, and says which Node program with which arguments judges the server. */
  readonly command: (job: Job) => Promise<readonly string[]>;
  /** Exit codes that speak of the server. Any other is a fault of the tool or of this bench, and no finding. */
  readonly red: (exitCode: number) => boolean;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Outcome {
  /** `fault`: of the tool. `threw`: the defect did, so the server was not broken as it says. */
  readonly verdict: "green" | "red" | "timed out" | "fault" | "threw";
  readonly seconds: number;
  /** What it printed, for who wants to know why. */
  readonly output: string;
}

/** Runs a tool in a process of its own. One that does not end in time is killed: whoever waits for it sees no green. */
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
