import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { compile, type Diagnostic, formatDiagnostic, listServices, NodeHost } from "@typespec/compiler";
import { getOpenAPI3 } from "@typespec/openapi3";
import { stringify } from "yaml";
import { emitContract } from "./generate/emit-contract.ts";
import { emitClauses, emitProblems, emitReference } from "./generate/emit-docs.ts";
import { emitCommands, emitOperations } from "./generate/emit-operations.ts";
import { emitOrder, emitRequirements } from "./generate/emit-order.ts";
import { emitValidators } from "./generate/emit-validators.ts";
import { fold } from "./generate/fold.ts";
import { type ContractModel, readContract } from "./generate/model.ts";
import { normalise } from "./generate/normalise.ts";
import type { Document } from "./generate/openapi.ts";

/** The spec and its generated files. */
export const main = {
  entry: resolve(import.meta.dirname, "../spec/main.tsp"),
  folder: resolve(import.meta.dirname, "../generated"),
};

/** The spec has an error that the generator rejects; the message names file, line and column. */
export class SpecError extends Error {
  override readonly name = "SpecError";
}

function assertNone(diagnostics: readonly Diagnostic[]): void {
  if (diagnostics.length > 0)
    throw new SpecError(diagnostics.map((diagnostic) => formatDiagnostic(diagnostic)).join("\n"));
}

/** Compiles a spec and reads its model. */
async function contractOf(entry: string): Promise<ContractModel> {
  const program = await compile(NodeHost, entry, { noEmit: true });
  assertNone(program.diagnostics);
  if (listServices(program).length !== 1) throw new SpecError(`${entry} must declare exactly one service.`);
  const [record] = await getOpenAPI3(program, {
    "openapi-versions": ["3.1.0"],
    "omit-unreachable-types": true,
    "experimental-parameter-examples": "data",
  });
  // Versions take @typespec/versioning, which is not installed: no test has them.
  if (!record || record.versioned)
    throw new SpecError(`${entry} must have no versions: they are not part of the contract.`);
  assertNone(record.diagnostics);
  return readContract(program, normalise(record.document));
}

const NOTE =
  "Each operation has a path of its own here, for client generators and reference pages. It can be called as it stands: clients remove dot segments before they send (RFC 3986, 5.2.4), so that `/api/<name>/../?@=<name>` is `/api/?@=<name>`.";

const yaml = (document: Document): string =>
  `# Generated from spec/ by \`npm run generate\`. Do not edit.\n${stringify(document, { lineWidth: 0, aliasDuplicateObjects: false, compat: "yaml-1.1" })}`;
const json = (document: Document): string => `${JSON.stringify(document, null, 2)}\n`;

/** Every generated file of a spec, by its path below the output folder. */
export async function generate(entry: string): Promise<Map<string, string>> {
  const contract = await contractOf(entry);
  // Any other spec has only parts of the contract.
  if (entry === main.entry) rejectOpenClauses(contract);
  const { wire, byOperation } = fold(contract);
  const data = emitContract(contract, wire);
  const { info } = contract.document;
  byOperation.info = { ...info, description: `${info.description}\n\n${NOTE}` };
  return new Map([
    ["openapi.yaml", yaml(wire)],
    ["openapi.json", json(wire)],
    ["openapi.operations.yaml", yaml(byOperation)],
    ["openapi.operations.json", json(byOperation)],
    ["contract.json", `${JSON.stringify(data, null, 1)}\n`],
    ["operations.ts", await emitOperations(contract, data)],
    ["commands.ts", emitCommands(contract)],
    ["order.ts", emitOrder(contract)],
    ["validators.ts", await emitValidators(contract)],
    ["requirements.ts", emitRequirements(contract)],
    ["docs/reference.md", emitReference(contract)],
    ["docs/problems.md", emitProblems(contract)],
    ["docs/contract.md", emitClauses(contract)],
  ]);
}

/** Rejects a clause that no requirement covers and that gives no reason. */
export function rejectOpenClauses({ clauses, requirements }: Pick<ContractModel, "clauses" | "requirements">): void {
  const open = clauses.filter(
    ({ id, untried }) => untried === null && !requirements.some(({ clause }) => clause === id),
  );
  if (open.length > 0)
    throw new SpecError(`No requirement, and no @untried that says why: ${open.map(({ id }) => id).join(", ")}.`);
}

/** Writes the generated files; removes everything else in the folder. */
export async function write(files: ReadonlyMap<string, string>, folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  for (const [path, text] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

/** `npm run generate`: writes the generated files of a spec, or prints its errors. Returns the exit code. */
export async function command({ entry, folder }: typeof main, print: (text: string) => void): Promise<number> {
  try {
    await write(await generate(entry), folder);
    return 0;
  } catch (error) {
    if (!(error instanceof SpecError)) throw error;
    print(error.message);
    return 1;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href)
  process.exitCode = await command(main, console.error);
