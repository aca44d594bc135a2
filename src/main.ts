import { service } from "./service.ts";

await service.run(["serve", ...process.argv.slice(2)]);
