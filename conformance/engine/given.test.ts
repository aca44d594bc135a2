// A deployment that somebody else wrote from the same document is judged by what that document says, and by nothing more.
import { describe, expect, it } from "vitest";
import type { RequirementId } from "../../generated/requirements.ts";
import { command } from "../test/command.test-kit.ts";
import { type Statement, startTiny } from "../test/tiny-deployment.test-kit.ts";

const KEY = "a-key-of-somebody-else-0123456789";

/** The requirement that each of them breaks, or of the preflight: without an endpoint nothing else is judged. */
const breaks: Readonly<Record<Statement, RequirementId>> = {
  "operation by the path": "dispatch/not-by-path",
  "version in the path": "sysinfo/json",
  "another path only": "sysinfo/json",
  "no docs.list": "docs.list/json",
  "sysinfo needs a key": "sysinfo/public",
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
};

async function judge(statement: Statement | null) {
  const tiny = await startTiny(KEY, statement);
  try {
    return await command(["--url", tiny.url, "--origin", "given"], { env: { API_KEY: KEY } });
  } finally {
    await tiny.close();
  }
}

describe("an independent implementation", () => {
  it("passes all that is given, whatever it decided otherwise", async () => {
    const { code, stdout } = await judge(null);
    expect(stdout).not.toContain("FAIL");
    expect(code).toBe(0);
  });

  // Names of statements, each with a requirement: `Object.entries` forgets the names.
  it.each(Object.entries(breaks) as [Statement, RequirementId][])(
    "does not pass when this is broken: %s (%s)",
    async (statement, requirement) => {
      const { code, stdout } = await judge(statement);
      const failed = [...stdout.matchAll(/^FAIL ([^\s#]+)/gm)].map(([, id]) => id);
      expect(failed, stdout).toContain(requirement);
      expect([1, 3]).toContain(code);
    },
  );
});
