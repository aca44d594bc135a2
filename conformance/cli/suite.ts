import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { readContract } from "../complete-contract.ts";
import type { Extension } from "../extension.ts";
import { atpoint } from "../extensions/atpoint/index.ts";
import { isObject } from "../oracle/schema.ts";
import { type Covering, hashOf } from "../requests/generate.ts";
import type { Suite } from "../run/state.ts";
import { createSuite } from "../suite.ts";
import type { CliOptions } from "./options.ts";
import { fileMessageOf, parseJsonFile, reading, UsageError } from "./usage.ts";

/** `covering.json` next to a contract; undefined if there is none. */
function coveringBeside(file: string): Covering | undefined {
  const beside = path.join(path.dirname(file), "covering.json");
  if (!existsSync(beside)) return undefined;
  const json = reading(() => parseJsonFile(beside), `${beside}: `);
  if (isObject(json) && typeof json.hash === "string" && Array.isArray(json.cases))
    return { hash: json.hash, cases: json.cases.map(String) };
  throw new UsageError(`${beside}: it has no hash and no cases; write it again: --cover`);
}

/** That of a suite: an extension without rows leaves it as it is. */
const coveringOf = ({ coveringCases, tables }: Suite): Covering | undefined =>
  coveringCases ? { hash: hashOf(tables), cases: coveringCases } : undefined;

/** The default export of a module, of which `createSuite` checks whether it is an extension. */
async function extensionsIn(file: string): Promise<readonly Extension[]> {
  try {
    // `import` would not say why.
    readFileSync(file);
    const exported = await import(pathToFileURL(path.resolve(file)).href);
    return [exported.default].flat();
  } catch (error) {
    throw new UsageError(`--extensions ${file}: ${fileMessageOf(error)}`);
  }
}

/**
 * The suite of `--contract` and `--extensions`; without them the packaged one. What this service
 * has of its own goes with every version of its contract, which its title names.
 */
export async function suiteOf(
  { contract: file, extensions: module }: CliOptions,
  packaged: Suite,
): Promise<Suite> {
  if (file === undefined && module === undefined) return packaged;
  const known = packaged.oracle.contract;
  const read = (name: string) =>
    reading(() => readContract(parseJsonFile(name)), `--contract ${name}: `);
  const contract = file === undefined ? known : read(file);
  const ownExtensions = contract.title === known.title ? [atpoint] : [];
  const moduleExtensions = module === undefined ? [] : await extensionsIn(module);
  const covering = file === undefined ? coveringOf(packaged) : coveringBeside(file);
  const extensions = [...ownExtensions, ...moduleExtensions];
  return reading(
    () => createSuite(contract, extensions, covering),
    module === undefined ? "" : `--extensions ${module}: `,
  );
}

/** Writes `covering.json` next to the contract; returns a line about it. */
export async function cover(suite: Suite, { contract: file }: CliOptions): Promise<string> {
  if (file === undefined)
    throw new UsageError("--cover: give the --contract next to which covering.json is written");
  // Only this needs the decision points.
  const points = await import("../requests/cover.ts");
  const covering = points.coveringOf(suite);
  const beside = path.join(path.dirname(file), "covering.json");
  reading(() => writeFileSync(beside, `${JSON.stringify(covering, null, 1)}\n`));
  return `${beside}: ${covering.cases.length} cases\n`;
}
