// A service that `new-service` writes generates, compiles, and is conformant, also for requests that no check has; a defect in it is found.
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Report } from "../conformance/report/report.ts";
import { newService } from "./new-service.ts";

const root = resolve(import.meta.dirname, "..");
const run = promisify(execFile);

const CONTRACT = "generated/contract.ts";
const VALIDATORS = "generated/validators.ts";
const TABLE = "node_modules/atpoint-server/src/server/request/operation-table.js";
/** A fact of an operation in the generated contract. */
const ofBook = (verb: string, fact: string, value: string) =>
  new RegExp(`(?<="id": "book\\.${verb}",[^]*?"${fact}": )${value}`);

let folder: string;
const npm = async (...words: string[]) => {
  const env = { ...process.env, NO_COLOR: "1" };
  const { stdout, stderr } = await run("npm", words, { cwd: folder, env }).catch((failed) => failed);
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
  expect(await newService([folder, "--name", "my-library", "--resource", "book"], () => {})).toBe(0);
  await run("sh", ["-ec", INSTALL, root], { cwd: folder });
});
afterAll(() => rm(folder, { recursive: true }));

it("names nothing of the template", async () => {
  const files = (await readdir(folder)).filter((name) => /\.(ts|tsp|json)$/.test(name));
  expect(files).toContain("books.ts");
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), "utf8")));
  expect(texts.join("\n")).not.toMatch(/\bnotes?\b|my-service|MyService/i);
});

it("generates, compiles, and is conformant, explored too", async () => {
  expect(await npm("run", "generate")).toContain("Compilation completed successfully");
  for (const words of [[], ["--", "--explore", "300", "--seed", "1"]]) {
    const output = await npm("test", ...words);
    expect(output).toMatch(/^conformant/m);
    expect(output).not.toMatch(/^FAIL |npm error/m);
  }
});

/** Defects, each as a text of a file and what replaces it, and the requirement that it breaks. */
const DEFECTS: readonly (readonly [what: string, requirement: string, file: string, text: RegExp, by: string])[] = [
  ["a command needs no scope", "credentials/scope", CONTRACT, /"scope": "books:write"/, '"scope": null'],
  ["a command needs no credentials", "credentials/missing", CONTRACT, ofBook("create", "auth", "true"), "false"],
  ["an unknown record is a fault", "errors/never-500", "handlers.ts", /new Problem\("book-not-found"\)/, "Error()"],
  ["a 401 names another realm", "credentials/challenge", CONTRACT, /"realm": "atpoint"/, '"realm": "other"'],
  ["a response names no operation", "dispatch/x-operation", TABLE, /return { "X-Operation": id }/, "return {}"],
  ["a template takes any part", "dispatch/case-sensitive", CONTRACT, /(?<=book\\\\.get\\\\.).*(?=\$")/, "(.+)"],
  [
    "a representation is not documented",
    "answers/not-acceptable",
    CONTRACT,
    ofBook("get", "mediaTypes", "\\["),
    '["text/html",',
  ],
  ["a query takes any parameter", "input/unknown-parameter", VALIDATORS, /(?<=query: )input\d+/, "() => true"],
  ["a command takes what is no text", "input/wrong-type", VALIDATORS, /(?<=body: )input\d+/, "() => true"],
  ["a body may be a byte longer", "http/body-limit", CONTRACT, /"bodyBytes": 65536/, '"bodyBytes": 65537'],
];

it.each(DEFECTS)("is found out where %s: %s", async (_, requirement, file, text, by) => {
  const path = join(folder, file);
  const right = await readFile(path, "utf8");
  const wrong = right.replace(text, by);
  expect(wrong).not.toBe(right);
  await writeFile(path, wrong);
  const report = join(folder, "report.json");
  const output = await npm("exec", "--", "tsx", "test.ts", "--only", `${requirement}*`, "--json", report);
  await writeFile(path, right);
  const { results }: Report = JSON.parse(await readFile(report, "utf8"));
  const broken = results.flatMap((one) => (one.outcome === "failed" ? one.requirement.id : []));
  expect(broken, output).toContain(requirement);
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
  expect(output).toMatch(/^handlers\.ts\(\d+,\d+\): error TS\d+: Property '"shelf\.get"' is missing/);
  expect(output).not.toMatch(/^ +at /m);
});

it("rejects a name that is none, and a folder that is used, and writes nothing", async () => {
  const lines: string[] = [];
  const print = (line: string) => void lines.push(line);
  expect(await newService([join(folder, "new"), "--resource", "Book list"], print)).toBe(2);
  expect(await newService([folder, "--name", "other"], print)).toBe(2);
  expect(lines).toEqual([expect.stringMatching(/^usage: /), `${folder} is not empty: name another folder.`]);
});
