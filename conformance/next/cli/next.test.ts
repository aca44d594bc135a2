import { expect, it } from "vitest";
import { command } from "../../test/command.test-kit.ts";
import { deploy, KEY } from "../../test/deployment.test-kit.ts";

it("prints what is wrong with a deployment, its key never, and how to send it again", async () => {
  const odd = { "X-Odd": "\u0085\u009b31m", "X-Echo": KEY.slice(0, 12) };
  const url = await deploy({ headers: odd });
  const { code, stdout } = await command(["--next", "--url", url, "--seed", "1", "--max-failures", "5"]);
  expect(code).toBe(1);
  const lines = stdout.split("\n");
  expect(lines[0]).toEqual(expect.stringMatching(/: seed 1, \d+ covering cases and 1000 drawn$/));
  expect(lines.filter((line) => line.startsWith("FAIL ")).length).toBeGreaterThan(4);
  expect(stdout).toContain("  again  curl ");
  expect(stdout).toMatch(/^stopped: the run ended after \d+ failures \(--max-failures\)$/m);
  expect(lines.at(-2)).toMatch(
    /^not conformant: \d+ requirements: .* failed.*; \d+ cases, \d+ requests \(\d+ by supertest\)$/,
  );
  for (let length = 8; length <= KEY.length; length += 1) expect(stdout).not.toContain(KEY.slice(0, length));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be there.
  expect(stdout.replaceAll("\n", "")).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202e]/);
});

it("says that a preflight failed, and wants one deployment and a key", async () => {
  const gone = await command(["--next", "--url", "http://127.0.0.1:1"]);
  expect(gone).toMatchObject({ code: 3, stdout: expect.stringContaining("nothing listens there") });
  const keyless = await command(["--next", "--url", "http://127.0.0.1:1"], { env: {} });
  expect(keyless).toMatchObject({ code: 2, stderr: expect.stringContaining("--next: one --url, and a key") });
  const two = await command(["--next", "--url", "http://127.0.0.1:1", "--url", "http://127.0.0.1:2"]);
  expect(two.code).toBe(2);
});
