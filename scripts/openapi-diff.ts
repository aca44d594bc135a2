// Compares two contracts by operation and reports what breaks a client. Redocly finds every change and rates most of them.
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { parse } from "yaml";

/** The parts of a document that are read; everything else is left to Redocly. */
export interface Contract {
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, unknown>>;
}

/** A change, as `redocly diff --format json` has it. */
interface Change {
  readonly path: string;
  readonly typeName: string;
  readonly property?: string;
  readonly kind: "added" | "removed" | "modified";
  readonly impact: "major" | "minor" | "patch";
  readonly verdicts: readonly { readonly message: string }[];
  readonly base?: { readonly pointer: string; readonly value?: unknown };
  readonly revision?: Change["base"];
}

export interface Finding {
  /** The operations that it concerns, by name; none: the document itself. */
  readonly operations: readonly string[];
  /** `major` breaks a client, `minor` adds something, `patch` is of no concern. */
  readonly impact: Change["impact"];
  readonly text: string;
}

const PROBLEM = "application/problem+json";
/** Members of a document without a promise; a member of a schema may have such a name too. */
const UNCOMPARED = new Set(["description", "summary", "example", "examples", "servers"]);
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/**
 * A part of a document as it is compared: without members that promise nothing, and with each code of a problem as a separate
 * media type. A further code adds to the contract (D33); as a further member of `anyOf` it would be a wider response, which
 * breaks.
 */
function comparable(value: unknown, named = false): unknown {
  if (Array.isArray(value)) return value.map((one) => comparable(one));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]): [string, unknown][] => {
      if (!named && UNCOMPARED.has(key)) return [];
      if (key !== PROBLEM || !isObject(member) || !isObject(member.schema))
        return [[key, comparable(member, key === "properties" && !named)]];
      const { anyOf } = member.schema;
      const schemas: unknown[] = Array.isArray(anyOf) ? anyOf : [member.schema];
      return schemas.map((schema) => [`${key};${isObject(schema) ? schema.$ref : ""}`, { schema }]);
    }),
  );
}

/** Redocly takes these for patches. */
function breaksUnnoticed({ typeName, property, base, revision }: Change): boolean {
  if (property === "default") return base?.value !== undefined;
  if (property === "x-scope") return revision?.value !== undefined;
  return typeName === "Header" && property === "required" && base?.value === true;
}

/** Every change from one contract to the next. */
export async function compare(old: Contract, revised: Contract): Promise<Finding[]> {
  const folder = await mkdtemp(join(tmpdir(), "atpoint-diff-"));
  try {
    for (const [name, document] of Object.entries({ "old.json": old, "new.json": revised }))
      await writeFile(join(folder, name), JSON.stringify(comparable(document)));
    const redocly = createRequire(import.meta.url).resolve("@redocly/cli/bin/cli.js");
    const argv = [redocly, "diff", "old.json", "new.json", "--format", "json", "--fail-on", "none"];
    const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
    const { stdout } = await promisify(execFile)(process.execPath, argv, { cwd: folder, env, maxBuffer: 2 ** 26 });
    const { changes }: { changes: readonly Change[] } = JSON.parse(stdout);
    return changes.map((change) => finding(change, [old, revised]));
  } finally {
    await rm(folder, { recursive: true });
  }
}

function finding(change: Change, contracts: readonly Contract[]): Finding {
  const { path, property = "", kind, base, revision, verdicts } = change;
  const impact = breaksUnnoticed(change) ? "major" : change.impact;
  // A shared part is reported once, where it is found first.
  const pointers = [path, base?.pointer, revision?.pointer].flatMap((pointer) => pointer ?? []);
  const operations = new Set(
    contracts.flatMap((contract) => pointers.flatMap((pointer) => concerned(pointer, contract))),
  );
  const values = [base, revision].map((side) => JSON.stringify(side?.value) ?? "nothing");
  const text = kind === "modified" ? `${property} changed from ${values.join(" to ")}` : kind;
  const place = path.replace(/^#\/paths\/[^/]+\/?/, "").replaceAll("~1", "/") || "the operation";
  return { operations: [...operations], impact, text: `${place}: ${verdicts[0]?.message ?? text}` };
}

const nameOf = (path: string): string => path.replace(/^\/api\/(.*)\/\.\.\/$/, "$1");

/** The operations that a place in a contract belongs to: its own, or those that refer to its component. */
function concerned(pointer: string, contract: Contract): string[] {
  const [, kind, name = ""] = pointer.split("/").map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  if (kind === "paths") return [nameOf(name)];
  const component = pointer.split("/").slice(0, 4).join("/");
  const paths = Object.entries(contract.paths);
  return paths.filter(([, item]) => reached(item, contract).has(component)).map(([path]) => nameOf(path));
}

/** The components that a part of a contract refers to. */
function reached(part: unknown, contract: Contract, found = new Set<string>()): Set<string> {
  for (const [, reference = ""] of JSON.stringify(part).matchAll(/"\$ref":"([^"]+)"/g)) {
    if (found.has(reference)) continue;
    found.add(reference);
    let target: unknown = contract;
    for (const step of reference.split("/").slice(1)) target = isObject(target) ? target[step] : undefined;
    reached(target ?? null, contract, found);
  }
  return found;
}

/** The baseline for later contracts, as JSON with a line for each path and component: a change shows as a change of lines. */
function kept(contract: Contract): string {
  const { paths, components, ...rest } = Object(comparable(contract));
  const line = ([name, value]: [string, unknown]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`;
  const lines = (part: object) => `{\n${Object.entries(part).map(line).join(",\n")}\n}`;
  const kinds = Object.entries<object>(components).map(([kind, part]) => `${JSON.stringify(kind)}: ${lines(part)}`);
  return `{\n${Object.entries(rest).map(line).join(",\n")},\n"paths": ${lines(paths)},\n"components": {\n${kinds.join(",\n")}\n}\n}`;
}

/**
 * `npm run openapi:diff -- OLD NEW`: prints breaks and additions by operation. 1: it breaks without a new major version. With one
 * document, prints the compared parts of it.
 */
export async function command(files: readonly string[], print: (line: string) => void): Promise<number> {
  const documents: Contract[] = [];
  for (const file of files)
    try {
      const document: Contract = parse(await readFile(file, "utf8"));
      if (!isObject(document?.paths) || !isObject(document.info)) throw new Error("it is no OpenAPI document");
      documents.push(document);
    } catch (error) {
      print(`${file} cannot be compared: ${error instanceof Error ? error.message : error}`);
      return 2;
    }
  const [old, revised, ...more] = documents;
  const usage = "Usage: npm run openapi:diff -- OLD NEW, two documents by operation (YAML or JSON)";
  if (!old || more.length > 0 || !revised) {
    const isOne = old && more.length === 0;
    print(isOne ? kept(old) : `${usage}, or one to be compared later`);
    return isOne ? 0 : 2;
  }
  const findings = await compare(old, revised);
  const reported = findings.filter(({ impact }) => impact !== "patch");
  const names = new Set(reported.flatMap(({ operations }) => (operations.length > 0 ? operations : [""])));
  for (const name of names) {
    print(name || "the document");
    for (const { operations, impact, text } of reported)
      if (name === "" ? operations.length === 0 : operations.includes(name))
        print(`  ${impact === "major" ? "breaks" : "adds  "}  ${text}`);
  }
  const breaks = reported.filter(({ impact }) => impact === "major").length;
  const counts = `${breaks} breaking, ${reported.length - breaks} added`;
  const [from, to] = [old, revised].map(({ info }) => info.version);
  const isBreak = breaks > 0 && Number.parseInt(to ?? "", 10) <= Number.parseInt(from ?? "", 10);
  print(`${from} to ${to}: ${counts}${isBreak ? "; a break needs a new major version" : ""}.`);
  return isBreak ? 1 : 0;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href)
  process.exitCode = await command(process.argv.slice(2), console.log);
