import { service } from "./service.ts";
import { addUserCommands } from "./user-commands.ts";

await service.run(process.argv.slice(2), [addUserCommands]);
