import { expect, it } from "vitest";
import type { Outcome } from "../report/report.ts";
import { command, file } from "../test/command.test-kit.ts";

const FORM = "urn:atpoint-conformance:report:3";
const report = (outcomes: Readonly<Record<string, Outcome>>, $schema = FORM) =>
  file("r.json", { $schema, results: Object.entries(outcomes).map(([check, outcome]) => ({ check, outcome })) });

it("says what became red, green, incomplete, new and gone, and is red when something became red", async () => {
  const older = {
    same: "passed",
    broke: "passed",
    mended: "failed",
    left: "passed",
    stopped: "passed",
    late: "not selected",
  } as const;
  const newer = {
    same: "passed",
    broke: "failed",
    mended: "passed",
    left: "not selected",
    stopped: "incomplete",
    late: "failed",
    more: "passed",
  } as const;
  const said =
    "1 became red\n  broke\n1 became green\n  mended\n2 new\n  late: failed\n  more: passed\n1 became incomplete\n  stopped\n1 gone\n  left\n";
  expect(await command(["--diff", report(older, FORM.replace("2", "1")), report(newer)])).toMatchObject({
    code: 1,
    stdout: said,
  });
  expect(await command(["--diff", report(newer), report(newer)])).toMatchObject({ code: 0 });
  expect(await command(["--diff", report({ a: "failed" }), report({ a: "incomplete" })])).toMatchObject({ code: 5 });
});

it.each<[what: string, files: () => string[], said: string]>([
  ["one file", () => [report({})], "two files"],
  ["three", () => [report({}), report({}), report({})], "two files"],
  ["no report", () => [report({}), file("r.json", { results: [] })], "not a report of this suite"],
  ["no file", () => [report({}), "/nowhere"], "ENOENT"],
])("is used wrongly with %s", async (_what, files, said) => {
  expect(await command(["--diff", ...files()])).toMatchObject({ code: 2, stderr: expect.stringContaining(said) });
});
