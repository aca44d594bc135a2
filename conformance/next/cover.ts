// `npm run -s cover` writes which cases a default run sends: after a change of the contract or of the tables.
import { writeFileSync } from "node:fs";
import { special } from "../client/credentials.ts";
import { ours } from "../lists/ours.ts";
import { FILES } from "../models/model.ts";
import { coveringOf } from "./requests/cover.ts";
import { tablesOf } from "./requests/generate.ts";
import { sampleOf } from "./requests/sample.ts";

const tables = tablesOf(ours.contract, { paths: FILES, kinds: special });
const covering = coveringOf(tables, ours, sampleOf(ours.contract, FILES));
writeFileSync(new URL("covering.json", import.meta.url), `${JSON.stringify(covering, null, 1)}\n`);
console.log(`${covering.cases.length} cases`);
