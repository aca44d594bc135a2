// Compares two contracts by operation and reports what breaks a client. Redocly finds every change
// and rates most of them.
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { parse } from "yaml";

/** The parts of a document that are read; everything else is left to Redocly. */
interface Contract {
  readonly info: { readonly version: string };
  readonly paths: object;
  readonly components?: { readonly securitySchemes?: unknown };
}

/**
 * A change, as `redocly diff --format json` has it; `major` breaks a client, `minor` adds
 * something, `patch` is of no concern.
 */
interface Change {
  readonly path: string;
  readonly typeName: string;
  readonly property?: string;
  readonly kind: "added" | "removed" | "modified";
  readonly impact: "major" | "minor" | "patch";
  readonly verdicts: readonly { readonly message: string }[];
  readonly base?: { readonly value?: unknown };
  readonly revision?: Change["base"];
}

const PROBLEM = "application/problem+json";
/** Members of a document without a promise; a member of a schema may have such a name too. */
const UNCOMPARED = new Set(["description", "summary", "example", "examples", "servers"]);
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

/**
 * A part of a document as it is compared: complete, since a change of a shared part concerns each
 * operation that has it; without members that promise nothing; and with each code of a problem as a
 * separate media type. A further code adds to the contract (D33); as a further member of `anyOf` it
 * would be a wider response, which breaks.
 */
function comparable(
  value: unknown,
  document: Contract,
  within: readonly string[] = [],
  named = false,
): unknown {
  if (Array.isArray(value)) return value.map((one) => comparable(one, document, within));
  if (!isObject(value)) return value;
  const { $ref } = value;
  if (typeof $ref === "string" && !named)
    return within.includes($ref)
      ? {}
      : comparable(partAt($ref, document), document, [...within, $ref]);
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]): [string, unknown][] => {
      if (!named && UNCOMPARED.has(key)) return [];
      const of = (part: unknown) =>
        comparable(part, document, within, key === "properties" && !named);
      if (key !== PROBLEM || !isObject(member) || !isObject(member.schema))
        return [[key, of(member)]];
      const { anyOf } = member.schema;
      const schemas: unknown[] = Array.isArray(anyOf) ? anyOf : [member.schema];
      return schemas.map((schema) => [
        `${key};${isObject(schema) ? schema.$ref : ""}`,
        { schema: of(schema) },
      ]);
    }),
  );
}

function partAt(reference: string, document: unknown): unknown {
  const steps = reference.split("/").slice(1);
  return steps.reduce((part, step) => (isObject(part) ? part[step] : undefined), document);
}

/** Redocly takes the last three for patches. */
function isBreak({ impact, typeName, property, base, revision }: Change): boolean {
  if (impact === "major") return true;
  if (property === "default") return base?.value !== undefined;
  if (property === "x-scope") return revision?.value !== undefined;
  return typeName === "Header" && property === "required" && base?.value === true;
}

/** Every change from one contract to the next. */
async function compare(
  ...contracts: readonly [old: Contract, revised: Contract]
): Promise<readonly Change[]> {
  const folder = await mkdtemp(join(tmpdir(), "atpoint-diff-"));
  try {
    for (const [index, contract] of contracts.entries()) {
      const { securitySchemes } = contract.components ?? {};
      const whole = comparable({ ...contract, components: { securitySchemes } }, contract);
      await writeFile(join(folder, `${index}.json`), JSON.stringify(whole));
    }
    const redocly = join(import.meta.dirname, "../node_modules/.bin/redocly");
    const argv = ["diff", "0.json", "1.json", "--format", "json", "--fail-on", "none"];
    const env = {
      ...process.env,
      REDOCLY_TELEMETRY: "off",
      REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
    };
    const { stdout } = await promisify(execFile)(redocly, argv, {
      cwd: folder,
      env,
      maxBuffer: 2 ** 28,
    });
    return JSON.parse(stdout).changes;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A change as a line, after the operation that it concerns; without one, the document itself. */
function described(change: Change): readonly [operation: string, line: string] {
  const { path, property = "", kind, base, revision, verdicts } = change;
  const [, operation = "the document", place] =
    /^#\/paths\/~1api~1(.*?)~1\.\.~1\/?(.*)$/.exec(path) ?? [];
  const values = [base, revision].map((side) => JSON.stringify(side?.value) ?? "nothing");
  const text = kind === "modified" ? `${property} changed from ${values.join(" to ")}` : kind;
  const where = (place ?? path).replaceAll("~1", "/") || "the operation";
  return [
    operation,
    `  ${isBreak(change) ? "breaks" : "adds  "}  ${where}: ${verdicts[0]?.message ?? text}`,
  ];
}

/**
 * `npm run openapi:diff -- OLD NEW`: prints breaks and additions by operation. Returns the exit
 * code, 1 for a break without a new major version.
 */
export async function command(
  files: readonly string[],
  print: (line: string) => void,
): Promise<number> {
  const documents: Contract[] = [];
  for (const file of files)
    try {
      const document: Contract = parse(await readFile(file, "utf8"));
      if (!isObject(document?.paths) || !isObject(document.info))
        throw new Error("it is no OpenAPI document");
      documents.push(document);
    } catch (error) {
      print(`${file} cannot be compared: ${error instanceof Error ? error.message : error}`);
      return 2;
    }
  const [old, revised, ...extra] = documents;
  if (!old || !revised || extra.length > 0) {
    print("Usage: npm run openapi:diff -- OLD NEW, two documents by operation (YAML or JSON)");
    return 2;
  }
  const changes = (await compare(old, revised)).filter(
    (change) => change.impact !== "patch" || isBreak(change),
  );
  const lines = changes.map(described);
  for (const operation of new Set(lines.map(([name]) => name)))
    for (const line of [
      operation,
      ...lines.flatMap(([name, text]) => (name === operation ? text : [])),
    ])
      print(line);
  const breaks = changes.filter(isBreak).length;
  const [from, to] = [old, revised].map(({ info }) => info.version);
  const isRejected = breaks > 0 && Number.parseInt(to ?? "", 10) <= Number.parseInt(from ?? "", 10);
  const counts = `${breaks} breaking, ${changes.length - breaks} added`;
  print(`${from} to ${to}: ${counts}${isRejected ? "; a break needs a new major version" : ""}.`);
  return isRejected ? 1 : 0;
}

if (import.meta.filename === process.argv[1])
  process.exitCode = await command(process.argv.slice(2), console.log);
