import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { createProgress, type Detail, toConsole, wrapped, wrappedCommand } from "./console.ts";
import { exchange, finding, reportOf, sample } from "./sample.test-kit.ts";

const onConsole = (report: typeof sample, detail: Detail = "normal", width?: number) =>
  toConsole(report, { color: false, detail, whole: null, width });

describe("the console report", () => {
  it("ends with the verdict, a table of its numbers, and what it takes to check the rest", () => {
    const names = [
      "failed",
      "incomplete",
      "passed",
      "skipped",
      "cases",
      "requests",
      "seed",
      "time",
    ];
    const rows = names.map((name) => `  ${name} +\\d.*\n`).join("");
    const rest = "\npartial; to check the rest: --allow-hostile, keys .*\n$";
    expect(onConsole(sample)).toMatch(new RegExp(`\n\nnot conformant\n${rows}${rest}`));
  });

  it("shows where two JSON values differ, eight places at most, and each shortened", () => {
    const shown = (overrides: Parameters<typeof finding>[1]) =>
      onConsole(reportOf([finding("a", overrides)]));
    const [expected, actual] = [
      '[{"id":"{uuid}","a":1}] (Two users.)',
      '"[{\\"id\\":\\"7\\",\\"b\\":[]}]"',
    ];
    expect(shown({ expected, actual })).toContain(
      "  differs   /0/a  expected 1, got nothing\n            /0/b  expected nothing, got []\n",
    );
    const long = JSON.stringify(
      Object.fromEntries(Array.from({ length: 12 }, (_, at) => [at, "x".repeat(1000)])),
    );
    const text = shown({ expected: long, actual: "{}" });
    expect([text.includes("            and 4 more\n"), text.length < 6000]).toEqual([true, true]);
    const history = { exchanges: Array.from({ length: 60 }, () => exchange()), at: 59 };
    expect(shown(history)).toContain(
      "\n  again     too long to be shown here; the JSON report has it\n",
    );
    const texts = { expected: `${"x".repeat(2000)}a`, actual: `${"x".repeat(2000)}b` };
    expect(shown(texts)).toMatch(/got {7}…x+b\n {2}expected {2}…x+a\n/);
  });

  it.each([40, 80, 120])("is no wider than %i columns, except by a word of a command", (width) => {
    const lines = onConsole(sample, "normal", width).split("\n");
    const long = lines.filter((line) => line.length > width);
    expect(long.filter((line) => /\S+ \S/.test(line.trim().replace(/ \\$|^--\S+ /g, "")))).toEqual(
      [],
    );
    expect(onConsole(sample, "normal", 100_000)).toBe(onConsole(sample));
  });

  it("breaks a command to copy between its words alone, also where a body has lines", () => {
    const body = '{"a": "one two",\n"b": "three four five six seven"}';
    const report = reportOf([finding("a", { exchanges: [exchange({ method: "POST", body })] })]);
    const whole = onConsole(report, "normal", 40).replaceAll(" \\\n            ", " ");
    expect(whole).toContain(`  again     ${report.findings[0]?.again}\n`);
  });

  it("breaks at blanks and between members of JSON, and a command so that it still runs", () => {
    expect(wrapped("  got   one two three", 16, 8)).toBe("  got   one two\n        three");
    expect(wrapped('got {"a":1,"b":2}', 12, 4)).toBe('got {"a":1,\n    "b":2}');
    expect(wrapped("x".repeat(10), 4, 1)).toBe("xxxx\n xxx\n xxx");
    const command = `printf '%s|' 'one  two' "three \\" four" --five six'\n seven'"$NAME" | cat`;
    const broken = wrappedCommand(command, 20, 2);
    expect(broken.split("\n").length).toBeGreaterThan(4);
    const run = (text: string) =>
      execFileSync("sh", ["-c", text], { env: { NAME: "a  b" } }).toString();
    expect(run(broken)).toBe(run(command));
  });
});

it("progress is one line that is written over, not too often, and taken away once", () => {
  const lines: string[] = [];
  let now = 0;
  const progress = createProgress(
    (text) => lines.push(text),
    () => now,
  );
  expect(progress.limited(1000)).toBeNull();
  // The first case, that of the second second, the next within a moment, and the last of a minute.
  for (const [done, at] of [5000, 6000, 6001, 65_000].entries()) {
    now = at;
    progress.ended({ done: done + 1, total: 20, failed: 1, share: (done + 1) / 20 });
  }
  progress.clear();
  progress.clear();
  const shown = ["2 of 20, 1 failed, about 9 s left", "4 of 20, 1 failed, about 4 min left"];
  expect(lines).toEqual([...shown.map((text) => `\r\x1b[K${text}`), "\r\x1b[K"]);
  const advice =
    "so this run takes about 9 min more; a service of your own is fast with RATE_LIMITS=off";
  expect(progress.limited(60_000)).toBe(`the target limits requests, ${advice}`);
  expect(progress.limited(60_000)).toBeNull();
});
