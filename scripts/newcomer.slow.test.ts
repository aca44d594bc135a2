// A newcomer's first hour, in a clone: the commands of README and guides, common mistakes, and the
// suite with what keys there are. Each ends with words that a person can act on.
import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "..");
const clone = mkdtempSync(join(tmpdir(), "atpoint-newcomer-"));
let service: Awaited<ReturnType<typeof start>>;

/** Nothing of this process's settings, such as the databases of the tests. */
const env: NodeJS.ProcessEnv = {
  PATH: process.env.PATH,
  HOME: clone,
  npm_config_offline: "true",
  PORT: "0",
  MANAGEMENT_PORT: "0",
};

/** `npm start` in the clone, until it listens. */
async function start() {
  const child = spawn("npm", ["start"], { cwd: clone, env });
  child.stderr.resume();
  let url = "";
  for await (const line of createInterface(child.stdout)) {
    if (line.includes('"msg":"listening"')) ({ url } = JSON.parse(line));
    if (url !== "") break;
  }
  child.stdout.resume();
  const stop = async () => {
    const exit = once(child, "exit");
    child.kill("SIGINT");
    return (await exit)[0];
  };
  return { url, stop };
}

/** Each response of curl has its status behind it. */
const STATUS = /\n(\d{3})\n/;

/** What a command of a page prints, on standard output and standard error. */
function run(command: string): Promise<string> {
  const script = `
    curl() { command curl -s -w '\\n%{http_code}\\n' "$@"; }
    exec 2>&1
    ${command.replaceAll("http://127.0.0.1:3000", service.url)}`;
  const settings = { ...env, BASE: service.url };
  return new Promise((done) => {
    execFile("bash", ["-c", script], { cwd: clone, env: settings }, (_, output) => done(output));
  });
}

interface Example {
  readonly command: string;
  /** The JSON of the response that the page shows. */
  readonly shown: string;
}

const examplesIn = (page: string): Example[] =>
  [
    ...readFileSync(join(root, page), "utf8").matchAll(
      /^```sh\n([\s\S]*?)^```\n(?:```json\n([\s\S]*?)^```)?/gm,
    ),
  ].map(([, command = "", shown = "{}"]) => ({ command, shown }));

const [commands, firstCall] = examplesIn("README.md");

beforeAll(async () => {
  // Linked, since a copy of all packages takes long; copied where the clone is on another disk.
  const copy = `
    git ls-files -zco --exclude-standard | xargs -0 cp --parents -t "${clone}" &&
    { cp -al node_modules "${clone}" 2>/dev/null || cp -a node_modules "${clone}"; }`;
  expect(spawnSync("sh", ["-c", copy], { cwd: root, stdio: "inherit" }).status).toBe(0);
  service = await start();
  env.API_KEY = readFileSync(join(clone, "data/first-key"), "utf8").trim();
});
afterAll(async () => {
  await service?.stop();
  rmSync(clone, { recursive: true, force: true });
});

it("names the commands that start and test it", async () => {
  expect(commands?.command).toMatch(/^npm ci && npm start .*\nnpm test /);
  const tests = await run("npm test -- --project quick src/server/limits/counters.test.ts");
  expect(tests).toMatch(/LEFT OUT:\n {2}1 test: no Redis; set TEST_REDIS_URL=/);
});

it("responds as README and guides show", async () => {
  const guides = ["src/docs/calling.md", "src/docs/clients.md"].flatMap(examplesIn);
  const second = { command: firstCall?.command.replace("ada@", "second@") ?? "", shown: "{}" };
  const remove = { command: "npx atpoint users delete ada@example.com --yes", shown: "{}" };
  const statuses: string[] = [];
  for (const { command, shown } of [firstCall ?? second, second, remove, ...guides]) {
    const output = await run(command.replace(" | jq .items", ""));
    const [body = "", ...statusesAndBodies] = output.split(STATUS);
    statuses.push(...statusesAndBodies.filter((_, index) => index % 2 === 0));
    for (const member of Object.keys(JSON.parse(shown)))
      expect(JSON.parse(body), command).toHaveProperty(member);
  }
  const paging = ["200"];
  const calling = ["201", "200", "200", "401", ...paging, "201", "200", "200"];
  expect(statuses).toEqual(["201", "201", ...calling, "200"]);
});

it("manages keys as their guide shows", async () => {
  const guide = examplesIn("src/docs/keys.md");
  const block = guide.find(({ command }) => command.includes(" rotate "))?.command ?? "";
  const [create = "", list = "", ...changes] = block.trim().split("\n");
  const { id } = JSON.parse(await run(create));
  expect(await run(list)).toContain(id);
  const [rotate = "", revoke = ""] = changes.map((line) => line.replace("ID", id));
  expect(await run(rotate)).toContain(`The old key ${id} is valid until`);
  expect(await run(revoke)).toContain(`Revoked ${id}.`);
});

const CREDENTIALS = '-H "X-API-KEY: $API_KEY" -H "X-PLATFORM: web"';
const query = (text: string) => `curl "$BASE/api/?@=${text}" ${CREDENTIALS}`;
const command = (body: string) =>
  `curl "$BASE/api/" ${CREDENTIALS} -H "Content-Type: application/json" -d '${body}'`;
const mistypedDatabase =
  "DATABASE_URL=sqlite:data/atpiont.sqlite " +
  "npx atpoint keys create --name me --scopes users:read --platforms web";

it.each([
  ["a wrong key", query("user.list").replace("$API_KEY", "atp_"), "The API key is not valid."],
  ["no platform", 'curl "$BASE/api/?@=user.list"', "X-PLATFORM"],
  ["half a body", command('{"@": "user.create"'), "The body is not valid JSON at position 19."],
  ["a form", `curl "$BASE/api/" -d '@=user.create'`, "Content-Type: application/json"],
  ["a number", query("user.list&limit=0"), '{"parameter":"limit","detail":"must be at least 1"}'],
  ["a mistyped parameter", query("user.list&limti=2"), "limit"],
  ["a mistyped operation", query("user.lsit"), "user.list"],
  ["a command by GET", query("user.create"), "POST"],
  ["half an address", command('{"@":"user.create","data":{"name":"A","email":"a"}}'), "ada@"],
  [
    "a port in use",
    'PORT=$(node -p "new URL(process.env.BASE).port") npm start',
    "is in use already: choose another one with PORT.",
  ],
  ["a mistyped setting", "PROT=1 npx atpoint doctor", "did you mean PORT?"],
  ["a URL of a file", "DATABASE_URL=sqlite:///x npx atpoint serve", "write sqlite:/absolute/path"],
  ["a mistyped database", mistypedDatabase, "and no database is there. Is that the right path"],
  ["a mistyped command", "npx atpoint key list", "(Did you mean keys?)"],
  ["a host alone", "npx atpoint-conformance --url 127.0.0.1:4500", '"http://127.0.0.1:4500"'],
  ["no such file", "npx atpoint-conformance --url $BASE --credentials x.json", "x.json"],
  ["a wrong key for the suite", "API_KEY=x npx atpoint-conformance --url $BASE", "give a key"],
])("says what to do about %s", async (_, words, remedy) => {
  expect(await run(words)).toContain(remedy);
});

const suite = "npx atpoint-conformance --url $BASE --smoke";
const restricted =
  "npx atpoint keys create --name reader --scopes users:read --platforms web --json > reader.json";

it.each([
  ["no key", `API_KEY= ${suite}`, "there is no key"],
  [
    "a restricted key",
    `${restricted}\nAPI_KEY=$(node -p 'require("./reader.json").key') ${suite}`,
    "the key lacks system:health, users:write",
  ],
  [
    "all keys",
    `npx atpoint keys conformance --out all.json\n${suite} --credentials all.json`,
    "Wrote 8 keys",
  ],
])("checks a deployment with %s", async (_, words, lack) => {
  const report = await run(words);
  expect(report).toMatch(/^conformant \(smoke\)/m);
  expect(report).toContain(lack);
});

it("ends at Ctrl-C, and starts again", async () => {
  expect(await service.stop()).toBe(0);
  service = await start();
  expect(await run(query("user.list"))).toContain('{"items":[');
});
