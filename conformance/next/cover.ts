// `npm run -s cover` writes which cases a default run sends: after a change of the contract or of the tables.
import { writeFileSync } from "node:fs";
import { packaged } from "./packaged.ts";
import { coveringOf } from "./requests/cover.ts";

const covering = coveringOf(packaged);
writeFileSync(new URL("covering.json", import.meta.url), `${JSON.stringify(covering, null, 1)}\n`);
console.log(`${covering.cases.length} cases`);
