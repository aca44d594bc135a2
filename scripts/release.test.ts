// What runs on another's machines at a release: the rules that `actionlint` doesn't have.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";

const root = resolve(import.meta.dirname, "..");
const read = (file: string) => readFileSync(resolve(root, file), "utf8");
const WORKFLOW = ".github/workflows/release.yml";

it.each([WORKFLOW, "conformance/action.yml"])("%s uses actions by their commits", (file) => {
  const used = read(file).match(/uses: .*/g);
  expect(used).not.toBeNull();
  for (const action of used ?? []) expect(action).toMatch(/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

it("lets a release read the repository or prove where it comes from, and nothing else", () => {
  const { permissions, jobs } = parse(read(WORKFLOW));
  expect(permissions).toEqual({});
  const granted = Object.entries<{ permissions: object }>(jobs);
  expect(granted.map(([job, { permissions }]) => [job, permissions])).toEqual([
    ["pack", { contents: "read" }],
    ["publish", { "id-token": "write" }],
  ]);
});
