// A service that `new-service` writes generates, compiles, and is conformant; a defect in it is
// found.
import { readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { everything, type RunOptions } from "../conformance/run/options.ts";
import { BOUND_MS } from "../src/test/patience.ts";
import { servedFrom } from "./new-service.test-kit.ts";
import { newService } from "./new-service.ts";
import { installLinked, run, runSuite, type Served, suiteOf } from "./written-service.ts";

const root = resolve(import.meta.dirname, "..");

const CONTRACT = "generated/contract.ts";
const VALIDATORS = "generated/validators.ts";

let parent: string;
let folder: string;
const printed: string[] = [];
const npm = async (...words: string[]) => {
  const env = { ...process.env, NO_COLOR: "1" };
  const { stdout, stderr } = await run("npm", words, { cwd: folder, env }).catch(
    (failed) => failed,
  );
  return `${stdout}${stderr}`;
};

beforeAll(async () => {
  await run("npm", ["run", "-s", "build"], { cwd: root });
  parent = await mkdtemp(join(tmpdir(), "atpoint-own-"));
  // Every test below shows that such a path works.
  folder = join(parent, "a b", "ü");
  const words = [folder, "--name", "my-library", "--resource", "book"];
  expect(await newService(words, (line) => printed.push(line))).toBe(0);
  await installLinked(folder);
});
afterAll(() => rm(parent, { recursive: true }));

it("says that SQLite's driver can't be compiled in a folder whose path has a space", () => {
  expect(printed).toEqual([
    "SQLite's driver can't be compiled in a folder whose path has a space: move it, or use " +
      "PostgreSQL.",
    expect.stringContaining(`cd "${folder}" && npm install`),
  ]);
});

it("names nothing of the template", async () => {
  const files = (await readdir(folder)).filter((name) => /\.(ts|tsp|json)$/.test(name));
  expect(files).toContain("books.ts");
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), "utf8")));
  expect(texts.join("\n")).not.toMatch(/\bnotes?\b|my-service|MyService/i);
});

it("generates, compiles, and its npm test is conformant", async () => {
  expect(await npm("run", "generate")).toContain("Compilation completed successfully");
  expect(await npm("run", "-s", "cover")).toMatch(/^generated\/covering\.json: \d+ cases$/m);
  const output = await npm("test", "--", "--smoke");
  expect(output).toMatch(/^conformant \(smoke\)/m);
  expect(output).not.toMatch(/^FAIL |npm error/m);
});

it("serves the smallest service of the README of atpoint-server", async () => {
  const readme = await readFile(join(root, "src/server/README.md"), "utf8");
  const [, spec = "", main = "", config = "", commands = ""] =
    /```tsp\n(.*?)```.*```ts\n(.*?)```.*```yaml\n(.*?)```.*```sh\n(.*?)```/s.exec(readme) ?? [];
  const greeter = join(parent, "greeter");
  await mkdir(greeter);
  for (const name of ["node_modules", "package.json", "tsconfig.json"])
    await symlink(join(folder, name), join(greeter, name));
  const files = { "main.tsp": spec, "main.ts": main, "tspconfig.yaml": config };
  for (const [name, text] of Object.entries(files)) await writeFile(join(greeter, name), text);
  await run("npx", ["tsp", "compile", "."], { cwd: greeter });
  await run("npx", ["tsc"], { cwd: greeter });
  const { url } = await servedFrom(greeter);
  const [, query = "", body = ""] = /3000(\S+)" +# (.*)/.exec(commands) ?? [];
  expect(await (await fetch(`${url}${query}`)).text()).toBe(body);
});

/** A run of the suite with the contract in a folder; `which`: those of its covering cases. */
async function checked(at: string, served: Served, options: Partial<RunOptions> = {}, which = /./) {
  const covering = JSON.parse(await readFile(join(at, "generated/covering.json"), "utf8"));
  const coveringCases = covering.cases.filter((id: string) => which.test(id));
  const suite = { ...(await suiteOf(at)), coveringCases };
  const timeouts = { timeoutMs: BOUND_MS, deadlineMs: BOUND_MS };
  const report = await runSuite(served, suite, { ...timeouts, ...options });
  const { results, verdict, outcomes } = report;
  const failed = outcomes.flatMap(({ outcome, requirement }) =>
    outcome === "failed" ? [requirement.id] : [],
  );
  return { verdict, findings: results.findings, outcomes, failed };
}
type Change = readonly [file: string, text: string, by: string];

/** Replaces a text in a file; returns the file as it was. */
async function change(at: string, ...[file, text, by]: Change): Promise<string> {
  const right = await readFile(join(at, file), "utf8");
  expect(right).toContain(text);
  await writeFile(join(at, file), right.replace(text, by));
  return right;
}

/** A copy of the service with these changes, generated. */
async function copyWith(changes: readonly Change[]): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), "atpoint-own-changed-"));
  await cp(folder, copy, { recursive: true, verbatimSymlinks: true });
  for (const replacement of changes) await change(copy, ...replacement);
  await run("npm", ["run", "-s", "generate"], { cwd: copy });
  return copy;
}

const only = (...ids: string[]) => ({ selection: { ...everything, only: ids } });

it("is conformant in all covering cases", async () => {
  const { outcomes, verdict, findings } = await checked(folder, await servedFrom(folder));
  expect({ verdict, findings }).toEqual({ verdict: "conformant (partial)", findings: [] });
  const passed = outcomes.filter(({ outcome }) => outcome === "passed");
  // What exchanges written by hand decide alone is in an extension, which this service has none of.
  const expected = /^not applicable|second --url|--slow|^no case of this run|^nothing was sent/;
  const left = outcomes.filter((one) => !passed.includes(one) && !expected.test(one.reason ?? ""));
  expect(left).toEqual([]);
  expect(passed.length).toBeGreaterThan(130);
});

const CALLS = `
import { clientOf } from ${JSON.stringify(join(root, "src/client/client-of.ts"))};
import { command } from "./generated/commands.ts";
import type { Book, contract, Types } from "./generated/contract.ts";

const { createClient, AtpointError } = clientOf<typeof contract, Types>(command);
const [, , baseUrl = "", apiKey = ""] = process.argv;
const client = createClient({ baseUrl, apiKey, platform: "web" });
const { id }: Book = await client.call("book.create", { text: "Hello" });
const { text } = await client.call(\`book.get.\${id}\`);
const texts: string[] = [];
for await (const book of client.walk("book.list", { limit: 1 })) texts.push(book.text);
const absent = "book.get.019c1395-e200-7000-8000-0123456789ab";
const code = await client.call(absent).catch((error: unknown) => {
  if (!AtpointError.is(error, absent)) throw error;
  const isAbsent: boolean = error.code === "book-not-found";
  return isAbsent;
});
console.log(JSON.stringify({ text, texts: texts.includes("Hello"), code }));

// @ts-expect-error A member is missing.
export const lacks = () => client.call("book.create", {});
// @ts-expect-error There is no such operation.
export const unknown = () => client.call("book.burn");
`;

it("has a typed client", async () => {
  const { url, credentials } = await servedFrom(folder);
  const { full } = JSON.parse(await readFile(credentials, "utf8"));
  await writeFile(join(folder, "calls.ts"), CALLS);
  expect(await npm("run", "-s", "check")).toBe("");
  const { stdout } = await run("npx", ["tsx", "calls.ts", url, full.key], { cwd: folder });
  await rm(join(folder, "calls.ts"));
  expect(JSON.parse(stdout)).toEqual({ text: "Hello", texts: true, code: true });
});

/** Defects, each as a text of a file and what replaces it, and the requirement that it breaks. */
const DEFECTS: readonly (readonly [
  what: string,
  requirement: string,
  cases: RegExp,
  file: string,
  text: RegExp,
  by: string,
])[] = [
  [
    "a command needs no scope",
    "credentials/scope",
    /^book\.create X-API-KEY of the kind noScopes/,
    CONTRACT,
    /"scope": "books:write"/,
    '"scope": null',
  ],
  [
    "a template takes any part",
    "dispatch/case-sensitive",
    /^book\.get @ /,
    CONTRACT,
    /(?<=book\\\\.get\\\\.).*(?=\$")/,
    "(.+)",
  ],
  [
    "a command takes what is no text",
    "input/wrong-type",
    /^book\.create data/,
    VALIDATORS,
    /(?<=body: )input\d+/,
    "() => true",
  ],
];

it.each(DEFECTS)("is found out where %s: %s", async (_, requirement, cases, file, text, by) => {
  const path = join(folder, file);
  const right = await readFile(path, "utf8");
  const wrong = right.replace(text, by);
  expect(wrong).not.toBe(right);
  await writeFile(path, wrong);
  const served = await servedFrom(folder);
  await writeFile(path, right);
  const options = { ...only(requirement), randomCaseCount: 0 };
  const { failed, findings } = await checked(folder, served, options, cases);
  expect(failed, findings.map((one) => one.requirement).join()).toContain(requirement);
});

/** A command that removes a record, and shows it for the last time. */
const DELETE: readonly Change[] = [
  [
    "main.tsp",
    "op docsList is",
    `@summary("Delete a book") @doc("Deletes a book.") @scope("books:write")
op bookDelete is Command<
  "book.delete",
  {
    ...Record<never>;
    @exampleFrom(#{ operation: "book.create", pointer: "/id" }) id: Uuid;
  },
  Once<Ok<Book>> | BookNotFound,
  Idempotency
>;

op docsList is`,
  ],
  [
    "handlers.ts",
    "  ...documentHandlers",
    `  "book.delete": ({ id }, { services, once, problem }) =>
    once({ record: id }, async (tx) => {
      const book = await services.books.remove(id, tx);
      if (!book) throw problem("book-not-found");
      return book;
    }),

  ...documentHandlers`,
  ],
  ["books.ts", "import type { Database,", "import { type Database, forgetResponses, type"],
  [
    "books.ts",
    "    page: books",
    `    async remove(id: string, tx: Transaction) {
      const book = await this.find(id);
      const count = await tx.transaction(async ({ write }) => {
        const deleted = await write((knex) => knex("books").where({ id }).delete());
        await write(forgetResponses([id]));
        return deleted;
      });
      return count > 0 ? book : null;
    },
    page: books`,
  ],
];

describe("with a command that deletes", () => {
  let deletingFolder: string;
  beforeAll(async () => {
    deletingFolder = await copyWith(DELETE);
  });
  afterAll(() => rm(deletingFolder, { recursive: true }));

  /** A run of the plain calls, of cases that are drawn, and all scripts. */
  async function drawnRun() {
    const suite = await suiteOf(deletingFolder);
    const { operations } = suite.oracle.contract;
    const coveringCases = Object.keys(operations).map((id) => `${id} plain`);
    const options = { randomCaseCount: 500, timeoutMs: BOUND_MS, deadlineMs: BOUND_MS };
    return runSuite(await servedFrom(deletingFolder), { ...suite, coveringCases }, options);
  }

  it("has no finding, though records are gone", async () => {
    const { verdict, results } = await drawnRun();
    expect(results.findings).toEqual([]);
    expect(verdict).toBe("conformant (partial)");
  });

  it("is not proven where it never succeeds", async () => {
    await change(deletingFolder, "handlers.ts", "services.books.remove(id, tx)", "null as never");
    const { verdict, outcomes } = await drawnRun();
    expect(verdict).toBe("incomplete");
    const reasons = outcomes.flatMap(({ outcome, reason }) =>
      outcome === "incomplete" ? reason : [],
    );
    expect(new Set(reasons)).toEqual(new Set(["no call of book.delete succeeded"]));
  });
});

/** What makes the text of a book unique: in the spec, the store and the migration. */
const UNIQUE: readonly Change[] = [
  [
    "main.tsp",
    "/** No book has this id. */",
    `/** A book says this already. */
model TextTaken is Problem<409, "text-taken", "The text is taken", "A book says this already.">;

/** No book has this id. */`,
  ],
  ["main.tsp", "CreatedOnce<Book>,", "CreatedOnce<Book> | TextTaken,"],
  [
    "main.tsp",
    "op bookCreate",
    `@requirements(#{
  D25: #{
    \`book.create/text-taken\`: "A text that a book has is rejected with 409 \`text-taken\`.",
    \`book.create/as-sent\`: "The text is returned as sent.",
    \`book.create/later\`: "Of two books, the second is no older.",
  },
})
op bookCreate`,
  ],
  ["books.ts", "import type { Database,", "import { type Database, Problem, type"],
  ["books.ts", "import type { Book }", "import type { Book, ProblemCode }"],
  [
    "books.ts",
    'await tx.write((knex) => knex("books").insert({ id, text, created_at: createdAt }));',
    `const row = { id, text, created_at: createdAt };
      const made: object[] = await tx.write((knex) =>
        knex("books").insert(row).onConflict("text").ignore().returning("id"),
      );
      if (made.length === 0) throw new Problem<ProblemCode>("text-taken");`,
  ],
  [
    "migrations.ts",
    'table.text("text").notNullable()',
    'table.text("text").notNullable().unique()',
  ],
];

/** The first example of a guide of the suite, for books. */
function exampleIn(file: string): string {
  const guide = readFileSync(join(root, "conformance", file), "utf8");
  const [, example = ""] = /```(?:js|json)\n(.*?)```/s.exec(guide) ?? [];
  return example.replaceAll("note", "book").replaceAll("Note", "Book");
}

it("is conformant with the contract that a guide writes by hand", async () => {
  const { url, credentials } = await servedFrom(folder);
  const at = await mkdtemp(join(tmpdir(), "atpoint-own-contract-"));
  const file = join(at, "contract.json");
  await writeFile(file, exampleIn("contract.md"));
  const suite = join(folder, "node_modules/atpoint-conformance/bin.js");
  const target = ["--contract", file, "--url", url, "--credentials", credentials, "--smoke"];
  const { stdout } = await run(process.execPath, [suite, ...target]).catch((failed) => failed);
  expect(stdout).toMatch(/^conformant \(smoke\)\n {2}passed {4}\d{3}\n/m);
  await rm(at, { recursive: true });
});

describe("with an extension", () => {
  let extendedFolder: string;
  beforeAll(async () => {
    extendedFolder = await copyWith(UNIQUE);
    await writeFile(join(extendedFolder, "extension.mjs"), exampleIn("extensions.md"));
    await run("npm", ["run", "-s", "check"], { cwd: extendedFolder });
  });
  afterAll(() => rm(extendedFolder, { recursive: true }));

  it("is conformant where it does what only the extension says", async () => {
    const { url, credentials } = await servedFrom(extendedFolder);
    const suite = join(extendedFolder, "node_modules/atpoint-conformance/bin.js");
    const target = ["--url", url, "--credentials", credentials, "--only", "book.create/*"];
    const texts = ["--contract", "generated/contract.json", "--extensions", "extension.mjs"];
    const { stdout } = await run(process.execPath, [suite, ...target, ...texts], {
      cwd: extendedFolder,
    });
    expect(stdout).toMatch(/^conformant \(partial\)\n {2}passed {4}4\n/m);
  });
});

it("has new-operation, whose operations generate, compile and name what is missing", async () => {
  const begin = (...words: string[]) => npm("run", "-s", "new-operation", "--", ...words);
  expect(await begin("book.list")).toBe("book.list exists: main.tsp\n");
  for (const words of [["book.find", "GET"], ["shelf.create", "POST"], ["shelf.get.<id>"]])
    expect(await begin(...words)).toContain("wrote main.tsp\nwrote handlers.ts\nNext:");
  expect(await npm("run", "generate")).toContain("Compilation completed successfully");
  expect(await npm("run", "-s", "check")).toBe("");
  const file = join(folder, "handlers.ts");
  const text = await readFile(file, "utf8");
  await writeFile(file, text.replace(/ {2}"shelf\.get": [\s\S]*?\n {2}\},\n/, ""));
  const output = await npm("run", "-s", "check");
  expect(output).toMatch(
    /^handlers\.ts\(\d+,\d+\): error TS\d+: Property '"shelf\.get"' is missing/,
  );
  expect(output).not.toMatch(/^ +at /m);
});

it("rejects a name that is none, and a folder that is used, and writes nothing", async () => {
  const lines: string[] = [];
  const print = (line: string) => void lines.push(line);
  expect(await newService([join(folder, "new"), "--resource", "Book list"], print)).toBe(2);
  expect(await newService([folder, "--name", "other"], print)).toBe(2);
  expect(lines).toEqual([
    expect.stringMatching(/^usage: /),
    `${folder} is not empty: name another folder.`,
  ]);
});
