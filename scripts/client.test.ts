// What somebody does with the published contract: types by openapi-typescript, calls by openapi-fetch, and nothing rewritten.
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import openapiTS, { astToString } from "openapi-typescript";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type RunningService, startService } from "../conformance/test/service.test-kit.ts";

const root = resolve(import.meta.dirname, "..");
const node = (...args: string[]) => promisify(execFile)(process.execPath, args, { cwd: folder });

/** Calls every operation and prints what it learned. Each answer has a type of its own: a member that is not there does not compile. */
const CALLS = `
import createClient from "openapi-fetch";
import type { paths } from "./operations.mts";

const [, , baseUrl = "", key = ""] = process.argv;
const client = createClient<paths>({ baseUrl, headers: { "X-API-KEY": key, "X-PLATFORM": "web" } });
const data = { name: "Ada Lovelace", email: "ada@example.com" };

const { data: information } = await client.GET("/api/sysinfo/../", { params: { query: { "@": "sysinfo" } } });
const { data: health } = await client.GET("/api/test.health/../", { params: { query: { "@": "test.health" } } });
const { data: user } = await client.POST("/api/user.create/../", { body: { "@": "user.create", data } });
const { data: users } = await client.GET("/api/user.list/../", { params: { query: { "@": "user.list", limit: 1 } } });
const { data: documents } = await client.GET("/api/docs.list/../", { params: { query: { "@": "docs.list" } } });
const { data: document } = await client.GET("/api/docs.get/../", { params: { query: { "@": "docs.get.README" } } });
const { error } = await client.POST("/api/user.create/../", { body: { "@": "user.create", data } });

// Below a path prefix: the address is all that counts.
const sent: string[] = [];
const below = createClient<paths>({
  baseUrl: "https://h.example/prefix",
  fetch: async ({ url }) => {
    sent.push(url);
    return Response.json({});
  },
});
await below.GET("/api/user.list/../", { params: { query: { "@": "user.list" } } });
await below.POST("/api/user.create/../", { body: { "@": "user.create", data } });

console.log(JSON.stringify({
  status: information?.status,
  storage: health?.checks.storage,
  created: user?.email,
  listed: users?.items[0]?.id === user?.id,
  first: documents?.items[0]?.operation,
  title: typeof document === "object" ? document.title : document,
  code: error?.code,
  sent,
}));

export const refused = [
  // @ts-expect-error The name of another operation.
  () => client.GET("/api/user.list/../", { params: { query: { "@": "docs.list" } } }),
  // @ts-expect-error No name.
  () => client.GET("/api/user.list/../", { params: { query: { limit: 1 } } }),
  // @ts-expect-error No such operation.
  () => client.GET("/api/user.delete/../", { params: { query: { "@": "user.delete" } } }),
  // @ts-expect-error No e-mail address.
  () => client.POST("/api/user.create/../", { body: { "@": "user.create", data: { name: "Ada" } } }),
];
`;

/** The document of the wire is only compiled against: it has the names that there are, and no others. */
const WIRE = `
import createClient from "openapi-fetch";
import type { paths } from "./wire.mts";

const client = createClient<paths>();
const data = { name: "Ada Lovelace", email: "ada@example.com" };
export const calls = [
  () => client.GET("/api/", { params: { query: { "@": "user.list", limit: 1 } } }),
  () => client.GET("/api/", { params: { query: { "@": "docs.get.README" } } }),
  () => client.POST("/api/", { body: { "@": "user.create", data } }),
  // @ts-expect-error No operation of GET has this name.
  () => client.GET("/api/", { params: { query: { "@": "no.such" } } }),
  // @ts-expect-error No operation of POST has this name.
  () => client.POST("/api/", { body: { "@": "no.such", data } }),
];
`;

let folder: string;
let service: RunningService;

beforeAll(async () => {
  // Below the root, where the packages are found.
  folder = await mkdtemp(join(root, "node_modules/.client-"));
  const types = async (document: string) =>
    astToString(await openapiTS(pathToFileURL(join(root, "generated", document)), { silent: true }));
  await writeFile(join(folder, "operations.mts"), await types("openapi.operations.yaml"));
  await writeFile(join(folder, "wire.mts"), await types("openapi.yaml"));
  await writeFile(join(folder, "calls.mts"), CALLS);
  await writeFile(join(folder, "wire-calls.mts"), WIRE);
  service = await startService();
});
afterAll(async () => {
  await service?.stop();
  await rm(folder, { recursive: true });
});

it("compiles against the types of both documents, wrong names excepted", { timeout: 60_000 }, async () => {
  const strict = ["--strict", "--noUncheckedIndexedAccess", "--exactOptionalPropertyTypes", "--skipLibCheck"];
  const settings = ["--noEmit", "--module", "nodenext", "--target", "es2023", "--lib", "es2023,dom", "--types", "node"];
  const files = ["--allowImportingTsExtensions", "calls.mts", "wire-calls.mts"];
  const compiled = node(join(root, "node_modules/typescript/bin/tsc"), ...strict, ...settings, ...files);
  expect(await compiled.catch(({ stdout }) => ({ stdout }))).toMatchObject({ stdout: "" });
});

it("calls every operation of the document by operation on the running service", async () => {
  const { stdout } = await node("--import", "tsx", "calls.mts", service.url, service.credentials.full.key);
  expect(JSON.parse(stdout)).toEqual({
    status: "Operational",
    storage: "pass",
    created: "ada@example.com",
    listed: true,
    first: "docs.get.README",
    title: "Atpoint",
    code: "email-taken",
    sent: ["https://h.example/prefix/api/?@=user.list", "https://h.example/prefix/api/"],
  });
});
