import { runProcess } from "./cli/run-process.ts";

await runProcess(["serve"]);
