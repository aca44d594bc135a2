import { createService } from "./server/index.ts";
import { definition } from "./service.ts";

await createService(definition).run(["serve", ...process.argv.slice(2)]);
