import { runProcess } from "./commands/run-process.ts";

await runProcess(["serve"]);
