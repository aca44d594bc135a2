// Another implementation of the same given document is checked against that document only.
import { describe, expect, it } from "vitest";
import { deployments, merged, type Shape } from "../proof/right/given.test-kit.ts";
import { command } from "../test/command.test-kit.ts";
import { type Statement, startTiny } from "../test/tiny-deployment.test-kit.ts";
import { wholeSuite } from "../test/whole-suite.test-kit.ts";

const KEY = "a-key-of-somebody-else-0123456789";

/** The requirement that each of them breaks, or that the preflight names: after that nothing else is checked. */
const breaks: Readonly<Record<Statement, string>> = {
  "operation by the path": "dispatch/not-by-path",
  "version in the path": "sysinfo/json",
  "another path only": "sysinfo/json",
  "no docs.list": "docs.list/json",
  "sysinfo needs a key": "sysinfo/json",
  "sysinfo is no JSON": "sysinfo/json",
  "sysinfo by POST only": "sysinfo/json",
  "health needs no key": "test.health/credentials",
  "health needs no platform": "test.health/credentials",
  "list needs no key": "user.list/credentials",
  "list needs no platform": "user.list/credentials",
  "key in the query not taken": "user.list/placements",
  "key in the header not taken": "user.list/placements",
  "platform in the query not taken": "user.list/placements",
  "platform in the header not taken": "user.list/placements",
  "create takes the query": "user.create/body-only",
  "create is refused": "user.create/json",
  "create answers text": "user.create/json",
  "list is no JSON": "user.list/json",
  "no README": "docs.get/document",
  "docs.list is XML": "docs.list/json",
  "another version on the landing page": "landing/status-and-version",
  "no status label on the landing page": "landing/status-and-version",
  "no client address on the landing page": "landing/shows",
  "the list at /users": "dispatch/not-by-path",
  "a created user is never listed": "user.list/users",
  "docs.list without README": "docs.list/readme",
  "another version": "sysinfo/version",
  "another version in an envelope": "sysinfo/version",
  "any document name answers README": "docs.get/by-name",
};

const all = deployments();

async function judge(statement: Statement | null, { decisions, flags }: Shape) {
  const url = await startTiny(KEY, statement, decisions);
  return command(["--url", url, "--origin", "given", "--verbose", ...flags], {
    env: { API_KEY: KEY },
    suite: wholeSuite,
  });
}

/** The red results of a correct deployment. */
async function refusedBy(shape: Shape): Promise<string[]> {
  const { stdout } = await judge(null, shape);
  if (stdout.startsWith("conformant (given): ")) return [];
  const lines = stdout
    .split("\n")
    .filter((line) => /^(FAIL|INCOMPLETE| {2}(expected|got))|^preflight failed/.test(line));
  return [`${shape.id}: ${lines.join("; ")}`];
}

describe("an independent implementation", () => {
  it.each(all.map((shapes) => [shapes.length, shapes] as const))(
    "passes all that is given, whatever it decided otherwise: %d shapes at once",
    async (_, shapes) => {
      const refused = await refusedBy(merged(shapes));
      // If any shape failed, each runs alone to find which it was.
      for (const shape of refused.length > 0 ? shapes : []) refused.push(...(await refusedBy(shape)));
      expect(refused).toEqual([]);
    },
  );

  it.each<[Shape["decisions"], string, string]>([
    [{ landingAt: "/home" }, "landing/shows", "--landing PATH"],
    [{ landingAt: "/home", root: { type: "text/html", body: "Welcome" } }, "landing/shows", "--landing PATH"],
    [{ takes: ({ email }) => !String(email).includes("+") }, "user.create/json", "--email TEMPLATE"],
  ])("is told of the flag that may help: %s, %s, %s", async (decisions, only, flag) => {
    const words = ["--url", await startTiny(KEY, null, decisions), "--only", only];
    const given = await command([...words, "--origin", "given"], { env: { API_KEY: KEY } });
    expect(given.stdout).toContain(flag);
    // Our own contract has no such flag.
    expect((await command(words, { env: { API_KEY: KEY } })).stdout).not.toContain(flag);
  });

  it("is the same deployment twice, with users of its own and another clock", async () => {
    const shape = merged(deployments()[0] ?? []);
    const [one, other] = [await startTiny(KEY, null, shape.decisions), await startTiny(KEY, null, shape.decisions)];
    const words = ["--url", one, "--url", other, "--origin", "given", ...shape.flags];
    const only = ["--only", "user.create/json", "--only", "deployments/*"];
    const { code, stdout } = await command([...words, ...only], { env: { API_KEY: KEY }, suite: wholeSuite });
    expect(code, stdout).toBe(0);
  });

  // Names of statements, each with a requirement: `Object.entries` loses the key types. Each with another shape.
  it.each((Object.entries(breaks) as [Statement, string][]).map((one, index) => [...one, index] as const))(
    "does not pass when this is broken: %s (%s)",
    async (statement, requirement, index) => {
      const { code, stdout } = await judge(statement, merged(all[(index + 1) % all.length] ?? []));
      const failed = [...stdout.matchAll(/^FAIL ([^\s#]+)|^preflight failed: .*? \((.*?)\): /gm)].map(
        ([, id, named]) => id ?? named,
      );
      expect(failed, stdout).toContain(requirement);
      expect([1, 3]).toContain(code);
    },
  );
});
