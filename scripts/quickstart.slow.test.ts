// The quickstart as its reader uses it: each of its programs, copied from the page of a running
// service, creates a user. And its TypeScript tools, types by openapi-typescript and calls by
// openapi-fetch, work for every operation.
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type RunningService, startService } from "../conformance/proof/kits/service.test-kit.ts";
import { contract } from "../generated/contract.ts";
import type { Operation } from "../src/server/contract.ts";
import { itWith } from "./programs.test-kit.ts";

const root = resolve(import.meta.dirname, "..");
let folder: string;
let service: RunningService;
let page: string;

beforeAll(async () => {
  service = await startService();
  // Below the root, where the packages are found.
  folder = await mkdtemp(join(root, "node_modules/.quickstart-"));
  const headers = { Accept: "text/markdown" };
  page = await (await fetch(`${service.url}/api/?@=docs.get.quickstart`, { headers })).text();
});
afterAll(async () => {
  await service?.stop();
  await rm(folder, { recursive: true });
});

/** The code of a section. */
function block(section: string, index = 0): string {
  const [text = ""] = (page.split(`\n## ${section}\n`)[1] ?? "").split("\n## ");
  return [...text.matchAll(/^```\w+\n([\s\S]*?)^```/gm)][index]?.[1] ?? expect.unreachable(section);
}

async function run(command: string, ...words: readonly string[]): Promise<string> {
  const env = { ...process.env, BASE: service.url, API_KEY: service.credentials.full.key };
  return (await promisify(execFile)(command, words, { cwd: folder, env })).stdout;
}

const curl = (section: string) =>
  run("sh", "-c", `curl() { command curl -s "$@"; }\n${block(section)}`);

it("creates a user by curl, once, and lists it", async () => {
  expect(await curl("curl")).toContain("ada.curl@example.com");
  expect(await curl("curl")).toContain('"email-taken"');
  expect(await curl("Next")).toMatch(/^{"items":\[.*"email":"ada\.curl@example\.com"/);
});

/** Whether some names of GET are unknown: then their type is any text. */
const all = Object.values<Operation>(contract.operations);
const isOpen = all.some(({ parts, known }) => parts.length > 0 && known.length === 0);

/** Each response has its own type: an unknown member does not compile. */
const CALLS = `
import createClient from "openapi-fetch";
import type { paths } from "./atpoint.ts";
import type { paths as wire } from "./wire.ts";

const headers = { "X-API-KEY": process.env.API_KEY, "X-PLATFORM": "web" };
const client = createClient<paths>({ baseUrl: process.env.BASE, headers });
const data = { name: "Ada Lovelace", email: "ada.calls@example.com" };
const { data: information } = await client.GET("/api/sysinfo/../", { params: { query: { "@":
  "sysinfo" } } });
const { data: health } = await client.GET("/api/test.health/../", { params: { query: { "@":
  "test.health" } } });
const { data: user } = await client.POST("/api/user.create/../", { body: { "@": "user.create", data
  } });
const { data: users } = await client.GET("/api/user.list/../", { params: { query: { "@":
  "user.list", limit: 200 } } });
const { data: documents } = await client.GET("/api/docs.list/../", { params: { query: { "@":
  "docs.list" } } });
const { data: document } = await client.GET("/api/docs.get/../", { params: { query: { "@":
  "docs.get.README" } } });
const { error } = await client.POST("/api/user.create/../", { body: { "@": "user.create", data } });

// Below a path prefix: the address is all that counts.
const sent: string[] = [];
const fetch = async ({ url }: Request) => {
  sent.push(url);
  return Response.json({});
};
const below = createClient<paths>({ baseUrl: "https://h.example/prefix", fetch });
await below.GET("/api/user.list/../", { params: { query: { "@": "user.list" } } });
await below.POST("/api/user.create/../", { body: { "@": "user.create", data } });

console.log(JSON.stringify([
  information?.status, health?.checks.storage, user?.email, users?.items.some(({ id }) => id ===
    user?.id),
  documents?.items[0]?.operation, typeof document === "object" ? document.title : document,
    error?.code, ...sent,
]));

// The document of the wire has the names that there are, and no others.
const wired = createClient<wire>();
export const compiled = [
  () => wired.GET("/api/", { params: { query: { "@": "user.list", limit: 1 } } }),
  () => wired.GET("/api/", { params: { query: { "@": "docs.get.README" } } }),
  () => wired.POST("/api/", { body: { "@": "user.create", data } }),
  ${isOpen ? "" : "// @ts-expect-error No operation of GET has this name."}
  () => wired.GET("/api/", { params: { query: { "@": "no.such" } } }),
  // @ts-expect-error No operation of POST has this name.
  () => wired.POST("/api/", { body: { "@": "no.such", data } }),
  // @ts-expect-error The name of another operation.
  () => client.GET("/api/user.list/../", { params: { query: { "@": "docs.list" } } }),
  // @ts-expect-error No name.
  () => client.GET("/api/user.list/../", { params: { query: { limit: 1 } } }),
  // @ts-expect-error No such operation.
  () => client.GET("/api/user.delete/../", { params: { query: { "@": "user.delete" } } }),
  // @ts-expect-error No e-mail address.
  () => client.POST("/api/user.create/../", { body: { "@": "user.create", data: { name: "Ada" } }
    }),
];
`;

it("creates a user in TypeScript, and calls every operation, wrong names excepted", async () => {
  const line = block("TypeScript").replace(/^npm install.*$/m, "");
  await run("sh", "-c", `${line}\nnpx openapi-typescript "$BASE/openapi.yaml" -o wire.ts`);
  await writeFile(join(folder, "call.mts"), block("TypeScript", 1));
  await writeFile(join(folder, "calls.mts"), CALLS);
  const strict = ["--strict", "--noUncheckedIndexedAccess", "--skipLibCheck"];
  const settings = [
    "--noEmit",
    "--module",
    "nodenext",
    "--allowImportingTsExtensions",
    "--target",
    "es2023",
  ];
  const files = ["--lib", "es2023,dom", "--types", "node", "call.mts", "calls.mts"];
  await run("npx", "tsc", ...strict, ...settings, ...files);
  expect(await run("npx", "tsx", "call.mts")).toContain("ada.typescript@example.com");
  expect(JSON.parse(await run("npx", "tsx", "calls.mts"))).toEqual([
    "Operational",
    "pass",
    "ada.calls@example.com",
    true,
    "docs.get.README",
    "Atpoint",
    "email-taken",
    "https://h.example/prefix/api/?@=user.list",
    "https://h.example/prefix/api/",
  ]);
});

itWith(["python3"], "creates a user in Python", async () => {
  expect(await run("python3", "-c", block("Python"))).toContain("ada.python@example.com");
});

itWith(["go"], "creates a user in Go", async () => {
  await writeFile(join(folder, "main.go"), block("Go"));
  expect(await run("go", "run", "main.go")).toContain("ada.go@example.com");
});
