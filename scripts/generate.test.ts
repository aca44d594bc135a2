import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Validator } from "@seriousme/openapi-schema-validator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { requirements } from "../generated/requirements.ts";
import { type Document, resolve as resolveReference } from "./generate/openapi.ts";
import { command, generate, main, refuseOpenClauses, SpecError, write } from "./generate.ts";

const spec = resolve(import.meta.dirname, "../spec");
const second = resolve(import.meta.dirname, "generate/second/main.tsp");
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "atpoint-generate-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** A spec of a few lines over the protocol, as a file of its own. */
async function specOf(lines: string): Promise<string> {
  const entry = join(folder, "main.tsp");
  await writeFile(
    entry,
    `import "${spec}/credentials.tsp";
using Http;
using OpenAPI;
@service(#{ title: "Small" })
@info(#{ version: "1.0.0" })
namespace Atpoint;
model Thing { a: string; }
${lines}
`,
  );
  return entry;
}

const operation = (name: string, id: string, rest = "") => `
@summary("A thing") @doc("A thing.") @useAuth(NoAuth) ${rest}
op ${id.replace(/\.(\w)/g, (_, letter: string) => letter.toUpperCase())} is Query<"${name}", {}, Ok<Thing>>;`;

const refusal = async (lines: string): Promise<string> => {
  const thrown = await generate(await specOf(lines)).catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(Error);
  return (thrown as Error).message;
};

describe("generate", () => {
  it("writes the committed files again, byte for byte", async () => {
    const files = await generate(main.entry);
    for (const [path, text] of files) expect(text, path).toBe(await readFile(join(main.folder, path), "utf8"));
    const there = await readdir(main.folder, { recursive: true, withFileTypes: true });
    expect(there.filter((file) => file.isFile())).toHaveLength(files.size);
  });

  it.each([main.entry, second])("writes documents that are valid OpenAPI 3.1 out of %s", async (entry) => {
    const files = await generate(entry);
    for (const path of [...files.keys()].filter((path) => path.startsWith("openapi"))) {
      const { valid, errors } = await new Validator().validate(files.get(path) ?? "");
      expect({ path, valid, errors }).toEqual({ path, valid: true, errors: undefined });
    }
  });

  it("keeps every requirement that was released, of the same level and origin", async () => {
    const stated = new Map<string, string>(
      requirements.map(({ id, level, origin }) => [id, `${id} ${level} ${origin}`]),
    );
    const released = (await readFile(join(spec, "released.txt"), "utf8")).trim().split("\n");
    expect(released.filter((line) => stated.get(line.split(" ", 1)[0] ?? "") !== line)).toEqual([]);
  });

  it("leaves nothing else in the folder it writes to", async () => {
    const out = join(folder, "out");
    await write(new Map([["old.txt", "old"]]), out);
    await write(new Map([["docs/new.txt", "new"]]), out);
    expect(await readdir(out)).toEqual(["docs"]);
  });

  it("writes as a command, and says what is wrong with the spec", async () => {
    const out = join(folder, "command");
    const said: string[] = [];
    const say = (text: string) => said.push(text);
    expect(await command({ entry: await specOf(operation("thing.get", "thing.get")), folder: out }, say)).toBe(0);
    expect(await readdir(out)).toContain("openapi.yaml");
    expect(await command({ entry: await specOf("model Broken { a: Missing; }"), folder: out }, say)).toBe(1);
    expect(said.join()).toContain("Missing");
    await expect(
      command(
        {
          entry: await specOf(operation("thing.get.{name}", "thing.get").replace("{}", "{ @path name: string }")),
          folder: out,
        },
        say,
      ),
    ).rejects.toThrow();
  });

  it("merges a parameter that several operations have", async () => {
    const query = (name: string, type: string) =>
      `@summary("x") @doc("x") @useAuth(NoAuth) @tag("t")
op ${name} is Query<"${name}", { @query much?: ${type}; @header("X-Odd") odd?: string }, Ok<Thing>>;`;
    const same = await generate(await specOf(`${query("one", "int32")}\n${query("two", "int32")}`));
    const much = (files: Map<string, string>) =>
      JSON.parse(files.get("openapi.json") ?? "").paths["/api/"].get.parameters.find(
        ({ name }: { name: string }) => name === "much",
      );
    expect(much(same)).toMatchObject({
      schema: { type: "integer" },
      required: false,
      description: "Only for `one`, `two`.",
    });
    const other = await generate(
      await specOf(`${query("one", "int32")}\n${query("two", "string")}\n${query("three", "boolean")}`),
    );
    expect(much(other).schema.anyOf).toHaveLength(3);
    expect(other.get("operations.ts")).not.toContain("X-Odd");
  });

  it("says once in the reference what each operation needs", async () => {
    const reference = (await generate(main.entry)).get("docs/reference.md") ?? "";
    const sections = reference.split("\n## ").slice(1, -1);
    expect(sections).not.toEqual([]);
    for (const section of sections)
      expect(section.match(/Needs (no credentials|an API key)/g), section).toHaveLength(1);
  });

  it("reads inputs by the names that are sent, and no header", async () => {
    const query = `@summary("x") @doc("x") @useAuth(NoAuth)
@opExample(#{ parameters: #{ much: 3, odd: "o" } })
op one is Query<"one", { @exampleFrom(#{ operation: "one", pointer: "/a" }) @query("how-much") much: int32; @header("X-Odd") odd?: string }, Ok<Thing>>;`;
    const table = (await generate(await specOf(query))).get("operations.ts") ?? "";
    expect(table.replaceAll(/\s+/g, "")).toContain('"example":{"how-much":3},"exampleFrom":{"how-much":[{');
  });

  it("takes a command that needs credentials, and says so in the document of the wire", async () => {
    const add = `@summary("x") @doc("x") @useAuth(KeyAndPlatform) @scope("things:write")
@opExample(#{ parameters: #{ body: #{ \`@\`: "thing.add", data: #{ a: "x" } } } })
op thingAdd is Command<"thing.add", Thing, Ok<Thing>>;`;
    const files = await generate(await specOf(add));
    const { description } = JSON.parse(files.get("openapi.json") ?? "").paths["/api/"].post;
    expect(description).toContain("| `thing.add` | x | yes |");
    expect(files.get("requirements.ts")).toContain('"id": "thing.add/credentials"');
  });

  it("takes a spec of commands only", async () => {
    const add = `@summary("x") @doc("x") @useAuth(NoAuth)
@opExample(#{ parameters: #{ body: #{ \`@\`: "thing.add", data: #{ a: "x" } } } })
op thingAdd is Command<"thing.add", Thing, Ok<Thing>>;`;
    const files = await generate(await specOf(add));
    expect(Object.keys(JSON.parse(files.get("openapi.json") ?? "").paths["/api/"])).toEqual(["post"]);
  });

  it("takes a spec of a few lines", async () => {
    const files = await generate(await specOf(operation("thing.get", "thing.get")));
    expect(files.get("operations.ts")).toContain('"thing.get": {');
  });
});

describe("resolve", () => {
  it("follows a reference, escapes too, and refuses one that points at nothing", () => {
    const components = { schemas: { "a/b": { type: "string" } }, securitySchemes: {} };
    const document: Document = {
      openapi: "3.1.0",
      info: { title: "t", version: "1", description: "" },
      paths: {},
      components,
    };
    expect(resolveReference(document, { $ref: "#/components/schemas/a~1b" })).toEqual({ type: "string" });
    expect(() => resolveReference(document, { $ref: "#/components/schemas/None" })).toThrow("points at nothing");
  });
});

describe("the generator refuses, and says where", () => {
  it("two operations of one name", async () => {
    const command = `@summary("x") @doc("x") @useAuth(NoAuth) @opExample(#{ parameters: #{ body: #{ \`@\`: "thing.get", data: #{ a: "x" } } } })
op twice is Command<"thing.get", Thing, Ok<Thing>>;`;
    const message = await refusal(`${operation("thing.get", "thing.get")}\n${command}`);
    expect(message).toMatch(/main\.tsp:12:4 - error atpoint\/operation-twice: Two operations are named "thing\.get"\./);
  });

  it("a name that the template of another also matches", async () => {
    const template = `@summary("x") @doc("x") @useAuth(NoAuth)
op templated is Query<"thing.get.{name}", { @path @pattern("^[a-z]+$") name: string }, Ok<Thing>>;`;
    const message = await refusal(`${template}\n${operation("thing.get.all", "thing.get.all")}`);
    expect(message).toContain(
      'atpoint/operation-ambiguous: The name "thing.get.all" is also matched by "thing.get.{name}".',
    );
    expect(message).toMatch(/main\.tsp:12:4/);
    expect(await refusal(`${operation("thing.get.all", "thing.get.all")}\n${template}`)).toContain(
      "operation-ambiguous",
    );
  });

  it("a command that the suite would aim at what it has not created", async () => {
    const change = (id: string, sources: string) => `model ${id}Data { ${sources} a: string; b: string }
@summary("x") @doc("x") @useAuth(NoAuth)
@opExample(#{ parameters: #{ body: #{ \`@\`: "${id}", data: #{ a: "x", b: "y" } } } })
op ${id} is Command<"${id}", ${id}Data, Ok<Thing>>;`;
    const from = (...ids: string[]) =>
      `@exampleFrom(${ids.map((id) => `#{ operation: "${id}", pointer: "/a" }`).join(", ")})`;
    const query = (id: string, sources = "") => `@summary("x") @doc("x") @useAuth(NoAuth)
op ${id} is Query<"${id}", { ${sources} @query a?: string }, Ok<Thing>>;`;
    const chain = [query("list", from("list")), change("create", ""), change("rename", from("create"))].join("\n");
    await expect(generate(await specOf(`${chain}\n${change("again", from("rename"))}`))).resolves.toBeDefined();
    for (const [sources, why] of [
      [from("list"), '"list" is no command'],
      [from("create", "list"), '"list" is no command'],
      [from("none"), '"none" is no command'],
      [from("remove"), "this is the command itself"],
    ] as const) {
      const message = await refusal(`${chain}\n${change("remove", sources)}`);
      expect(message).toMatch(/main\.tsp:\d+:\d+ - error atpoint\/example-not-created: "a" of "remove" must come /);
      expect(message.trim().endsWith(`: ${why}.`)).toBe(true);
    }
  });

  it("a command that says which record it changes, and not where the suite has it from", async () => {
    const change = (member: string) => `model Change { ${member}: string }
@summary("x") @doc("x") @useAuth(NoAuth)
@opExample(#{ parameters: #{ body: #{ \`@\`: "change", data: #{ ${member}: "x" } } } })
op change is Command<"change", Change, Ok<Thing>>;`;
    for (const member of ["id", "userId"])
      expect(await refusal(change(member))).toContain(
        `atpoint/example-needed: "${member}" of "change" says which record`,
      );
    await expect(generate(await specOf(change("paid")))).resolves.toBeDefined();
  });

  it("a requirement id that is used twice", async () => {
    const rule = '@requirements(Clause.D1, #{ `thing/same`: "One." })';
    const message = await refusal(operation("thing.get", "thing.get", `${rule} ${rule}`));
    expect(message).toMatch(
      /main\.tsp:\d+:\d+ - error atpoint\/requirement-twice: The requirement id "thing\/same" is used twice\./,
    );
  });

  it("a clause with neither a requirement nor a reason", () => {
    const clause = (id: string, untried: string | null) => ({ id, title: "", decision: "", untried });
    const requirement = {
      id: "a/b",
      level: "MUST",
      origin: "decided",
      clause: "D1",
      sentence: "",
      operation: null,
    } as const;
    const clauses = [clause("D1", null), clause("D2", "Not built.")];
    refuseOpenClauses({ clauses, requirements: [requirement] });
    expect(() => refuseOpenClauses({ clauses, requirements: [] })).toThrow(
      "No requirement, and no @untried that says why: D1.",
    );
  });

  it("a requirement of a clause that the contract does not have", async () => {
    const rule = '@requirements(Clause.D0, #{ `thing/one`: "One." })';
    expect(await refusal(operation("thing.get", "thing.get", rule))).toContain("Enum doesn't have member D0");
  });

  it("a problem code without a status, without a meaning, or used twice", async () => {
    const body = (code: string) => `@body body: ProblemDocument<400, "${code}", "T", "D">;`;
    const bare = await refusal(`/** It lacks. */ @error model Bare { ${body("bare")} }`);
    expect(bare).toMatch(
      /main\.tsp:8:\d+ - error atpoint\/problem-without-status: The problem "bare" has no @statusCode\./,
    );
    expect(await refusal(`@error model Mute { @statusCode _: 400; ${body("mute")} }`)).toContain(
      "problem-without-meaning",
    );
    const again = `/** Again. */ @error model Again is Problem<404, "path-not-found", "T", "D">;`;
    expect(await refusal(again)).toContain('atpoint/problem-twice: The problem code "path-not-found" is used twice.');
  });

  it("a problem that no step refuses with, and a step that refuses with no problem", async () => {
    const odd = `/** Odd. */ @error model Odd is Problem<404, "odd", "T", "D">; @@refuses(Step.handle, "even");`;
    const said = await refusal(odd);
    expect(said).toContain('atpoint/problem-without-step: No step of judgement refuses with the problem "odd".');
    expect(said).toContain('atpoint/refusal-unknown: "even" is the code of no problem.');
  });

  it("a spec without a service", async () => {
    const entry = join(folder, "none.tsp");
    await writeFile(entry, `import "${spec}/dispatch.tsp";\n`);
    await expect(generate(entry)).rejects.toThrow("must declare exactly one service");
  });

  it("what the compiler refuses", async () => {
    const thrown = await generate(await specOf("model Broken { a: Missing; }")).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(SpecError);
  });

  it("an id that is not the name, a scope without credentials, and a route of no operation", async () => {
    expect(await refusal(operation("thing.get", "thing.other"))).toContain('must be called "thingGet"');
    expect(await refusal(operation("thing.get", "thing.get", '@scope("a")'))).toContain(
      "exactly when it needs credentials",
    );
    expect(await refusal('@route("/elsewhere") @useAuth(NoAuth) op elsewhere(): Ok<Thing>;')).toContain(
      "is not the path of an operation",
    );
  });

  it("an input that a query cannot carry, a part without a pattern, and a required input without an example", async () => {
    const query = (members: string, name = "thing.get") =>
      `@summary("x") @doc("x") @useAuth(NoAuth) op thingGet is Query<"${name}", { ${members} }, Ok<Thing>>;`;
    expect(await refusal(query("@query things?: Thing[]"))).toContain("a schema that a query cannot carry");
    expect(await refusal(query("@path name: string", "thing.get.{name}"))).toContain("needs an anchored @pattern");
    expect(await refusal(query("@query a: string"))).toContain('needs an @opExample with the parameter "a"');
    const command = '@summary("x") @doc("x") @useAuth(NoAuth) op thingAdd is Command<"thing.add", Thing, Ok<Thing>>;';
    expect(await refusal(command)).toContain("needs an @opExample with its body");
    const bare =
      '@summary("x") @doc("x") @useAuth(NoAuth) @post @route("/api/thing.add/../") op thingAdd(@body body: Thing): Ok<Thing>;';
    expect(await refusal(bare)).toContain('The body of "thing.add" has no member data');
  });

  it("a schema without an exact type, or one that cannot be closed", async () => {
    const answer = (model: string, body: string) => `${model}
@summary("x") @doc("x") @useAuth(NoAuth) op thingGet is Query<"thing.get", {}, Ok<${body}>>;`;
    expect(await refusal(answer("model Odd { a: unknown; }", "Odd"))).toContain("no exact type");
    expect(await refusal(answer("model Base { a: string; } model Odd extends Base { b: string; }", "Odd"))).toContain(
      "cannot be closed",
    );
  });
});
