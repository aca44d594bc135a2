import { Expectation, Stopped } from "../client/expectation.ts";
import { EXIT } from "../engine/verdict.ts";
import { main } from "./cli.ts";
import { outliveReaders } from "./reader-gone.ts";

const { stdout, stderr, env } = process;
outliveReaders();
// Node's own exit code for this is 1, which means that the target is at fault.
process.on("uncaughtException", (error) => {
  stderr.write(`fault of the harness: ${error.message}\n`);
  process.exit(EXIT.harness);
});
// A check may leave a promise behind that it no longer awaits, because the run ends or because it has already failed.
process.on("unhandledRejection", (reason) => {
  if (!(reason instanceof Stopped || reason instanceof Expectation)) throw reason;
});
// Every signal: npm and tsx forward one that the terminal has already sent to the group.
const interrupt = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => interrupt.abort());
process.exitCode = await main(process.argv.slice(2), { stdout, stderr, env, signal: interrupt.signal });
