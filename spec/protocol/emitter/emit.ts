import type { EmitContext, Program } from "@typespec/compiler";
import {
  compile,
  emitFile,
  formatDiagnostic,
  joinPaths,
  listServices,
  NodeHost,
} from "@typespec/compiler";
import { getOpenAPI3 } from "@typespec/openapi3";
import { stringify } from "yaml";
import { $lib as library, reportDiagnostic, wordsOf } from "../library.js";
import { checkForms } from "./check-forms.ts";
import { emitContract } from "./emit-contract.ts";
import { emitClauses, emitProblems, emitReference } from "./emit-docs.ts";
import { emitCommands, emitModule } from "./emit-module.ts";
import { emitValidators } from "./emit-validators.ts";
import { completeExamples } from "./examples.ts";
import { fold } from "./fold.ts";
import { leaveOutReadOnly } from "./inputs.ts";
import { type ContractModel, readContract } from "./model.ts";
import { normalise } from "./normalise.ts";
import type { Document } from "./openapi.ts";
import { checkValues } from "./values.ts";

/** The name of the library, which the compiler reads. */
export const $lib: { readonly name: string } = library;

/**
 * Called by the compiler: writes the generated files of a spec; nothing where the spec has an
 * error, which the compiler prints.
 */
export async function $onEmit({ program, emitterOutputDir }: EmitContext): Promise<void> {
  const files = await filesOf(program);
  if (program.hasError() || program.compilerOptions.dryRun) return;
  for (const [path, content] of files)
    await emitFile(program, { path: joinPaths(emitterOutputDir, path), content });
}

/** The spec has errors; the message has file, line and column of each. */
export class SpecError extends Error {
  override readonly name = "SpecError";
}

/**
 * Compiles a spec without writing anything, and returns its generated files. Throws a `SpecError`.
 */
export async function generate(entry: string): Promise<ReadonlyMap<string, string>> {
  const program = await compile(NodeHost, entry, { noEmit: true });
  const files = program.diagnostics.length > 0 ? new Map() : await filesOf(program);
  if (program.diagnostics.length === 0) return files;
  throw new SpecError(program.diagnostics.map((one) => formatDiagnostic(one)).join("\n"));
}

/**
 * Every generated file of a spec, by its path below the output folder; none where the program gets
 * an error.
 */
async function filesOf(program: Program): Promise<ReadonlyMap<string, string>> {
  const contract = await contractOf(program);
  if (!contract) return new Map();
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
    ["contract.ts", await emitModule(contract, data)],
    ["commands.ts", emitCommands(contract)],
    ["validators.ts", await emitValidators(contract)],
    ["docs/reference.md", emitReference(contract)],
    ["docs/problems.md", emitProblems(contract)],
    ["docs/contract.md", emitClauses(contract)],
  ]);
}

async function contractOf(program: Program): Promise<ContractModel | null> {
  const [service, ...otherServices] = listServices(program);
  checkForms(program);
  if (program.hasError()) return null;
  const [record] = await getOpenAPI3(program, {
    "openapi-versions": ["3.1.0"],
    "omit-unreachable-types": true,
    "experimental-parameter-examples": "data",
  });
  if (!service || !record || record.versioned || otherServices.length > 0) {
    reportDiagnostic(program, {
      code: "service",
      target: otherServices[0]?.type ?? program.getGlobalNamespaceType(),
    });
    return null;
  }
  program.reportDiagnostics(record.diagnostics);
  if (record.diagnostics.length > 0) return null;
  const document = normalise(wordsOf(program)(JSON.stringify(record.document)));
  leaveOutReadOnly(document);
  completeExamples(program, document);
  const fit = checkValues(program, document);
  const contract = readContract(program, document, fit);
  return program.hasError() ? null : contract;
}

const NOTE =
  "Each operation has a path of its own here, for client generators and reference pages. " +
  "It can be called as it stands: clients remove dot segments before they send (RFC 3986, " +
  "5.2.4), so that `/api/<name>/../?@=<name>` is `/api/?@=<name>`.";

const YAML = { lineWidth: 0, aliasDuplicateObjects: false, compat: "yaml-1.1" } as const;
const yaml = (document: Document): string =>
  `# Generated from spec/ by \`npm run generate\`. Do not edit.\n${stringify(document, YAML)}`;
const json = (document: Document): string => `${JSON.stringify(document, null, 2)}\n`;
