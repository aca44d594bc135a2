import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SpecError } from "./emit.ts";
import { generateFrom, write } from "./write.test-kit.ts";

const protocol = resolve(import.meta.dirname, "..");

/** Where its own lines begin. */
const FIRST_LINE = 8;
/** A spec of a few lines over the protocol. */
const specOf = (lines: string) => `import "${protocol}";
using Http;
using OpenAPI;
@service(#{ title: "Small" })
@info(#{ version: "1.0.0" }) @keys(#{ realm: "small", prefix: "sml_" })
namespace Atpoint;
model Thing { ...Record<never>; a: string; }
${lines}
`;

const documented = '@summary("x") @doc("x")';
const named = (id: string) => id.replace(/\.(\w)/g, (_, letter: string) => letter.toUpperCase());
const query = (name: string, input = "", rest = "@useAuth(NoAuth)", id = name) =>
  `${documented} ${rest} op ${named(id)} is Query<"${name}", { ${input} }, Ok<Thing>>;`;
/** A command whose `data` is this model, with an example of it. */
const command = (name: string, model: string, data: string, rest = "@useAuth(NoAuth)", id = name) =>
  `@opExample(#{ parameters: #{ body: #{ \`@\`: "${name}", data: #{ ${data} } } } }) ${documented} ${rest} op ${named(id)} is Command<"${name}", ${model}, Ok<Thing>>;`;

describe("generate", () => {
  let files: ReadonlyMap<string, string>;
  beforeAll(async () => {
    const odd = '@header("X-Odd") odd?: string';
    const merged = ["int32", "string", "boolean"].map((type, at) =>
      query(`n${at}`, `${at < 2 ? "@query same?: int32;" : ""} @query other?: ${type}; ${odd}`),
    );
    const source = '@exampleFrom(#{ operation: "one", pointer: "/a" }) @query("how-much") much: int32';
    const one = `@opExample(#{ parameters: #{ much: 3, odd: "o" } }) ${query("one", `${source}; ${odd}`)}`;
    const add = command("thing.add", "Thing", 'a: "x"', '@useAuth(KeyAndPlatform) @scope("things:write")');
    files = await generateFrom(specOf([...merged, one, add].join("\n")));
  });
  const json = (path: string) => JSON.parse(files.get(path) ?? "");

  it("gives the name of an operation a title, since generators cannot make one of `@`", () => {
    const { paths, components } = json("openapi.operations.json");
    expect(paths["/api/n0/../"].get.parameters[0].schema.title).toBe("Operation");
    expect(components.schemas["thing.add.body"].properties["@"].title).toBe("Operation");
  });

  it("merges a parameter that several operations have", () => {
    const { parameters } = json("openapi.json").paths["/api/"].get;
    const of = (wanted: string) => parameters.find(({ name }: { name: string }) => name === wanted);
    const description = "Only for `n0`, `n1`.";
    expect(of("same")).toMatchObject({ schema: { type: "integer" }, required: false, description });
    expect(of("other").schema.anyOf).toHaveLength(3);
    expect(of("X-Odd")).toMatchObject({ in: "header", required: false });
  });

  it("reads inputs by the names that are sent, and no header, and says of a command that it needs credentials", () => {
    const table = files.get("contract.ts") ?? "";
    expect(table.replaceAll(/\s+/g, "")).toContain('"example":{"how-much":3},"exampleFrom":{"how-much":[{');
    expect(json("openapi.json").paths["/api/"].post.description).toContain("| `thing.add` | x | yes |");
    for (const text of ['"id": "thing.add/credentials"', "`sml_` before a hexadecimal digit", 'realm=\\"small'])
      expect(files.get("contract.json")).toContain(text);
  });
});

describe("the compiler, with this emitter", () => {
  const root = resolve(protocol, "../..");
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "atpoint-compile-"));
  });
  afterAll(() => rm(folder, { recursive: true }));
  const compile = async (lines: string, options = "") => {
    const emitter = `{ emitter-output-dir: "{project-root}/out"${options} }`;
    const config = `emit: ["${protocol}"]\noptions: { atpoint-spec: ${emitter} }\n`;
    const entry: [string, string] = ["main.tsp", specOf(lines)];
    await write(new Map([entry, ["tspconfig.yaml", config]]), folder);
    const words = ["--import", "tsx", join(root, "node_modules/@typespec/compiler/cmd/tsp.js"), "compile", folder];
    const env = { ...process.env, NO_COLOR: "1" };
    const { status, stdout } = spawnSync(process.execPath, words, { cwd: root, encoding: "utf8", env });
    return [status, stdout];
  };
  const written = (file: string) => readFile(join(folder, "out", file), "utf8");

  it("writes the files of a spec, here of commands only, and of one with errors none", async () => {
    expect(await compile(command("thing.add", "Thing", 'a: "x"'))).toEqual([0, expect.anything()]);
    expect(await written("commands.ts")).toContain("/^(?:thing\\.add)$/");
    expect(Object.keys(JSON.parse(await written("openapi.json")).paths["/api/"])).toEqual(["post"]);
    const broken = await compile(`model Broken { a: Missing; }\n${query("thing.get")}`);
    expect(broken).toEqual([1, expect.stringMatching(/main\.tsp:8:19 - error [\s\S]*Missing/)]);
    expect(await written("commands.ts")).toContain("thing");
  });

  it("rejects an option that there is not", async () => {
    const place = /tspconfig\.yaml:\d+:\d+ - error [\s\S]*additionalProperty: more/;
    expect(await compile(query("thing.get"), ", more: true")).toEqual([1, expect.stringMatching(place)]);
  });
});

/** A command that changes records of these sources. */
const changes = (id: string, ...sources: string[]) => {
  const from = sources.map((source) => `#{ operation: "${source}", pointer: "/a" }`).join(", ");
  const model = `model ${id}Data { ...Record<never>; ${from && `@exampleFrom(${from})`} a: string; b: string }`;
  return `${model} ${command(id, `${id}Data`, 'a: "x", b: "y"')}`;
};
const points = (id: string, member: string) =>
  `model ${id}Data { ...Record<never>; ${member}: string } ${command(id, `${id}Data`, `${member}: "x"`)}`;
const problem = (name: string, code: string, status: string, doc = "") =>
  `${doc} @error model ${name} { ${status} @body body: ProblemDocument<400, "${code}", "T", "D">; }`;
const part = '@known("a") @path @pattern("^[a-z]+$") name: string';
const partly = '@useAuth(NoAuth) @opExample(#{ parameters: #{ name: "a" } })';
const SAME = '@requirements(Clause.D1, #{ `thing/same`: "One." })';

/** A line of a spec, and all errors that the compiler reports for it: in one spec, since each takes a second. */
const LINES: readonly (readonly [line: string, ...printed: string[]])[] = [
  [
    `${query("same.get")} ${command("same.get", "Thing", 'a: "x"', "@useAuth(NoAuth)", "same.get.again")}`,
    'operation-id: The operation "same.get" must be called "sameGet"',
    'operation-twice: Two operations are named "same.get".',
    'requirement-twice: The requirement id "same.get/public" is used twice.',
  ],
  [
    `${query("part.get.{name}", part, partly, "part.get")} ${query("part.get.all")}`,
    'operation-ambiguous: The name "part.get.all" is also matched by "part.get.{name}".',
  ],
  [
    `${query("late.get.all")} ${query("late.get.{name}", part, partly, "late.get")}`,
    'operation-ambiguous: The name "late.get.all" is also matched by "late.get.{name}".',
  ],
  [
    query("thing.get", "", undefined, "thing.other"),
    'operation-id: The operation "thing.get" must be called "thingGet"',
  ],
  [query("scope.get", "", '@useAuth(NoAuth) @scope("a")'), "operation-scope: "],
  ['@route("/elsewhere") @useAuth(NoAuth) op elsewhere(): Ok<Thing>;', "operation-path: /elsewhere is not the path of"],
  ['@put @route("/api/put.it/../") @useAuth(NoAuth) op putIt(): Ok<Thing>;', 'operation-verb: "put.it" is called by'],
  [query("rule.get", "", `@useAuth(NoAuth) ${SAME} ${SAME}`), 'requirement-twice: The requirement id "thing/same" is'],
  // The suite would apply it to records that it has not created. A command may take it from one that created it.
  [query("list", '@exampleFrom(#{ operation: "list", pointer: "/a" }) @query a?: string')],
  [changes("create")],
  [changes("rename", "create")],
  [changes("again", "rename")],
  [changes("one", "list"), 'example-not-created: "a" of "one" must come from', '"list" is no command.'],
  [changes("two", "create", "list"), 'example-not-created: "a" of "two" must come from', '"list" is no command.'],
  [changes("three", "none"), 'example-unknown: @exampleFrom names "none", which is no operation.'],
  [changes("four", "four"), 'example-not-created: "a" of "four" must come from', "this is the command itself."],
  [points("changeId", "id"), 'example-needed: "id" of "changeId" says which record'],
  [points("changeUser", "userId"), 'example-needed: "userId" of "changeUser" says which record'],
  [points("changePaid", "paid")],
  [
    query("read.{name}", part.replace('@known("a") ', ""), partly, "read"),
    'example-needed: "name" of "read" says which record',
  ],
  [query("ofUser", "@query userId?: string"), 'example-needed: "userId" of "ofUser" says which record'],
  [query("bare.get", "@query b: string"), 'example-missing: "b" is required: "bare.get" needs an @opExample'],
  [
    `${documented} @useAuth(NoAuth) op bareAdd is Command<"bare.add", Thing, Ok<Thing>>;`,
    'example-missing: "a" is required: "bare.add" needs an @opExample',
  ],
  [
    '@clauses enum Own { /** Tried. */ A1, /** Not. */ A2, /** Built later. */ @untried("It is not built.") A3 }',
    "clause-open: No requirement follows from the clause A2",
  ],
  [query("cited", "", '@useAuth(NoAuth) @requirements(Own.A1, #{ `cited/one`: "One." })')],
  [
    problem("Bare", "bare", "", "/** It lacks. */"),
    'problem-without-status: The problem "bare" has no @statusCode.',
    'problem-without-step: No step rejects with the problem "bare".',
  ],
  [problem("Mute", "mute", "@statusCode _: 400;"), "problem-without-meaning: ", "problem-without-step: "],
  [
    problem("Again", "path-not-found", "@statusCode _: 404;", "/** Again. */"),
    'problem-twice: The problem code "path-not-found" is used twice.',
  ],
];

it("the compiler rejects what is ambiguous or incomplete, where it stands, and nothing else", async () => {
  const lines = [...LINES.map(([line]) => line), '@@refuses(Step.handle, "even");'].join("\n");
  const thrown = await generateFrom(specOf(lines)).catch((error: unknown) => error);
  if (!(thrown instanceof SpecError)) throw thrown;
  const { message } = thrown;
  const printed = message.trim().split("\n");
  for (const [index, [line, ...wanted]] of LINES.entries()) {
    const own = printed.filter((each) => each.includes(`main.tsp:${FIRST_LINE + index}:`));
    for (const words of wanted) expect(own.join("\n"), line).toContain(words);
    expect(own.length, line).toBe(wanted.filter((words) => /^[\w-]+: /.test(words)).length);
  }
  expect(message).toContain('problem-unknown: "even" is the code of no problem.');
});

it("rejects a spec without a service", async () => {
  await expect(generateFrom(`import "${protocol}";\n`)).rejects.toThrow("A spec declares one service");
});
