// The statements of src/docs/extending.md about new operations: three with a table, a scope and a
// 409 of their own are a short patch; every check of the suite holds for them from the spec alone;
// and a command changes only users created by the run.
import { execFile } from "node:child_process";
import { appendFile, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundledCommand, launchProgram } from "../conformance/proof/kits/process.test-kit.ts";
import { type RunningService, startService } from "../conformance/proof/kits/service.test-kit.ts";
import { generate } from "../spec/protocol/emitter/emit.ts";
import { write } from "../spec/protocol/emitter/write.test-kit.ts";
import { BOUND_MS } from "../src/test/patience.ts";
import { newOperation } from "./new-operation.ts";

const root = resolve(import.meta.dirname, "..");
let folder: string;
/** The repository with new operations. */
let right: string;
const run = async (program: string, ...words: string[]) =>
  (await promisify(execFile)(program, words, { cwd: right })).stdout.trim();

/** A command that changes a record, and has a header parameter. */
const RENAME = `
model Reason { /** Why. */ @header("X-Reason") @minLength(2) @maxLength(20) reason?: string }
model Renaming { ...Record<never>; @exampleFrom(#{ operation: "user.create", pointer: "/id" }) id:
  Uuid; name: PersonName }
@tag("users") @summary("Rename a user") @doc("Renames a user.") @useAuth(KeyAndPlatform)
  @scope("users:write")
op userRename is Command<"user.rename", Renaming, Ok<User> | NoteNotFound | CredentialProblem,
  Reason>;
`;
/**
 * The ids that the command is aimed at are logged in the copy: the service itself is a bundle in
 * another place.
 */
const renaming = () => `
  "user.rename": async (input, { services }) => {
    appendFileSync(${JSON.stringify(join(right, "aimed.txt"))}, \`\${input?.id ?? "nobody"}\\n\`);
    const user = await services.users.rename(input?.id ?? "", String(input?.name));
    if (!user) throw new Problem("note-not-found");
    return user;
  },
};`;
const IMPORTS =
  'import { appendFileSync } from "node:fs";\nimport { Problem } from "../server/problem.ts";\n';
const STORE = `
    async rename(id: string, name: string) {
      await write((database) => database("users").where({ id }).update({ name }));
      return this.find(id);
    },`;

/**
 * Run in a copy: names the mutants of the new operations that nothing finds which follows from the
 * spec.
 */
const TRY = `
import { runOf } from "./conformance/proof/operation-proof.ts";
import { seededService } from "./conformance/proof/service.ts";
const service = await seededService();
const { report, tried, left } = await runOf(["user.rename"], service).finally(() =>
  service.stop());
console.log(JSON.stringify({ findings: report.results.findings.map(({ requirement }) =>
  requirement), tried, left }));
`;

/** Their own requirements, those of lists, and one of those of input. */
const OF_THE_NEW = [
  "note.*",
  "user.rename/*",
  "paging/*",
  "input/unknown-parameter",
  "answers/object",
].flatMap((id) => ["--only", id]);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "atpoint-operation-"));
  right = join(folder, "right");
  const settings = [
    "package.json",
    "tsconfig.json",
    "biome.json",
    ".gitignore",
    "README.md",
    "CHANGELOG.md",
  ];
  for (const part of ["src", "spec", "conformance", "scripts/deploy", ...settings])
    await cp(join(root, part), join(right, part), { recursive: true });
  // Of another contract: its runs send every case.
  await mkdir(join(right, "generated"));
  await cp(join(root, "generated/covering.json"), join(right, "generated/covering.json"));
  await symlink(join(root, "node_modules"), join(right, "node_modules"));
  await run("git", "init", "-q");
  for (const words of ["note.create POST", "note.list GET", "note.get.<id>"])
    expect(await newOperation(words.split(" "), right, () => {})).toBe(0);
  await run("git", "apply", join(import.meta.dirname, "notes.patch"));
  await appendFile(join(right, "spec/operations/note.tsp"), RENAME);
  await edit(join(right, "src/operations/handlers.ts"), /\n\};\s*$/, renaming());
  await edit(join(right, "src/operations/handlers.ts"), /^/, IMPORTS);
  await edit(join(right, "src/stores/users.ts"), /\n {2}return \{/, `$&${STORE}`);
  await write(await generate(join(right, "spec/main.tsp")), join(right, "generated"));
});
afterAll(() => rm(folder, { recursive: true }));

/** A copy of the repository with the new operations. */
async function copyOf(name: string): Promise<string> {
  await cp(right, join(folder, name), { recursive: true });
  return join(folder, name);
}

async function edit(file: string, what: RegExp, by: string): Promise<void> {
  const text = await readFile(file, "utf8");
  expect(text).toMatch(what);
  await writeFile(file, text.replace(what, by));
}

const suite = (copy: string, words: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  launchProgram(process.execPath, ["--max-semi-space-size=32", bundledCommand(copy), ...words], {
    cwd: copy,
    env,
  }).ended;

/** The service of a copy, with a user of another client, for as long as `use` takes. */
async function served(
  copy: string,
  use: (service: RunningService) => Promise<void>,
  url?: string,
): Promise<void> {
  const service = await startService(url, {}, copy);
  try {
    const { id } = await call(service, "user.create", { name: "Ada", email: "ada@example.com" });
    await use(service);
    const { items } = await call(service, "user.list&limit=200");
    expect(items.find((one) => one.id === id)).toMatchObject({ name: "Ada" });
  } finally {
    await service.stop();
  }
}

/**
 * The result of a copy's suite, and the ids that the command was aimed at since the service
 * started; `foreignIds` are of another client.
 */
async function runSuite(service: RunningService, copy: string, words: readonly string[]) {
  const { url, credentialsFile } = service;
  const patient = ["--timeout", `${BOUND_MS}`];
  const ended = await suite(copy, [
    "--url",
    url,
    "--credentials",
    credentialsFile,
    ...patient,
    ...words,
  ]);
  const { items } = await call(service, "user.list&limit=200");
  const lines = await readFile(join(right, "aimed.txt"), "utf8").catch(() => "");
  const aimed = lines.split("\n").slice(0, -1);
  const foreign = items.flatMap(({ id, email }) => (email.includes("conformance+") ? [] : [id]));
  return { ...ended, aimed, foreignIds: aimed.filter((id) => foreign.includes(id)) };
}

type Reported = Readonly<Record<"id" | "outcome", string>>;
interface Answered {
  readonly id: string;
  readonly code: string;
  readonly items: readonly { readonly id: string; readonly email: string }[];
}
/** Calls a query by its name, a command with its data. */
async function call(
  { url, credentials }: RunningService,
  name: string,
  data?: object,
): Promise<Answered> {
  const { key, platform } = credentials.full;
  const headers = { "X-API-KEY": key, "X-PLATFORM": platform, "Content-Type": "application/json" };
  const response = data
    ? fetch(`${url}/api/`, { headers, method: "POST", body: JSON.stringify({ "@": name, data }) })
    : fetch(`${url}/api/?@=${name}`, { headers });
  return JSON.parse(await (await response).text());
}

describe("new operations", () => {
  it("are begun by new-operation, finished by a patch, and compile", async () => {
    await writeFile(
      join(right, "tsconfig.src.json"),
      '{ "extends": "./tsconfig.json", "include": ["src", "generated"] }',
    );
    expect(await run("node_modules/.bin/tsc", "-p", "tsconfig.src.json")).toBe("");
  });

  it("are checked without a new line, and aimed at users of the run only", async () => {
    const misled = await copyOf("misled");
    const wrong = /("id": "user\.rename"[\s\S]*?)"operation": "user\.create",\s*"pointer": "\/id"/;
    await edit(
      join(misled, "generated/contract.json"),
      wrong,
      '$1"operation": "user.list", "pointer": "/items/0/id"',
    );
    const filename = join(folder, "notes.sqlite");
    const use = async (service: RunningService) => {
      // A contract that refers to existing records.
      expect((await runSuite(service, misled, ["--only", "user.rename/*"])).aimed).toEqual([]);
      const file = join(folder, "report.json");
      const all = await runSuite(service, right, ["--json", file, ...OF_THE_NEW]);
      expect(all.stdout).not.toMatch(/^FAIL/m);
      expect(all.code).toBe(0);
      const { requirements } = JSON.parse(await readFile(file, "utf8"));
      const passed = requirements.flatMap(({ id, outcome }: Reported) =>
        outcome === "passed" ? [id] : [],
      );
      const some = ["input/unknown-parameter", "paging/cursor-of-operation", "note.get/answer"];
      expect(passed).toEqual(expect.arrayContaining(some));
      expect(all.aimed.length).toBeGreaterThan(0);
      expect(all.foreignIds).toEqual([]);
      // More than any run creates.
      const numbers =
        "with recursive c(n) as (select 1 union all select n + 1 from c where n < 10000)";
      const full = `${numbers} insert into notes select printf('%d', n), 'x' from c`;
      await run(
        process.execPath,
        "-e",
        `new (require("sqlite3").Database)("${filename}").exec(\`${full}\`)`,
      );
      expect(await call(service, "note.create", { name: "x" })).toMatchObject({
        code: "notes-full",
        status: 409,
      });
    };
    await served(right, use, `sqlite:${filename}`);
  });

  it("have mutants, which are found by what follows from the spec", async () => {
    const copy = await copyOf("broken");
    await writeFile(join(copy, "try.ts"), TRY);
    const words = ["--import", "tsx", "try.ts"];
    const { stdout, stderr } = await launchProgram(process.execPath, words, { cwd: copy }).ended;
    expect(stderr).toBe("");
    const { findings, tried, left } = JSON.parse(stdout);
    expect(findings).toEqual([]);
    expect(tried).toBeGreaterThan(100);
    expect(left).toEqual([]);
  });

  it("change no user of another client where the deployment takes anything", async () => {
    const copy = await copyOf("lax");
    await rm(join(right, "aimed.txt"), { force: true });
    const takes =
      `Object.assign(validators["user.rename"], { body: Object.assign(() => true, { errors: ` +
      "null }) });";
    await appendFile(join(copy, "generated/validators.ts"), `\n${takes}`);
    await served(copy, async (service) => {
      const { aimed, foreignIds } = await runSuite(service, right, ["--only", "user.rename/*"]);
      expect(aimed.length).toBeGreaterThan(0);
      expect(foreignIds).toEqual([]);
    });
  });
});
