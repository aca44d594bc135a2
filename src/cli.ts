import { createService } from "./server/index.ts";
import { definition } from "./service.ts";
import { addUserCommands } from "./user-commands.ts";

await createService(definition, [addUserCommands]).run(process.argv.slice(2));
