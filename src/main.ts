import { runCli } from "./commands/run-cli.ts";
import { environment } from "./config.ts";

const { stdout, stderr } = process;
process.exitCode = await runCli(["serve"], { env: environment(), stdout, stderr });
