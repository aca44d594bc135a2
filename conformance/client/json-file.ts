import { readFileSync } from "node:fs";

/** What a JSON file holds, with or without the byte order mark that editors write. Throws what node:fs and JSON.parse throw. */
export function parseJsonFile(file: string): unknown {
  return JSON.parse(readFileSync(file, "utf8").replace(/^\uFEFF/, ""));
}
