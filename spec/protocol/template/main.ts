import { defineService } from "atpoint-server";
import { contract, type Types } from "./generated/contract.ts";
import { handlers } from "./handlers.ts";
import { migrations } from "./migrations.ts";
import { openNotes } from "./notes.ts";

await defineService<Types>()({
  name: "my-service",
  contract,
  migrations,
  services: (database, parts) => ({ ...parts, notes: openNotes(database) }),
  handlers,
}).run(process.argv.slice(2));
