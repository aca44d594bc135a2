// What CONTRIBUTING says of a new operation, with a command that changes users: the suite judges it from the spec alone, and
// never aims it at a user that the run has not created, whatever the contract says and whatever the deployment takes.
import { appendFile, cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launchProgram } from "../conformance/test/process.test-kit.ts";
import { startService } from "../conformance/test/service.test-kit.ts";
import { generate, write } from "./generate.ts";

const root = resolve(import.meta.dirname, "..");
let folder: string;
let generated: Map<string, string>;

const spec = `import "${root}/spec/main.tsp";
using Http;
using OpenAPI;
namespace Atpoint;
model Renaming { ...Record<never>; @exampleFrom(#{ operation: "user.create", pointer: "/id" }) id: Uuid; name: PersonName }
@tag("users") @summary("Rename a user") @doc("Renames a user.")
@useAuth(KeyAndPlatform) @scope("users:write")
@opExample(#{ parameters: #{ body: #{ \`@\`: "user.rename", data: #{ id: "019c1395-e200-7000-8000-0123456789ab", name: "Grace" } } } })
op userRename is Command<"user.rename", Renaming, Ok<User> | CredentialProblem>;`;

/** Writes down whom it was aimed at. */
const handler = `
import { appendFileSync } from "node:fs";
Object.assign(handlers, {
  "user.rename": async (input, { users }) => {
    appendFileSync(new URL("../../aimed.jsonl", import.meta.url), JSON.stringify(input?.id ?? "nobody") + "\\n");
    const page = await users.page({ after: null, limit: 200 });
    const { createdAt, email, id } = page.users.find(({ id }) => id === input?.id) ?? page.users[0];
    return { id, name: String(input?.name), email, createdAt };
  },
});`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "atpoint-operation-"));
  await writeFile(join(folder, "main.tsp"), spec);
  generated = await generate(join(folder, "main.tsp"));
});
afterAll(() => rm(folder, { recursive: true }));

/** The repository with the operation in it, changed further, and judged. Returns the ids that the command was aimed at. */
async function judge(name: string, patterns: readonly string[], change: (copy: string) => Promise<void>) {
  const copy = join(folder, name);
  for (const part of ["src", "conformance", "package.json", "README.md", "CHANGELOG.md"])
    await cp(join(root, part), join(copy, part), { recursive: true });
  await symlink(join(root, "node_modules"), join(copy, "node_modules"));
  await write(generated, join(copy, "generated"));
  await appendFile(join(copy, "src/operations/handlers.ts"), handler);
  await change(copy);
  const service = await startService(undefined, {}, copy);
  try {
    const { key, platform } = service.credentials.full;
    const call = async (
      query: string,
      init?: RequestInit,
    ): Promise<{ id: string; items: { id: string; email: string }[] }> => {
      const headers = { "X-API-KEY": key, "X-PLATFORM": platform, "Content-Type": "application/json" };
      return JSON.parse(await (await fetch(`${service.url}/api/${query}`, { headers, ...init })).text());
    };
    const data = { name: "Ada", email: "ada@example.com" };
    const foreign = await call("", { method: "POST", body: JSON.stringify({ "@": "user.create", data }) });
    const words = [
      "--url",
      service.url,
      "--credentials",
      service.credentialsFile,
      ...patterns.flatMap((one) => ["--only", one]),
    ];
    const bin = ["--import", "tsx", "conformance/cli/bin.ts", ...words];
    const { code, stdout } = await launchProgram(process.execPath, bin, { cwd: copy }).ended;
    const { items } = await call("?@=user.list&limit=200");
    const lines = await readFile(join(copy, "aimed.jsonl"), "utf8").catch(() => "");
    const aimed: unknown[] = lines.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
    const own = items.flatMap(({ id, email }) => (email.startsWith("conformance+") ? [id] : []));
    expect(items.map(({ id }) => id)).toContain(foreign.id);
    return { code, stdout, aimed, others: aimed.filter((id) => !own.some((each) => each === id)) };
  } finally {
    await service.stop();
  }
}

const all = ["*user.rename*", "dispatch/*", "input/*", "answers/*", "credentials/*"];

it("is judged without a new line, and aimed at users of the run only", { timeout: 600_000 }, async () => {
  const { code, stdout, aimed, others } = await judge("right", all, async () => {});
  expect(stdout).not.toMatch(/^FAIL/m);
  expect(code).toBe(0);
  expect(aimed.length).toBeGreaterThan(0);
  expect(others).toEqual([]);
});

it("is not aimed at what was there by a wrong contract", { timeout: 600_000 }, async () => {
  const { stdout, aimed } = await judge("wrong", ["*user.rename*"], async (copy) => {
    const file = join(copy, "generated/operations.ts");
    const text = await readFile(file, "utf8");
    const listed = text.replace(
      /"operation": "user.create",\s*"pointer": "\/id"/,
      '"operation": "user.list", "pointer": "/items/0/id"',
    );
    expect(listed).not.toBe(text);
    await writeFile(file, listed);
  });
  expect(aimed).toEqual([]);
  expect(stdout).toContain("no id for user.rename: user.list does not create it");
});

it("names nobody else where the deployment takes anything", { timeout: 600_000 }, async () => {
  const { others } = await judge("lax", ["*user.rename*"], (copy) =>
    appendFile(
      join(copy, "generated/validators.ts"),
      `\nObject.assign(validators["user.rename"], { body: Object.assign(() => true, { errors: null }) });`,
    ),
  );
  expect(new Set(others)).toEqual(new Set(["nobody"]));
});
