import { execFile } from "node:child_process";
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import data from "../generated/contract.json" with { type: "json" };
import { contract } from "../generated/contract.ts";
import { generate } from "../spec/protocol/emitter/emit.ts";
import { write } from "../spec/protocol/emitter/write.test-kit.ts";
import { newOperation } from "./new-operation.ts";

const { operations } = contract;
const { clauses: released } = data;

const root = resolve(import.meta.dirname, "..");
let copy: string;
const printed: string[] = [];
const make = (...words: readonly string[]) => newOperation(words, copy, (line) => void printed.push(line));
const run = (name: string, ...words: string[]) =>
  promisify(execFile)(join(root, "node_modules/.bin", name), words, { cwd: copy }).catch((error: object) => error);

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), "atpoint-new-"));
  const filter = (file: string) => !/\.test\.ts$/.test(file);
  for (const part of ["spec", "src", "conformance", "tsconfig.json", "biome.json"])
    await cp(join(root, part), join(copy, part), { recursive: true, filter });
  await cp(join(root, "package.json"), join(copy, "package.json"));
  await symlink(join(root, "node_modules"), join(copy, "node_modules"));
  await promisify(execFile)("git", ["init", "-q"], { cwd: copy });
  await cp(join(root, ".gitignore"), join(copy, ".gitignore"));
});
afterAll(() => rm(copy, { recursive: true }));

it("ends a check of the style with the command that repairs it", async () => {
  await writeFile(join(copy, "src/odd.ts"), "export const  odd = 1\n");
  const { stderr } = Object(
    await promisify(execFile)("npm", ["run", "-s", "check:style"], { cwd: copy }).catch((error) => error),
  );
  await rm(join(copy, "src/odd.ts"));
  expect(stderr).toMatch(/\nTo repair the style: npm run format\n$/);
});

/** Words of the protocol, of TypeSpec and of TypeScript. */
const NAMES = [
  ...[
    "record.create POST",
    "record.list GET",
    "page.create POST",
    "page.list GET",
    "problem.list GET",
    "query.get.<id>",
  ],
  ...[
    "command.run POST",
    "step.find GET",
    "operation.list GET",
    "scope.create POST",
    "scope.get.<id>",
    "types.find GET",
  ],
  ...["class.create POST", "class.get.<id>", "envelope.find GET"],
];

describe("new-operation", () => {
  it.each([
    ["user.list", "user.list exists: src/operations/user-list.ts"],
    ["user.list.<id>", "user.list exists: src/operations/user-list.ts"],
    ["user.rename.<id> POST", "user.rename.<id>: a command has its input in data, and no parts in its name"],
    ["note.create", "note.create needs its method, GET for a query or POST for a command; usage: "],
    ...["", "user", "User.get", "user.get.id", "user.get PUT", "user.get GET x", "../x.y"].map((words) => [
      words,
      "usage: ",
    ]),
  ])("rejects %j with one line, and writes nothing", async (words = "", line = "") => {
    const before = await readdir(join(copy, "src/operations"));
    printed.length = 0;
    expect(await make(...words.split(" "))).toBe(2);
    expect(printed).toEqual([expect.stringContaining(line)]);
    expect(printed[0]).not.toContain("\n");
    expect(await readdir(join(copy, "src/operations"))).toEqual(before);
  });

  it("writes stubs that generate, compile and have their style, and does so once", async () => {
    printed.length = 0;
    for (const words of [
      "parcel.create post",
      "parcel.get.<id>",
      "parcel.list get",
      "user.get.<id>",
      "user.rename POST",
      "city.find GET",
      ...NAMES,
    ])
      expect(await make(...words.split(" "))).toBe(0);
    expect(printed).toContain("wrote spec/operations/city.tsp");
    expect(printed.at(-1)).toContain(`npm run test:operation -- ${NAMES.at(-1)?.split(" ")[0]}`);
    const files = await generate(join(copy, "spec/main.tsp"));
    await write(files, join(copy, "generated"));
    const { paths } = JSON.parse(files.get("openapi.operations.json") ?? "");
    const [ids, known] = [Object.keys(paths).map((path) => path.split("/")[2]), Object.keys(operations)];
    // Existing entries keep their position, so that the difference in generated/ shows only the new ones.
    expect(ids.slice(0, 4)).toEqual(known.slice(0, 4));
    const added = [
      "parcel.create",
      "parcel.get",
      "parcel.list",
      "city.find",
      ...NAMES.map((words) => words.split(/\.<| /)[0]),
    ];
    expect(ids.slice(-added.length)).toEqual(added);
    const [get, create, list] = [
      paths["/api/parcel.get/../"].get,
      paths["/api/parcel.create/../"].post,
      paths["/api/parcel.list/../"].get,
    ];
    expect([create.tags, create["x-scope"], Object.keys(create.responses)[0]]).toEqual([
      ["parcels"],
      "parcels:write",
      "201",
    ]);
    expect([get["x-scope"], get.responses["200"].content["application/json"].schema]).toEqual([
      "parcels:read",
      { $ref: "#/components/schemas/Parcel" },
    ]);
    expect(list.parameters.map(({ name }: { name: string }) => name)).toContain("cursor");
    expect(paths["/api/city.find/../"].get.tags).toEqual(["cities"]);
    // Each resource has its own clause: that of the users exists already.
    const [before, clauses] = await Promise.all(
      [root, copy].map((at) => readFile(join(at, "spec/clauses.tsp"), "utf8")),
    );
    const last = released.filter(({ id }) => /^D\d/.test(id)).length;
    const numbered = [...(clauses?.slice(before?.lastIndexOf("}")).matchAll(/@summary\("(\w+)"\) (D\d+)/g) ?? [])];
    expect(numbered.slice(0, 2).map(([, title, id]) => [title, id])).toEqual([
      ["Parcels", `D${last + 1}`],
      ["Cities", `D${last + 2}`],
    ]);
    expect(await run("tsc", "--noEmit")).toMatchObject({ stdout: "" });
    expect(await run("biome", "check", "src")).not.toHaveProperty("code");
    expect(await run("tsp", "format", "--check", "spec/**/*.tsp")).not.toHaveProperty("code");
    expect(await make("user.get.<id>")).toBe(2);
    expect(printed.at(-1)).toBe("user.get exists: src/operations/user-get.ts");
  });
});
