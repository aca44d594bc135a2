import { RunAborted } from "../http/rate-limiter.ts";
import { EXIT } from "../run/verdict.ts";
import { main } from "./main.ts";

const { stdout, stderr, env } = process;
// A reader that closes the pipe (`--list | head`) is not an error: what is left is dropped, and the
// work is completed.
for (const stream of [stdout, stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
// Node's own exit code for this is 1, which means that the target is at fault.
process.on("uncaughtException", (error) => {
  stderr.write(`fault of the suite: ${error.message}\n`);
  process.exit(EXIT.harness);
});
// What a script no longer awaits, because the run ends, may still be rejected.
process.on("unhandledRejection", (reason) => {
  if (!(reason instanceof RunAborted)) throw reason;
});
// Every signal: npm and tsx forward one that the terminal has already sent to the group.
const interrupt = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => interrupt.abort());
process.exitCode = await main(process.argv.slice(2), {
  stdout,
  stderr,
  env,
  signal: interrupt.signal,
});
