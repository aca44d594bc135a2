// A service that `new-service` writes generates, compiles, and is conformant, also for requests that no check has; a defect in it is found.
import { execFile } from "node:child_process";
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ReportData } from "../conformance/report/json.ts";
import { BOUND_MS } from "../src/test/patience.ts";
import { servedFrom } from "./new-service.test-kit.ts";
import { newService } from "./new-service.ts";

const root = resolve(import.meta.dirname, "..");
const run = promisify(execFile);

const CONTRACT = "generated/contract.ts";
const VALIDATORS = "generated/validators.ts";
const TABLE = "node_modules/atpoint-server/src/server/request/operation-table.js";

let folder: string;
const npm = async (...words: string[]) => {
  const env = { ...process.env, NO_COLOR: "1" };
  const { stdout, stderr } = await run("npm", words, { cwd: folder, env }).catch(
    (failed) => failed,
  );
  return `${stdout}${stderr}`;
};

/** Installs as npm does, without compiling SQLite's driver again: links to what is installed here, and the tarballs. */
const INSTALL = `mkdir -p node_modules/.bin && cd node_modules
ln -s "$0"/node_modules/* . && ln -s "$0"/node_modules/.bin/* .bin && rm -f atpoint* .bin/atpoint*
for file in ../packages/*; do
  name=$(basename "$file" | sed 's/-[0-9].*//')
  mkdir "$name" && tar xzf "$file" -C "$name" --strip-components=1
done
ln -s ../atpoint-conformance/dist/bin.js .bin/atpoint-conformance && chmod +x atpoint-conformance/dist/bin.js`;

beforeAll(async () => {
  await run("npm", ["run", "-s", "build"], { cwd: root });
  folder = await mkdtemp(join(tmpdir(), "atpoint-own-"));
  expect(await newService([folder, "--name", "my-library", "--resource", "book"], () => {})).toBe(
    0,
  );
  await run("sh", ["-ec", INSTALL, root], { cwd: folder });
});
afterAll(() => rm(folder, { recursive: true }));

it("names nothing of the template", async () => {
  const files = (await readdir(folder)).filter((name) => /\.(ts|tsp|json)$/.test(name));
  expect(files).toContain("books.ts");
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), "utf8")));
  expect(texts.join("\n")).not.toMatch(/\bnotes?\b|my-service|MyService/i);
});

it("generates, compiles, and is conformant, of all cases those that its covering set names", async () => {
  expect(await npm("run", "generate")).toContain("Compilation completed successfully");
  expect(await npm("run", "-s", "cover")).toMatch(/^generated\/covering\.json: \d+ cases$/m);
  const output = await npm("test");
  expect(output).toMatch(/: seed \d+, \d+ covering cases and \d+ drawn/);
  expect(output).toMatch(/^conformant/m);
  expect(output).not.toMatch(/^FAIL |npm error/m);
});

/** The suite as packed, with the contract of the service. */
async function checked(
  at: string,
  { url, credentials }: { url: string; credentials: string },
  ...words: string[]
) {
  const report = join(at, "report.json");
  const target = [
    "--contract",
    "generated/contract.json",
    "--url",
    url,
    "--credentials",
    credentials,
  ];
  const program = [join(folder, "node_modules/atpoint-conformance/dist/bin.js"), ...target];
  const more = ["--timeout", `${BOUND_MS}`, "--json", report, ...words];
  await run(process.execPath, [...program, ...more], { cwd: at }).catch((failed) => failed);
  const { verdict, findings, requirements }: ReportData = JSON.parse(
    await readFile(report, "utf8"),
  );
  return { verdict, findings, requirements };
}

it.each([
  // What exchanges written by hand decide alone is in an extension, which this service has none of.
  [
    "all cases",
    {},
    ["--exhaustive"],
    "conformant (partial)",
    /^not applicable|second --url|--slow|^no case of this run|^nothing was sent/,
  ],
  ["requests that vary in several ways", {}, ["--explore", "300"], "conformant (partial)", /./],
  ["a first look", {}, ["--smoke"], "conformant (smoke)", /./],
  [
    "limits, which reject",
    { RATE_LIMITS: "on", RATE_LIMIT_REFUSED: "50", RATE_LIMIT_WINDOW_S: "2" },
    ["--only", "limits/*"],
    "conformant (partial)",
    /outside/,
  ],
] as const)("is conformant: %s", async (_, env, words, verdict, expectedReason) => {
  const { requirements, ...report } = await checked(
    folder,
    await servedFrom(folder, env),
    "--seed",
    "1",
    ...words,
  );
  expect(report).toEqual({ verdict, findings: [] });
  const left = requirements.filter(
    ({ outcome, reason }) => outcome !== "passed" && !expectedReason.test(reason ?? ""),
  );
  expect(left).toEqual([]);
  if (words[0] === "--exhaustive")
    expect(requirements.filter(({ outcome }) => outcome === "passed").length).toBeGreaterThan(130);
});

it("is conformant as far as a key alone shows", async () => {
  const { url, credentials } = await servedFrom(folder);
  const { full } = JSON.parse(await readFile(credentials, "utf8"));
  await writeFile(credentials, JSON.stringify({ full }));
  const { requirements, ...report } = await checked(folder, { url, credentials }, "--seed", "2");
  expect(report).toEqual({ verdict: "conformant (partial)", findings: [] });
  expect(requirements.filter(({ outcome }) => outcome === "passed").length).toBeGreaterThan(100);
});

/** Defects, each as a text of a file and what replaces it, and the requirement that it breaks. */
const DEFECTS: readonly (readonly [
  what: string,
  requirement: string,
  file: string,
  text: RegExp,
  by: string,
])[] = [
  [
    "a command needs no scope",
    "credentials/scope",
    CONTRACT,
    /"scope": "books:write"/,
    '"scope": null',
  ],
  [
    "an unknown record is a fault",
    "errors/never-500",
    "handlers.ts",
    /new Problem\("book-not-found"\)/,
    "Error()",
  ],
  [
    "a response names no operation",
    "dispatch/x-operation",
    TABLE,
    /return { "X-Operation": id }/,
    "return {}",
  ],
  [
    "a template takes any part",
    "dispatch/case-sensitive",
    CONTRACT,
    /(?<=book\\\\.get\\\\.).*(?=\$")/,
    "(.+)",
  ],
  [
    "a command takes what is no text",
    "input/wrong-type",
    VALIDATORS,
    /(?<=body: )input\d+/,
    "() => true",
  ],
  [
    "a body may be a byte longer",
    "http/body-limit",
    CONTRACT,
    /"bodyBytes": 65536/,
    '"bodyBytes": 65537',
  ],
];

it.each(DEFECTS)("is found out where %s: %s", async (_, requirement, file, text, by) => {
  const path = join(folder, file);
  const right = await readFile(path, "utf8");
  const wrong = right.replace(text, by);
  expect(wrong).not.toBe(right);
  await writeFile(path, wrong);
  const report = join(folder, "report.json");
  const words = [
    "--only",
    `${requirement}*`,
    "--seed",
    "1",
    "--max-failures",
    "3",
    "--json",
    report,
  ];
  const output = await npm("exec", "--", "tsx", "test.ts", ...words);
  await writeFile(path, right);
  const { requirements }: ReportData = JSON.parse(await readFile(report, "utf8"));
  const broken = requirements.flatMap(({ id, outcome }) => (outcome === "failed" ? id : []));
  expect(broken, output).toContain(requirement);
});

/** What makes the text of a book unique: in the spec, the store and the migration. */
const UNIQUE: readonly (readonly [file: string, text: string, by: string])[] = [
  [
    "main.tsp",
    "/** No book has this id. */",
    `/** A book says this already. */
model TextTaken is Problem<409, "text-taken", "The text is taken", "A book says this already.">;

@@refuses(Step.handle, "text-taken");

/** No book has this id. */`,
  ],
  ["main.tsp", "CreatedOnce<Book> |", "CreatedOnce<Book> | TextTaken |"],
  [
    "main.tsp",
    "op bookCreate",
    `@requirements(#{
  D25: #{
    \`book.create/text-taken\`: "A text that a book has is rejected with 409 \`text-taken\`.",
    \`book.create/as-sent\`: "The text is returned as sent.",
  },
})
op bookCreate`,
  ],
  ["books.ts", "newId }", "newId, Problem }"],
  [
    "books.ts",
    'knex("books").insert(row), deadline);',
    'knex("books").insert(row).onConflict("text").ignore().returning("id"), deadline).then((made: object[]) => {\n' +
      '            if (made.length === 0) throw new Problem("text-taken");\n          });',
  ],
  [
    "migrations.ts",
    'table.text("text").notNullable()',
    'table.text("text").notNullable().unique()',
  ],
];

/** What only that service knows: the contract has no mark for a value that is unique, nor for one that is returned as sent. */
const EXTENSION = `export default {
  id: "my-library",
  rules: [{ operation: "book.create", unique: { "text-taken": (data) => data?.text ?? null } }],
  laws: () => [
    {
      id: "book.create/as-sent",
      applies: ({ response, prediction }) => response?.status === 201 && prediction?.operation?.id === "book.create",
      check({ request, response }) {
        // A body has one character for each byte.
        const body = JSON.parse(Buffer.from(request.body, "latin1"));
        const [expected, actual] = [body.data.text, response.json.text];
        return expected === actual ? null : { aspect: "body:/text", expected, actual };
      },
    },
  ],
};
`;

describe("with an extension", () => {
  let own: string;
  const change = async (file: string, text: string, by: string) => {
    const right = await readFile(join(own, file), "utf8");
    expect(right).toContain(text);
    await writeFile(join(own, file), right.replace(text, by));
    return right;
  };
  const withExtension = async (...words: string[]) => {
    const extension = ["--extensions", join(own, "extension.mjs"), "--only", "book.create/*"];
    const { verdict, findings } = await checked(own, await servedFrom(own), ...extension, ...words);
    return { verdict, broken: [...new Set(findings.map(({ requirement }) => requirement))] };
  };
  beforeAll(async () => {
    own = await mkdtemp(join(tmpdir(), "atpoint-own-extended-"));
    await cp(folder, own, { recursive: true, verbatimSymlinks: true });
    for (const [file, text, by] of UNIQUE) await change(file, text, by);
    await writeFile(join(own, "extension.mjs"), EXTENSION);
    await run("npm", ["run", "-s", "generate"], { cwd: own });
    await run("npm", ["run", "-s", "check"], { cwd: own });
  });
  afterAll(() => rm(own, { recursive: true }));

  it("a service is conformant that does what only the extension says", async () => {
    expect(await withExtension("--seed", "1")).toEqual({
      verdict: "conformant (partial)",
      broken: [],
    });
  });

  it.each([
    ["a taken text is taken again", "book.create/text-taken", "migrations.ts", ".unique()", ""],
    [
      "a text is changed",
      "book.create/as-sent",
      "books.ts",
      "return book;",
      "return { ...book, text: book.text.toUpperCase() };",
    ],
  ])(
    "a defect is found that only the extension knows: %s",
    async (_, requirement, file, text, by) => {
      const right = await change(file, text, by);
      // Without a unique index there is no conflict to ignore.
      const store =
        file === "migrations.ts"
          ? await change("books.ts", '.onConflict("text").ignore()', "")
          : null;
      const { verdict, broken } = await withExtension("--seed", "1", "--max-failures", "3");
      await writeFile(join(own, file), right);
      if (store !== null) await writeFile(join(own, "books.ts"), store);
      expect(verdict).toBe("not conformant");
      expect(broken).toContain(requirement);
    },
  );
});

it("has new-operation, for a known resource and a new one: what it writes generates, compiles, and names what is missing", async () => {
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
