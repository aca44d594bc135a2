// The statements of src/docs/extending.md about a new operation: with a guarded query with a templated name, and a command that changes
// records, every check of the suite holds from the spec alone, and only users created by the run are changed.
import { appendFile, cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundledCommand, launchProgram } from "../conformance/test/process.test-kit.ts";
import { type RunningService, startService } from "../conformance/test/service.test-kit.ts";
import { startTiny } from "../conformance/test/tiny-deployment.test-kit.ts";
import { generate } from "../spec/protocol/emitter/emit.ts";
import { write } from "../spec/protocol/emitter/write.test-kit.ts";

const root = resolve(import.meta.dirname, "..");
let folder: string;
let generated: ReadonlyMap<string, string>;

/** The decorators of an operation, whose response is one user by default. */
const guarded = (id: string, scope: string, parameters: string, body?: string) => `
@tag("users") @summary("It is ${id}") @doc("${id}.") @useAuth(KeyAndPlatform) @scope("users:${scope}")
@opExample(#{ parameters: ${parameters}, returnType: #{ _: 200, requestIdHeader: "a", operationHeader: "${id}",
  body: ${body ?? '#{ id: grace, name: "Grace", email: "grace@example.com", createdAt: "2026-01-31T12:00:00.000Z" }'} } })`;
const spec = `import "${root}/spec/main.tsp";
using Http;
using OpenAPI;
namespace Atpoint;
const grace = "019c1395-e200-7000-8000-0123456789ab";
/** No user has this id. */
@error model UserNotFound is Problem<404, "user-not-found", "No such user", "No user has this id; user.list lists them.">;
@@refuses(Step.handle, "user-not-found");
model Reference {
  /** The user's id. */
  @exampleFrom(#{ operation: "user.create", pointer: "/id" }, #{ operation: "user.list", pointer: "/items/0/id" }) @path id: Uuid;
}
model Renaming { ...Record<never>; @exampleFrom(#{ operation: "user.create", pointer: "/id" }) id: Uuid; name: PersonName }
${guarded("user.get", "read", "#{ id: grace }")}
op userGet is Query<"user.get.{id}", Reference, Ok<User> | UserNotFound | CredentialProblem>;
${guarded("user.rename", "write", '#{ body: #{ `@`: "user.rename", data: #{ id: grace, name: "Grace" } } }')}
op userRename is Command<"user.rename", Renaming, Ok<User> | UserNotFound | CredentialProblem>;
${guarded("user.again", "read", "#{ limit: 1 }", "#{ items: #[] }")}
op userAgain is Query<"user.again", PageParameters, OkPage<UserList> | InvalidCursor | CredentialProblem>;`;

/** The targets of the command are logged in the copy: the service itself is a bundle in another place. */
const handlersOf = (copy: string) => `
import { appendFileSync } from "node:fs";
import { Problem } from "../server/problem.ts";
import { pageOf } from "../server/resources/pages.ts";
const found = (user) => {
  if (!user) throw new Problem("user-not-found");
  return user;
};
Object.assign(handlers, {
  "user.get": async ({ id }, { services }) => found(await services.users.find(id)),
  "user.rename": async (input, { services }) => {
    appendFileSync(${JSON.stringify(join(copy, "aimed.txt"))}, (input?.id ?? "nobody") + "\\n");
    return found(await services.users.rename(input?.id ?? "", String(input?.name)));
  },
  "user.again": (input, { services, deadline }) => pageOf("user.again", input, services.users.page, deadline),
});`;
const store = `
    async rename(id: string, name: string) {
      await write((database) => database("users").where({ id }).update({ name }));
      return this.find(id);
    },
`;

/** Run in a copy: names the mutants of the new operations that none of their checks generated from the spec catches. */
const trySome = `
import { seededService } from "./conformance/mutants/laboratory.ts";
import { mutantsOf } from "./conformance/mutants/of-operation.ts";
import { recordable } from "./conformance/mutants/recording.ts";
const ofTheSpec = /user\\.(get|rename)|^paging|#(operations|nothing-behind|requests|bounds|combinations)$|^(credentials|dispatch|input|http|answers|errors)\\/[a-z-]+$/;
const service = await seededService();
const checks = recordable.filter(({ id }) => ofTheSpec.test(id));
const found = await mutantsOf(["user.get", "user.rename"], checks, service).finally(() => service.stop());
console.log(JSON.stringify(found));
`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "atpoint-operation-"));
  await writeFile(join(folder, "main.tsp"), spec);
  generated = await generate(join(folder, "main.tsp"));
});
afterAll(() => rm(folder, { recursive: true }));

/** The repository with both operations in it. */
async function copyOf(name: string): Promise<string> {
  const copy = join(folder, name);
  for (const part of ["src", "conformance", "scripts/deploy", "package.json", "README.md", "CHANGELOG.md"])
    await cp(join(root, part), join(copy, part), { recursive: true });
  await symlink(join(root, "node_modules"), join(copy, "node_modules"));
  await write(generated, join(copy, "generated"));
  await appendFile(join(copy, "src/operations/handlers.ts"), handlersOf(copy));
  await edit(join(copy, "src/stores/users.ts"), /\n {4}async idsMatching/, `${store}\n    async idsMatching`);
  return copy;
}

async function edit(file: string, what: RegExp, by: string): Promise<void> {
  const text = await readFile(file, "utf8");
  expect(text).toMatch(what);
  await writeFile(file, text.replace(what, by));
}

const suite = (copy: string, words: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  launchProgram(process.execPath, ["--max-semi-space-size=32", bundledCommand(copy), ...words], { cwd: copy, env })
    .ended;

/** The service of a copy, with a user of another client, for as long as `use` takes. */
async function served(copy: string, use: (service: RunningService) => Promise<void>): Promise<void> {
  const service = await startService(undefined, {}, copy);
  try {
    const data = { name: "Ada", email: "ada@example.com" };
    const body = JSON.stringify({ "@": "user.create", data });
    const foreign = await call(service, "", { method: "POST", body });
    await use(service);
    const { items } = await call(service, "?@=user.list&limit=200");
    expect(items.find(({ id }) => id === foreign.id)).toMatchObject({ name: "Ada" });
  } finally {
    await service.stop();
  }
}

/** The result of a copy's suite, and the ids that the command was aimed at since the service started; `others` are of no run. */
async function runSuite(service: RunningService, home: string, copy: string, words: readonly string[]) {
  const { url, credentialsFile } = service;
  const ended = await suite(copy, ["--url", url, "--credentials", credentialsFile, ...words]);
  const { items } = await call(service, "?@=user.list&limit=200");
  const lines = await readFile(join(home, "aimed.txt"), "utf8").catch(() => "");
  const aimed = lines.split("\n").slice(0, -1);
  const own = items.flatMap(({ id, email }) => (email.startsWith("conformance+") ? [id] : []));
  return { ...ended, aimed, others: aimed.filter((id) => !own.some((each) => each === id)), made: own.length };
}

interface Answered {
  readonly id: string;
  readonly items: readonly { readonly id: string; readonly email: string }[];
}
async function call({ url, credentials }: RunningService, query: string, init?: RequestInit): Promise<Answered> {
  const { key, platform } = credentials.full;
  const headers = { "X-API-KEY": key, "X-PLATFORM": platform, "Content-Type": "application/json" };
  return JSON.parse(await (await fetch(`${url}/api/${query}`, { headers, ...init })).text());
}

describe("new queries and a new command", () => {
  it("are checked without a new line, asked for what checks need, and aimed at users of the run only", async () => {
    const copy = await copyOf("right");
    const misled = await copyOf("misled");
    const wrong = /("id": "user\.rename"[\s\S]*?)"operation": "user\.create",\s*"pointer": "\/id"/;
    await edit(join(misled, "generated/contract.json"), wrong, '$1"operation": "user.list", "pointer": "/items/0/id"');
    await served(copy, async (service) => {
      const few = await runSuite(service, copy, copy, ["--only", "sysinfo/*"]);
      expect([few.code, few.made]).toEqual([0, 0]);
      // A contract that refers to existing records.
      const { stdout, aimed } = await runSuite(service, copy, misled, ["--only", "*user.rename*"]);
      expect(aimed).toEqual([]);
      expect(stdout).toContain("no id for user.rename: user.list does not create it");
      const all = await runSuite(service, copy, copy, ["--verbose"]);
      expect(all.stdout).not.toMatch(/^FAIL/m);
      for (const id of ["answers/schema", "input/wrong-type", "paging/cursor-of-operation#age"])
        expect(all.stderr).toContain(`ok   ${id} `);
      expect(all.code).toBe(0);
      expect(all.aimed.length).toBeGreaterThan(0);
      expect(all.others).toEqual([]);
      // Comparing two deployments here uses this one twice.
      const twice = ["--url", service.url, "--credentials", service.credentialsFile];
      const pair = await runSuite(service, copy, copy, [...twice, "--verbose", "--only", "deployments/*"]);
      expect(pair.stderr).toContain("ok   deployments/same#user.get-call ");
      expect([pair.code, pair.others]).toEqual([0, []]);
    });
  });

  it("are found out when one takes the cursors of another", async () => {
    const copy = await copyOf("mixed");
    await edit(join(copy, "src/operations/handlers.ts"), /pageOf\("user.again"/, 'pageOf("user.list"');
    await served(copy, async (service) => {
      const only = ["--only", "paging/*", "--only", "user.create/listed*"];
      const { code, stdout } = await runSuite(service, copy, copy, only);
      expect(stdout).toMatch(/^ +check +paging\/cursor-of-operation#age /m);
      expect(code).toBe(1);
    });
  });

  it("have mutants, which the checks that they get from the spec catch", async () => {
    const copy = await copyOf("broken");
    await writeFile(join(copy, "try.ts"), trySome);
    const { stdout, stderr } = await launchProgram(process.execPath, ["--import", "tsx", "try.ts"], { cwd: copy })
      .ended;
    expect(stderr).toBe("");
    const { tried, left } = JSON.parse(stdout);
    expect(tried).toBeGreaterThan(100);
    expect(left).toEqual([]);
  });

  it("are not asked of what somebody else made from the given document", async () => {
    const key = "a-key-of-somebody-else-0123456789";
    const words = ["--url", await startTiny(key), "--origin", "given"];
    const { code, stdout } = await suite(join(folder, "right"), words, { API_KEY: key });
    expect([code, stdout]).toEqual([0, expect.not.stringContaining("FAIL")]);
  });

  it("are aimed at nobody else where the deployment takes anything", async () => {
    const copy = await copyOf("lax");
    const takes = `Object.assign(validators["user.rename"], { body: Object.assign(() => true, { errors: null }) });`;
    await appendFile(join(copy, "generated/validators.ts"), `\n${takes}`);
    await served(copy, async (service) => {
      const { others } = await runSuite(service, copy, join(folder, "right"), ["--only", "*user.rename*"]);
      expect(new Set(others)).toEqual(new Set(["nobody"]));
    });
  });
});
