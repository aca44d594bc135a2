import { environment } from "../config.ts";
import { failureText } from "../failure.ts";
import { runCli } from "./run-cli.ts";

/** Runs one command as this process, which ends with its exit code. */
export async function runProcess(argv: readonly string[]): Promise<void> {
  const { stdout, stderr } = process;
  // A full disk and a reader that goes away (`| head -1`) are no reason to die.
  for (const stream of [stdout, stderr]) stream.on("error", () => {});
  const tell = (error: unknown) => stderr.write(`${failureText(error)}\n`);
  // Node would print the message whole: of url.parse() it holds the URL, of a driver the row.
  process.removeAllListeners("warning").on("warning", tell);
  process.on("uncaughtException", (error) => {
    // Once it serves, the service closes by itself.
    if (process.listenerCount("uncaughtException") > 1) return;
    tell(error);
    process.exit(1);
  });
  process.exitCode = await runCli(argv, { env: environment(), stdout, stderr });
}
