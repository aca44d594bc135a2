import { defineService } from "atpoint-server";
import { contract, type Types } from "./generated/contract.ts";
import { handlers } from "./handlers.ts";
import { openInvoices } from "./invoices.ts";
import { migrations } from "./migrations.ts";

await defineService<Types>()({
  name: "invoices",
  contract,
  migrations,
  services: (database, parts) => ({ ...parts, invoices: openInvoices(database) }),
  handlers,
}).run(process.argv.slice(2));
