import { defineService } from "atpoint-server";
import { openCategories } from "./categories.ts";
import { contract, type Types } from "./generated/contract.ts";
import { handlers } from "./handlers.ts";
import { migrations } from "./migrations.ts";
import { openProducts } from "./products.ts";

await defineService<Types>()({
  name: "catalogue",
  contract,
  migrations,
  services: (database, server) => ({
    ...server,
    categories: openCategories(database),
    products: openProducts(database),
  }),
  handlers,
}).run(process.argv.slice(2));
