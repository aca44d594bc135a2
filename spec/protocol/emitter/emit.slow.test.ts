import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { compile, type EmitContext, NodeHost } from "@typespec/compiler";
import { expect, it, onTestFinished } from "vitest";
import { $onEmit, SpecError } from "./emit.ts";
import { contractIn, generateFrom } from "./write.test-kit.ts";

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
  `@opExample(#{ parameters: #{ body: #{ \`@\`: "${name}", data: #{ ${data} } } } }) ` +
  `${documented} ${rest} op ${named(id)} is Command<"${name}", ${model}, Ok<Thing>>;`;

const KEYED = "InvalidIdempotencyKey | IdempotencyKeyReused";
const WITH_KEY = '@useAuth(KeyAndPlatform) @scope("things:write")';
/** A command of a caller with a key, whose answers and headers are these. */
const keyed = (id: string, answers: string, headers = "Idempotency", auth = WITH_KEY) =>
  `${command(id, "Thing", 'a: "x"', auth).replace(/Ok<Thing>>;$/, `${answers}, ${headers}>;`)}`;

it("merges a parameter of several operations, and reads inputs by the names sent", async () => {
  const odd = '@header("X-Odd") odd?: string';
  const merged = ["int32", "string", "boolean"].map((type, at) =>
    query(`n${at}`, `${at < 2 ? "@query same?: int32;" : ""} @query other?: ${type}; ${odd}`),
  );
  const source = '@exampleFrom(#{ operation: "n0", pointer: "/a" }) @query("how-much") much: int32';
  const exampleQuery = `@opExample(#{ parameters: #{ much: 3 } }) ${query("one", source)}`;
  const files = await generateFrom(specOf([...merged, exampleQuery].join("\n")));
  const { parameters } = JSON.parse(files.get("openapi.json") ?? "").paths["/api/"].get;
  const of = (wanted: string) => parameters.find(({ name }: { name: string }) => name === wanted);
  const same = { required: false, description: "Only for `n0`, `n1`." };
  expect(of("same")).toMatchObject({ schema: { type: "integer" }, ...same });
  expect(of("other").schema.anyOf).toHaveLength(3);
  expect(of("X-Odd")).toMatchObject({ in: "header", required: false });
  expect((await contractIn(files)).operations.one).toMatchObject({
    example: { "how-much": 3 },
    exampleFrom: { "how-much": [{ operation: "n0" }] },
  });
});

it.each([
  ["the files of a spec, here of commands only", command("thing.add", "Thing", 'a: "x"'), ["post"]],
  ["nothing for one with an error of ours", query("thing.get", "@query b: string"), null],
])("writes %s", async (_, lines, methods) => {
  const folder = await mkdtemp(join(tmpdir(), "atpoint-emit-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, "main.tsp"), specOf(lines));
  const program = await compile(NodeHost, join(folder, "main.tsp"), { noEmit: true });
  // The options are the compiler's.
  await $onEmit({ program, emitterOutputDir: join(folder, "out") } as EmitContext);
  const read = readFile(join(folder, "out/openapi.json"), "utf8");
  const { paths } = JSON.parse(await read.catch(() => "{}"));
  expect(paths ? Object.keys(paths["/api/"]) : null).toEqual(methods);
});

/** A command that changes records of these sources. */
const changes = (id: string, ...sources: string[]) => {
  const from = sources.map((source) => `#{ operation: "${source}", pointer: "/a" }`).join(", ");
  const model =
    `model ${id}Data { ...Record<never>; ${from && `@exampleFrom(${from})`} a: string; b: ` +
    "string }";
  return `${model} ${command(id, `${id}Data`, 'a: "x", b: "y"')}`;
};
const points = (id: string, member: string) =>
  `model ${id}Data { ...Record<never>; ${member}: string } ` +
  `${command(id, `${id}Data`, `${member}: "x"`)}`;
const problem = (name: string, code: string, status: string, doc = "") =>
  `${doc} @error model ${name} { ${status} @body body: ProblemDocument<400, "${code}", ` +
  `"T", "D">; }`;
const unlisted = '@path @pattern("^[a-z]+$") name: string';
const part = `@known("a") ${unlisted}`;
const partly = '@useAuth(NoAuth) @opExample(#{ parameters: #{ name: "a" } })';
const ambiguous = (id: string) =>
  `operation-ambiguous: The name "${id}.all" is also matched by "${id}.{name}".`;
const SAME = '@requirements(#{ D1: #{ `thing/same`: "One." } })';

const listed = (id: string, answers: string, rest = "@useAuth(NoAuth)") =>
  query(id, "...PageParameters", rest).replace(/Ok<Thing>>;$/, `${answers}>;`);
const lacks = (id: string, missing: string) =>
  `answers-lack: The answers of "${id}" lack ${missing}: it `;
const hasOtherKeys = (id: string) =>
  `operation-credentials: "${id}" needs @useAuth(KeyAndPlatform) or @useAuth(NoAuth)`;
const reserved = (id: string, name: string) =>
  `parameter-reserved: The protocol itself reads "${name}": give this parameter of "${id}" ` +
  "another name.";

/**
 * A line of a spec, and all errors that the compiler reports for it: in one spec, since each takes
 * a second.
 */
const LINES: readonly (readonly [line: string, ...printed: string[]])[] = [
  [
    `${query("same.get")} ` +
      `${command("same.get", "Thing", 'a: "x"', "@useAuth(NoAuth)", "same.get.again")}`,
    'operation-id: The operation "same.get" must be called "sameGet"',
    'operation-twice: Two operations are named "same.get".',
    'requirement-twice: The requirement id "same.get/public" is used twice.',
  ],
  [`${query("part.{name}", part, partly, "part")} ${query("part.all")}`, ambiguous("part")],
  [`${query("late.all")} ${query("late.{name}", part, partly, "late")}`, ambiguous("late")],
  [query("scope.get", "", '@useAuth(NoAuth) @scope("a")'), "operation-scope: "],
  [
    '@route("/elsewhere") @useAuth(NoAuth) op elsewhere(): Ok<Thing>;',
    "operation-path: /elsewhere is not the path of",
  ],
  [
    '@put @route("/api/put.it/../") @useAuth(NoAuth) op putIt(): Ok<Thing>;',
    'operation-verb: "put.it" is called by',
  ],
  [
    query("bare.all", "", "@useAuth(NoAuth) @unordered"),
    'unordered-no-list: @unordered is for a list, and "bare.all"',
  ],
  [
    `model Lost { @deploymentVersion v: int32 } ${documented} @useAuth(NoAuth) op lost is ` +
      `Query<"lost", {}, Ok<Lost>>;`,
    "version-not-found: The suite does not find the version",
  ],
  [
    query("rule.get", "", `@useAuth(NoAuth) ${SAME} ${SAME}`),
    'requirement-twice: The requirement id "thing/same" is',
  ],
  // The suite would apply it to records that it has not created. A command may take it from one
  // that created it.
  [query("list", '@exampleFrom(#{ operation: "list", pointer: "/a" }) @query a?: string')],
  [changes("create")],
  [changes("rename", "create")],
  [changes("again", "rename")],
  [
    changes("one", "list"),
    'example-not-created: "a" of "one" must come from',
    '"list" is no command.',
  ],
  [changes("three", "none"), 'example-unknown: @exampleFrom names "none", which is no operation.'],
  [
    changes("four", "four"),
    'example-not-created: "a" of "four" must come from',
    "this is the command itself.",
  ],
  [points("changeUser", "userId"), 'example-needed: "userId" of "changeUser" says which record'],
  [points("changePaid", "paid")],
  [
    query("read.{name}", unlisted, partly, "read"),
    'example-needed: "name" of "read" says which record',
  ],
  [
    query("ofUser", "@query userId?: string"),
    'example-needed: "userId" of "ofUser" says which record',
  ],
  [
    `@useAuth(NoAuth) op add is Command<"add", Thing, Ok<Thing>>;`,
    'example-missing: "a" is required: "add" needs an',
  ],
  [keyed("once.right", `CreatedOnce<Thing> | ${KEYED} | CredentialProblem`)],
  // What an operation can have is among its answers, whether it lists all, some or none of it.
  [keyed("once.bare", "CreatedOnce<Thing>")],
  [
    keyed("once.public", `CreatedOnce<Thing> | ${KEYED}`, "Idempotency", "@useAuth(NoAuth)"),
    'idempotency: "once.public" cannot take an Idempotency-Key: the key belongs to the API ' +
      "key of a caller",
  ],
  [
    keyed("once.ok", `Ok<Thing> | ${KEYED} | CredentialProblem`),
    'idempotency: "once.ok" cannot take an Idempotency-Key: each of its successes needs Once, ' +
      "as in Once<Ok<Note>>.",
  ],
  [
    keyed("once.both", `Once<Ok<Thing>> | Created<Thing> | ${KEYED} | CredentialProblem`),
    'idempotency: "once.both" cannot take an Idempotency-Key: each of its successes needs Once',
  ],
  [keyed("once.update", `Once<Ok<Thing>> | ${KEYED} | CredentialProblem`)],
  [keyed("once.late", `Once<Answered<202, Thing>> | ${KEYED} | CredentialProblem`)],
  [
    keyed(
      "once.own",
      `CreatedOnce<Thing> | ${KEYED} | CredentialProblem`,
      '{ @header("idempotency-KEY") k: int32 }',
    ).replace("parameters: #{", "parameters: #{ k: 1, "),
    'idempotency: "once.own" cannot take an Idempotency-Key: write ...Idempotency in place ' +
      "of a header of its own.",
  ],
  [
    query("once.get", "...Idempotency"),
    'idempotency: "once.get" cannot take an Idempotency-Key: a query ignores it.',
  ],
  [keyed("needs.none", "Ok<Thing>", "{}")],
  [
    keyed(
      "needs.some",
      "Ok<Thing> | CredentialConflict | CredentialsMissing | ScopeMissing | StorageUnavailable",
      "{}",
    ),
  ],
  [
    keyed(
      "needs.one",
      "Ok<Thing> | CredentialProblem",
      "{}",
      WITH_KEY.replace("KeyAndPlatform", "KeyInHeader"),
    ),
    hasOtherKeys("needs.one"),
  ],
  [query("needs.either", "", "@useAuth(KeyAndPlatform | NoAuth)"), hasOtherKeys("needs.either")],
  [
    query("needs.unsaid", "", '@scope("a")').replace("Ok<Thing>", "Ok<Thing> | CredentialProblem"),
    hasOtherKeys("needs.unsaid"),
  ],
  [listed("page.right", "OkPage<Page<Thing>> | InvalidCursor")],
  [listed("page.bare", "OkPage<Page<Thing>>")],
  [
    '@post @route("/api/hand.made/../") @useAuth(NoAuth) op handMade(): Ok<Thing> | RateLimited;',
    'answers-lack: The answers of "hand.made" lack MalformedRequest, OperationMissing,',
    lacks("hand.made", "BodyProblem"),
  ],
  [
    query(
      "names.right",
      '@query("@a") a?: string; @query api_key?: string; @header("X-Platform-Version") v?: string',
    ),
  ],
  [query("names.tag", '@header("If-None-Match") tag?: string')],
  [query("names.api", '@query("X-API-KEY") a?: string'), reserved("names.api", "X-API-KEY")],
  [query("names.at", '@query("@") a?: string'), reserved("names.at", "@")],
  [query("names.accept", '@header("accept") a?: string'), reserved("names.accept", "accept")],
  [query("names.key", '@header("X-Api-Key") a?: string'), reserved("names.key", "X-Api-Key")],
  [
    query(
      "names.twice",
      '@query("b") a?: string; @query b?: string; @header("X-A") c?: string; ' +
        '@header("x-a") d?: string',
    ),
    'parameter-twice: "names.twice" has two parameters named "b".',
    'parameter-twice: "names.twice" has two parameters named "x-a".',
  ],
  [
    keyed("names.put", "Ok<Thing> | CredentialProblem", "{ @query q?: string }"),
    'command-parameter: "q" is no input of the command "names.put": write it in the model ' +
      "of its data.",
  ],
  [
    '@clauses enum Own { A1, A2, @untried("Not built.") A3 }',
    "clause-open: No requirement follows from the clause A2",
  ],
  ["@clauses enum Others { D1 }", 'clause-twice: Two clauses are called "D1".'],
  ['@@requirements(Own, #{ A1: #{ `cited/one`: "One." } });'],
  [
    '@@requirements(Own, #{ A4: #{ `cited/other`: "Other." } });',
    'clause-unknown: "A4" is no clause.',
  ],
  [
    problem("Bare", "bare", "", "/** It lacks. */"),
    'problem-without-status: The problem "bare" has no @statusCode.',
  ],
  [problem("Mute", "mute", "@statusCode _: 400;"), "problem-without-meaning: "],
  [
    problem("Again", "overloaded", "@statusCode _: 503;", "/** A. */"),
    'problem-twice: The problem code "overloaded" is',
  ],
];

it("the compiler rejects what is ambiguous or incomplete, where it stands", async () => {
  const lines = [...LINES.map(([line]) => line), '@@refuses(Step.handle, "even");'].join("\n");
  const thrown: unknown = await generateFrom(specOf(lines)).catch((error) => error);
  const message = thrown instanceof SpecError ? thrown.message : expect.fail(String(thrown));
  const printed = message.trim().split("\n");
  for (const [index, [line, ...wanted]] of LINES.entries()) {
    const diagnostics = printed.filter((each) => each.includes(`main.tsp:${FIRST_LINE + index}:`));
    for (const words of wanted) expect(diagnostics.join("\n"), line).toContain(words);
    expect(diagnostics.length, line).toBe(wanted.filter((words) => /^[\w-]+: /.test(words)).length);
  }
  expect(message).toContain('problem-unknown: "even" is the code of no problem.');
});

it("rejects a spec without a service, and requirements without a clause", async () => {
  await expect(generateFrom(`import "${protocol}";\n`)).rejects.toThrow("one service");
  const unsorted = generateFrom(specOf('@@requirements(Thing, #{ `a/b`: "One." });'));
  await expect(unsorted).rejects.toThrow(
    /main\.tsp:8:\d+ - error invalid-argument: .*Record<Record<string>>/,
  );
});

it("makes the examples of an operation of those of its models", async () => {
  const files = await generateFrom(
    specOf(`
@example(#{ id: "b1", name: "Ada", at: utcDateTime.fromISO("2026-01-31T12:00:00Z") })
model Person { @key @visibility(Lifecycle.Read) id: string; name: string;
  @visibility(Lifecycle.Read) at: utcDateTime; nick?: string; }
/** It is not there. */
model PersonAbsent is Problem<404, "person-absent", "T", "D">;
model Addition { ...Record<never>; ...Create<Person>; @example(#["new"]) labels?: string[]; }
model Renaming { ...Record<never>; personId: string; name: "Eve" | "Bob" }
${documented} @useAuth(NoAuth) @createsResource(Person)
op personAdd is Command<"person.add", Addition, Created<Person>>;
${documented} @useAuth(NoAuth) @updatesResource(Person, "person-absent")
op personRename is Command<"person.rename", Renaming, Ok<Person> | PersonAbsent>;
${documented} @useAuth(NoAuth) @listsResource(Person)
op personList is Query<"person.list", PageParameters, OkPage<Page<Person>>>;
${documented} @useAuth(NoAuth) @readsResource(Person, "person-absent")
op personGet is Query<"person.get.{id}", { @path @pattern("^b[0-9]$") id: string },
  Ok<Person> | PersonAbsent>;
`),
  );
  const { operations } = await contractIn(files);
  expect(Object.entries(operations).map(([id, { example }]) => [id, example])).toEqual([
    ["person.add", { name: "Ada", labels: ["new"] }],
    ["person.rename", { personId: "b1", name: "Eve" }],
    ["person.list", {}],
    ["person.get", { id: "b1" }],
  ]);
  const { paths } = JSON.parse(files.get("openapi.operations.json") ?? "");
  const person = { id: "b1", name: "Ada", at: "2026-01-31T12:00:00Z" };
  const sent = (path: string, verb: string, status: number) =>
    paths[`/api/${path}/../`][verb].responses[status].content["application/json"].example;
  expect(sent("person.add", "post", 201)).toEqual(person);
  expect(sent("person.list", "get", 200)).toEqual({ items: [person] });
});
