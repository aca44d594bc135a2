import { environment, misspeltSettings } from "../config.ts";
import { failureText } from "./failure.ts";
import { runCli } from "./run-cli.ts";

/** Runs one command as this process, which ends with its exit code. */
export async function runProcess(argv: readonly string[]): Promise<void> {
  const { stdout, stderr } = process;
  const tell = (error: unknown) => stderr.write(`${failureText(error)}\n`);
  // These cannot be reported anywhere. A log that cannot be written is no reason to stop serving, and has a counter of its own.
  stderr.on("error", () => {});
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    // `| head -1` has read enough.
    if (argv[0] === "serve" || error.code === "EPIPE") return;
    process.exitCode = 1;
    tell(error);
  });
  // Node would print the whole message: an error of url.parse() contains the URL, an error of a driver the row.
  process.removeAllListeners("warning").on("warning", tell);
  process.on("uncaughtException", (error) => {
    // Once it serves, the service closes by itself.
    if (process.listenerCount("uncaughtException") > 1) return;
    tell(error);
    process.exit(1);
  });
  for (const warning of misspeltSettings()) stderr.write(`${warning}\n`);
  const terminal = {
    get env() {
      return environment();
    },
    stdout,
    stderr,
  };
  const code = await runCli(argv, terminal);
  process.exitCode ||= code;
}
