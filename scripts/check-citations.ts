// Rejects citations (`D13`, `G4`) of clauses that the contract does not have: in code, comments and documents.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import data from "../generated/contract.json" with { type: "json" };

const { clauses } = data;

const known = new Set<string>(clauses.map(({ id }) => id));

/**
 * The citations of unknown clauses in a file, as `file:line: …`. Not `%D0%90`, which is text in a URL, nor a part of a longer
 * word.
 */
export const unknownCitations = (file: string, text: string): string[] =>
  text
    .split("\n")
    .flatMap((line, index) =>
      [...line.matchAll(/(?<![\w%])[DG][1-9]\d?(?!\w)/g)]
        .filter(([id]) => !known.has(id))
        .map(([id]) => `${file}:${index + 1}: ${id} is no clause of the contract`),
    );

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const kinds = ["*.ts", "*.js", "*.tsp", "*.md", ".env.example"];
  const listed = execFileSync("git", ["ls-files", "-z", ...kinds], { encoding: "utf8" });
  const files = listed.split("\0").filter((file) => file !== "");
  const unknown = files.flatMap((file) => unknownCitations(file, readFileSync(file, "utf8")));
  for (const line of unknown) console.error(line);
  process.exitCode = unknown.length > 0 ? 1 : 0;
}
