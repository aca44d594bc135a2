import { defineService } from "atpoint-server";
import { contract, type Types } from "./generated/contract.ts";
import { handlers } from "./handlers.ts";
import { openJobs } from "./jobs.ts";

await defineService<Types>()({
  name: "jobs",
  contract,
  services: (_, parts) => ({ ...parts, jobs: openJobs() }),
  handlers,
}).run(process.argv.slice(2));
