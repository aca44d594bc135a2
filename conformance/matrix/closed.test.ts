// The closed matrix: requirement ↔ check ↔ broken server, in both directions, each caught for its declared reason.
import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Operation, operations } from "../../generated/operations.ts";
import { requirements } from "../../generated/requirements.ts";
import { defects, groups } from "../broken/defects.ts";
import { checks, exclusions } from "../checks/index.ts";
import { declared } from "./judge.test-kit.ts";

const requirementIds = new Set<string>(requirements.map(({ id }) => id));

/**
 * A check without the operation and member that it was made for out of the spec: `input/wrong-type#*-+`. Made by the same code
 * for each operation, one that is seen to fail proves its twins.
 */
function kindOf(check: string): string {
  const [requirement = "", variant = ""] = check.split("#");
  const all: readonly Operation[] = Object.values(operations);
  const operation = all.find(({ id }) => variant.includes(id));
  if (!operation) return check;
  const members = Object.keys(operation.input).map((member) => `-${member}`);
  const rest = members.reduce(
    (text, member) => (text.endsWith(member) ? `${text.slice(0, -member.length)}-+` : text),
    variant,
  );
  return `${requirement}#${rest.replace(operation.id, "*")}`;
}

describe("the matrix", () => {
  it("has a test file for every group of broken servers", () => {
    const files = readdirSync(import.meta.dirname).flatMap((file) => /^(\w+)\.test\.ts$/.exec(file)?.[1] ?? []);
    expect(files.sort()).toEqual(["closed", "good", "preflight", ...Object.keys(groups)].sort());
  });

  it("has a check or an exclusion with a reason for every requirement, and not both", () => {
    const checked = new Set<string>(checks.map(({ requirement }) => requirement));
    const excluded = new Set<string>(exclusions.map(({ requirement }) => requirement));
    const neither = [...requirementIds].filter((id) => !checked.has(id) && !excluded.has(id));
    const both = [...excluded].filter((id) => checked.has(id));
    expect({ neither, both }).toEqual({ neither: [], both: [] });
    for (const { requirement, reason } of exclusions) {
      expect(requirementIds).toContain(requirement);
      expect(reason.length).toBeGreaterThan(20);
    }
  });

  it("has no id twice", () => {
    for (const ids of [checks.map(({ id }) => id), defects.map(({ id }) => id)]) {
      expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    }
  });

  it("has a broken server for every check, or for its twin of another operation", () => {
    const caught = new Set(defects.flatMap(declared).map(({ id }) => kindOf(id)));
    expect(checks.map(({ id }) => id).filter((id) => !caught.has(kindOf(id)))).toEqual([]);
  });

  it("has only defects that name what they break and what catches them", () => {
    for (const defect of defects) {
      if (defect.catches.includes("*")) continue;
      expect(defect.catches, defect.id).not.toEqual([]);
      for (const id of defect.requirements) expect(requirementIds, defect.id).toContain(id);
      const known = (id: string) => checks.some((check) => check.id === id || check.requirement === id);
      expect(
        defect.catches.filter((id) => !known(id)),
        defect.id,
      ).toEqual([]);
      const broken = declared(defect).map(({ requirement }) => requirement);
      expect(
        broken.filter((id) => !defect.requirements.includes(id)),
        `${defect.id} declares every requirement that its checks are of`,
      ).toEqual([]);
    }
  });
});
