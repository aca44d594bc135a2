import { createService } from "atpoint-server";
import { contract } from "./generated/contract.ts";
import { handlers } from "./handlers.ts";
import { migrations } from "./migrations.ts";
import { openNotes } from "./notes.ts";

await createService({
  name: "my-service",
  contract,
  migrations,
  services: (database, parts) => ({ ...parts, notes: openNotes(database) }),
  handlers,
}).run(process.argv.slice(2));
