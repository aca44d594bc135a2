// Refuses a clause that is cited (`D13`, `G4`) where the contract has none of that number: in code, comments and documents.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { clauses } from "../generated/requirements.ts";

const known = new Set<string>(clauses.map(({ id }) => id));
const files = execFileSync("git", ["ls-files", "-z", "*.ts", "*.js", "*.tsp", "*.md", ".env.example"], {
  encoding: "utf8",
});
let unknown = 0;
for (const file of files.split("\0").filter(Boolean)) {
  const lines = readFileSync(file, "utf8").split("\n");
  for (const [index, line] of lines.entries()) {
    // Not `%D0%90`, which is text in a URL, nor a part of a longer word.
    for (const [id] of line.matchAll(/(?<![\w%])[DG][1-9]\d?(?!\w)/g)) {
      if (known.has(id)) continue;
      unknown += 1;
      console.error(`${file}:${index + 1}: ${id} is no clause of the contract`);
    }
  }
}
process.exitCode = unknown > 0 ? 1 : 0;
