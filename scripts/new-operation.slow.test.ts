import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import data from "../generated/contract.json" with { type: "json" };
import { contract } from "../generated/contract.ts";
import { generate } from "../spec/protocol/emitter/emit.ts";
import { write } from "../spec/protocol/emitter/write.test-kit.ts";
import { newOperation } from "./new-operation.ts";

const root = resolve(import.meta.dirname, "..");
let copy: string;
let printed: string[];
const make = (words: string) => {
  printed = [];
  return newOperation(words.split(" "), copy, (line) => void printed.push(line));
};
const run = (name: string, ...words: string[]) =>
  promisify(execFile)(name, words, { cwd: copy }).catch((error: object) => error);

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), "atpoint-new-"));
  const filter = (file: string) => !/\.test\.ts$/.test(file);
  const settings = ["tsconfig.json", "biome.json", "package.json", ".gitignore"];
  for (const part of ["spec", "src", "conformance", ...settings])
    await cp(join(root, part), join(copy, part), { recursive: true, filter });
  await symlink(join(root, "node_modules"), join(copy, "node_modules"));
  await mkdir(join(copy, "generated"), { recursive: true });
  await cp(join(root, "generated/covering.json"), join(copy, "generated/covering.json"));
  await run("git", "init", "-q");
});
afterAll(() => rm(copy, { recursive: true }));

it.each([
  ["user.list", "user.list exists: src/operations/user-list.ts"],
  ["user.list.<id>", "user.list exists: src/operations/user-list.ts"],
  [
    "user.rename.<id> POST",
    "user.rename.<id>: a command has its input in data, and no parts in its name",
  ],
  ["note.create", "note.create needs its method, GET for a query or POST for a command; usage: "],
  ...["", "user", "User.get", "user.get.id", "user.get PUT", "user.get GET x", "../x.y"].map(
    (words) => [words, "usage: "],
  ),
])("rejects %j with one line, and writes nothing", async (words = "", line = "") => {
  const before = await readdir(join(copy, "src/operations"));
  expect(await make(words)).toBe(2);
  expect(printed).toEqual([expect.stringContaining(line)]);
  expect(printed[0]).not.toContain("\n");
  expect(await readdir(join(copy, "src/operations"))).toEqual(before);
});

/** Of new and of known resources; then words of the protocol, of TypeSpec and of TypeScript. */
const NEW = `parcel.create post, parcel.get.<id>, parcel.list get, user.get.<id>, user.rename POST,
  city.find GET, record.create POST, record.list GET, page.create POST, page.list GET,
  problem.list GET, query.get.<id>, command.run POST, step.find GET, operation.list GET,
  scope.create POST, scope.get.<id>, types.find GET, class.create POST, class.get.<id>,
  envelope.find GET`.split(/,\s+/);

it("writes stubs that generate, compile and have their style, and does so once", async () => {
  for (const words of NEW) expect(await make(words)).toBe(0);
  expect(printed).toContain("wrote spec/operations/envelope.tsp");
  expect(printed.at(-1)).toContain("npm run test:operation -- envelope.find");
  const files = await generate(join(copy, "spec/main.tsp"));
  await write(files, join(copy, "generated"));
  const { paths } = JSON.parse(files.get("openapi.operations.json") ?? "");
  // Existing entries keep their position, so that the difference in generated/ shows only the new
  // ones.
  const ids = Object.keys(paths).map((path) => path.split("/")[2]);
  expect(ids.slice(0, 4)).toEqual(Object.keys(contract.operations).slice(0, 4));
  expect(ids.at(-1)).toBe("envelope.find");
  expect(paths["/api/parcel.create/../"].post).toMatchObject({
    tags: ["parcel"],
    "x-scope": "parcels:write",
    responses: { "201": {} },
  });
  const { parameters } = paths["/api/parcel.list/../"].get;
  expect(parameters).toContainEqual(expect.objectContaining({ name: "cursor" }));
  // Each resource has its own clause: that of the users exists already.
  const numbered = (file: string) =>
    [...file.matchAll(/@summary\("(\w+)"\) (D\d+)/g)].map(([, title, id]) => `${title} ${id}`);
  const last = data.clauses.filter(({ id }) => /^D\d/.test(id)).length;
  expect(numbered(await readFile(join(copy, "spec/clauses.tsp"), "utf8"))).toEqual(
    expect.arrayContaining(["Users D23", `Parcels D${last + 1}`, `Cities D${last + 2}`]),
  );
  const settings = { extends: "./tsconfig.json", include: ["src", "generated"] };
  await writeFile(join(copy, "tsconfig.src.json"), JSON.stringify(settings));
  const types = ["--noEmit", "-p", "tsconfig.src.json"];
  expect(await run("node_modules/.bin/tsc", ...types)).toMatchObject({ stdout: "" });
  expect(await run("node_modules/.bin/biome", "check", "src")).not.toHaveProperty("code");
  expect(
    await run("node_modules/.bin/tsp", "format", "--check", "spec/**/*.tsp"),
  ).not.toHaveProperty("code");
  expect(await make("user.get.<id>")).toBe(2);
  expect(printed).toEqual(["user.get exists: src/operations/user-get.ts"]);
});
