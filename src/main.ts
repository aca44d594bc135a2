import { runProcess } from "./cli/run-process.ts";

await runProcess(["serve", ...process.argv.slice(2)]);
