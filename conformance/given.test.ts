// A deployment that somebody else wrote from the same document is judged by what that document says, and by nothing more.
import { describe, expect, it } from "vitest";
import { command } from "./test/command.test-kit.ts";
import { type Statement, startTiny, statements } from "./test/tiny-deployment.test-kit.ts";

const KEY = "a-key-of-somebody-else-0123456789";

async function judge(breaks: Statement | null) {
  const tiny = await startTiny(KEY, breaks);
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

  it.each(statements)("does not pass when this is broken: %s", async (statement) => {
    const { code, stdout } = await judge(statement);
    expect([1, 3], stdout).toContain(code);
  });
});
