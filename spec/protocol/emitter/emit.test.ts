import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SpecError } from "./emit.ts";
import { contractIn, generateFrom, write } from "./write.test-kit.ts";

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

const KEYED = "InvalidIdempotencyKey | IdempotencyKeyReused";
const WITH_KEY = '@useAuth(KeyAndPlatform) @scope("things:write")';
/** A command of a caller with a key, whose answers and headers are these. */
const keyed = (id: string, answers: string, headers = "Idempotency", auth = WITH_KEY) =>
  `${command(id, "Thing", 'a: "x"', auth).replace(/Ok<Thing>>;$/, `${answers}, ${headers}>;`)}`;

describe("generate", () => {
  let files: ReadonlyMap<string, string>;
  beforeAll(async () => {
    const odd = '@header("X-Odd") odd?: string';
    const merged = ["int32", "string", "boolean"].map((type, at) =>
      query(`n${at}`, `${at < 2 ? "@query same?: int32;" : ""} @query other?: ${type}; ${odd}`),
    );
    const source =
      '@exampleFrom(#{ operation: "one", pointer: "/a" }) @query("how-much") much: int32';
    const one = `@opExample(#{ parameters: #{ much: 3, odd: "o" } }) ${query("one", `${source}; ${odd}`)}`;
    const add = keyed("thing.add", "Ok<Thing> | CredentialProblem", "{}");
    const once = keyed(
      "thing.once",
      `CreatedOnce<Thing> | ${KEYED} | CredentialProblem`,
      '{ @header("X-By") by?: string; ...Idempotency }',
    );
    const read = '@@requestHeaders(Atpoint, "X-Tenant");';
    const built =
      "model Built { @deploymentVersion `of/it`: string } model Status { version: int32; server: Built }";
    const status = `${documented} @useAuth(NoAuth) op status is Query<"status", { @query a?: int32 }, Ok<Status>>;`;
    const lines = [...merged, one, add, once, read, built, status];
    files = await generateFrom(specOf(lines.join("\n")));
  });
  const json = (path: string) => JSON.parse(files.get(path) ?? "");

  it("names the schema of an operation's name, since generators cannot make one of `@`", () => {
    const { paths, components } = json("openapi.operations.json");
    expect(paths["/api/n0/../"].get.parameters[0].schema).toEqual({
      $ref: "#/components/schemas/n0.name",
    });
    expect(components.schemas["n0.name"]).toEqual({ type: "string", enum: ["n0"], default: "n0" });
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

  it("says which command takes an Idempotency-Key, which is no header parameter of its handler", async () => {
    const { "thing.once": once, "thing.add": add } = (await contractIn(files)).operations;
    expect(once).toMatchObject({
      takesIdempotencyKey: true,
      headers: { "X-By": { type: "string" } },
    });
    expect(Object.keys(once?.headers ?? {})).toEqual(["X-By"]);
    expect(add?.takesIdempotencyKey).toBe(false);
  });

  it("says where the version of a deployment is", () => {
    expect(json("contract.json").deploymentVersion).toEqual({
      operation: "status",
      pointer: "/server/of~1it",
    });
  });

  it("lists each request header that is read: by the protocol, by the service, by an operation", () => {
    const { requestHeaders } = json("contract.json");
    expect(requestHeaders).toEqual(
      expect.arrayContaining(["x-api-key", "x-odd", "x-tenant", "idempotency-key"]),
    );
    expect(new Set(requestHeaders).size).toBe(requestHeaders.length);
  });

  it("reads inputs by the names that are sent, and no header, and says of a command that it needs credentials", () => {
    const table = files.get("contract.ts") ?? "";
    expect(table.replaceAll(/\s+/g, "")).toContain(
      '"example":{"how-much":3},"exampleFrom":{"how-much":[{',
    );
    expect(json("openapi.json").paths["/api/"].post.description).toContain(
      "| `thing.add` | x | yes |",
    );
    for (const text of [
      '"id": "thing.add/credentials"',
      "`sml_` before a hexadecimal digit",
      'realm=\\"small',
    ])
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
    const words = [
      "--import",
      "tsx",
      join(root, "node_modules/@typespec/compiler/cmd/tsp.js"),
      "compile",
      folder,
    ];
    const env = { ...process.env, NO_COLOR: "1" };
    const { status, stdout } = spawnSync(process.execPath, words, {
      cwd: root,
      encoding: "utf8",
      env,
    });
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
    expect(await compile(query("thing.get"), ", more: true")).toEqual([
      1,
      expect.stringMatching(place),
    ]);
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
  `parameter-reserved: The protocol itself reads "${name}": give this parameter of "${id}" another name.`;

/** A line of a spec, and all errors that the compiler reports for it: in one spec, since each takes a second. */
const LINES: readonly (readonly [line: string, ...printed: string[]])[] = [
  [
    `${query("same.get")} ${command("same.get", "Thing", 'a: "x"', "@useAuth(NoAuth)", "same.get.again")}`,
    'operation-id: The operation "same.get" must be called "sameGet"',
    'operation-twice: Two operations are named "same.get".',
    'requirement-twice: The requirement id "same.get/public" is used twice.',
  ],
  [`${query("part.{name}", part, partly, "part")} ${query("part.all")}`, ambiguous("part")],
  [`${query("late.all")} ${query("late.{name}", part, partly, "late")}`, ambiguous("late")],
  [
    query("go.on", "", undefined, "off"),
    'operation-id: The operation "go.on" must be called "goOn" in the spec.',
  ],
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
    `model Lost { @deploymentVersion v: int32 } ${documented} @useAuth(NoAuth) op lost is Query<"lost", {}, Ok<Lost>>;`,
    "version-not-found: The suite does not find the version",
  ],
  [
    query("rule.get", "", `@useAuth(NoAuth) ${SAME} ${SAME}`),
    'requirement-twice: The requirement id "thing/same" is',
  ],
  // The suite would apply it to records that it has not created. A command may take it from one that created it.
  [query("list", '@exampleFrom(#{ operation: "list", pointer: "/a" }) @query a?: string')],
  [changes("create")],
  [changes("rename", "create")],
  [changes("again", "rename")],
  [
    changes("one", "list"),
    'example-not-created: "a" of "one" must come from',
    '"list" is no command.',
  ],
  [
    changes("two", "create", "list"),
    'example-not-created: "a" of "two" must come from',
    '"list" is no command.',
  ],
  [changes("three", "none"), 'example-unknown: @exampleFrom names "none", which is no operation.'],
  [
    changes("four", "four"),
    'example-not-created: "a" of "four" must come from',
    "this is the command itself.",
  ],
  [points("changeId", "id"), 'example-needed: "id" of "changeId" says which record'],
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
    query("bare.get", "@query b: string"),
    'example-missing: "b" is required: "bare.get" needs an @opExample',
  ],
  [
    `@useAuth(NoAuth) op add is Command<"add", Thing, Ok<Thing>>;`,
    'example-missing: "a" is required: "add" needs an',
  ],
  [keyed("once.right", `CreatedOnce<Thing> | ${KEYED} | CredentialProblem`)],
  [
    keyed("once.bare", "CreatedOnce<Thing> | CredentialProblem"),
    lacks("once.bare", "InvalidIdempotencyKey, IdempotencyKeyReused"),
  ],
  [
    keyed("once.half", "CreatedOnce<Thing> | InvalidIdempotencyKey | CredentialProblem"),
    lacks("once.half", "IdempotencyKeyReused"),
  ],
  [
    keyed("once.public", `CreatedOnce<Thing> | ${KEYED}`, "Idempotency", "@useAuth(NoAuth)"),
    'idempotency: "once.public" cannot take an Idempotency-Key: the key belongs to the API key of a caller',
  ],
  [
    keyed("once.ok", `Ok<Thing> | ${KEYED} | CredentialProblem`),
    'idempotency: "once.ok" cannot take an Idempotency-Key: it needs CreatedOnce as its answer.',
  ],
  [
    keyed(
      "once.own",
      `CreatedOnce<Thing> | ${KEYED} | CredentialProblem`,
      '{ @header("idempotency-KEY") k: int32 }',
    ).replace("parameters: #{", "parameters: #{ k: 1, "),
    'idempotency: "once.own" cannot take an Idempotency-Key: write ...Idempotency in place of a header of its own.',
  ],
  [
    query("once.get", "...Idempotency"),
    'idempotency: "once.get" cannot take an Idempotency-Key: a query ignores it.',
  ],
  [keyed("needs.none", "Ok<Thing>", "{}"), lacks("needs.none", "CredentialProblem")],
  [
    keyed(
      "needs.some",
      "Ok<Thing> | CredentialConflict | CredentialsMissing | ScopeMissing | StorageUnavailable",
      "{}",
    ),
    lacks("needs.some", "CredentialsInvalid, PlatformNotAllowed"),
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
  [
    keyed(
      "needs.bearer",
      "Ok<Thing> | CredentialProblem",
      "{}",
      WITH_KEY.replace("KeyAndPlatform", "BearerAuth"),
    ),
    hasOtherKeys("needs.bearer"),
  ],
  [query("needs.either", "", "@useAuth(KeyAndPlatform | NoAuth)"), hasOtherKeys("needs.either")],
  [
    query("needs.unsaid", "", '@scope("a")').replace("Ok<Thing>", "Ok<Thing> | CredentialProblem"),
    hasOtherKeys("needs.unsaid"),
  ],
  [listed("page.right", "OkPage<Page<Thing>> | InvalidCursor")],
  [listed("page.bare", "OkPage<Page<Thing>>"), lacks("page.bare", "InvalidCursor")],
  [query("page.none", "@query cursor?: int32")],
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
  ...["@", "X-API-KEY", "x-platform"].map((name, at) => {
    const id = `names.q${at}`;
    return [query(id, `@query("${name}") a?: string`), reserved(id, name)] as const;
  }),
  ...["X-Api-Key", "X-PLATFORM", "accept", "Authorization", "x-request-id", "Content-Encoding"].map(
    (name, at) => {
      const id = `names.h${at}`;
      return [query(id, `@header("${name}") a?: string`), reserved(id, name)] as const;
    },
  ),
  [
    query(
      "names.twice",
      '@query("b") a?: string; @query b?: string; @header("X-A") c?: string; @header("x-a") d?: string',
    ),
    'parameter-twice: "names.twice" has two parameters named "b".',
    'parameter-twice: "names.twice" has two parameters named "x-a".',
  ],
  [
    keyed("names.put", "Ok<Thing> | CredentialProblem", "{ @query q?: string }"),
    'command-parameter: "q" is no input of the command "names.put": write it in the model of its data.',
  ],
  [
    keyed(
      "names.part.{q}",
      "Ok<Thing> | CredentialProblem",
      `{ @known("a") @path @pattern("^a$") q: string }`,
    )
      .replace("parameters: #{", 'parameters: #{ q: "a", ')
      .replace(/op \S+ is/, "op namesPart is"),
    'command-parameter: "q" is no input of the command "names.part.{q}": write it in the model of its data.',
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
    'problem-without-step: No step rejects with the problem "bare".',
  ],
  [
    problem("Mute", "mute", "@statusCode _: 400;"),
    "problem-without-meaning: ",
    "problem-without-step: ",
  ],
  [
    problem("Again", "overloaded", "@statusCode _: 503;", "/** A. */"),
    'problem-twice: The problem code "overloaded" is',
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

it("rejects a spec without a service, and requirements without a clause", async () => {
  await expect(generateFrom(`import "${protocol}";\n`)).rejects.toThrow(
    "A spec declares one service",
  );
  const unsorted = generateFrom(specOf('@@requirements(Thing, #{ `a/b`: "One." });'));
  await expect(unsorted).rejects.toThrow(
    /main\.tsp:8:\d+ - error invalid-argument: .*Record<Record<string>>/,
  );
});
