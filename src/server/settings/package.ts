import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ExpectedError } from "../expected-error.ts";

/**
 * The nearest folder at or above a module that holds `package.json`: the same from `src/` and from
 * `dist/src/`.
 */
export function packageRoot(module: string | URL = import.meta.url): string {
  for (let folder = new URL("./", module); ; folder = new URL("../", folder)) {
    if (existsSync(new URL("package.json", folder))) return fileURLToPath(folder);
    if (folder.pathname === "/") throw new ExpectedError("no package.json above the module");
  }
}

/** What operators are shown: the release of the software, and the version of its contract. */
export interface Versions {
  readonly release: string;
  readonly contract: string;
}

/** The version of this release. That of the contract is `contract.version`. */
export const packageVersion = (root = packageRoot()): string =>
  JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version;
