import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { requirements } from "../../generated/requirements.ts";
import { checks } from "../checks/index.ts";

const readme = readFileSync(path.join(import.meta.dirname, "../README.md"), "utf8");

describe("the README", () => {
  it("names checks and requirements that there are", () => {
    const known = new Set<string>([...requirements, ...checks].map(({ id }) => id));
    const areas = new Set([...known].map((id) => id.split("/", 1)[0]));
    const named = [...readme.matchAll(/(?<![\w./-])([\w.]+)\/[\w-]+(?:#[\w.-]+)?/g)].flatMap(([id, area]) =>
      areas.has(area) ? [id] : [],
    );
    expect(new Set(named).size).toBeGreaterThan(1);
    expect(named.filter((id) => !known.has(id))).toEqual([]);
  });

  it("says rightly which levels there are", () => {
    expect(readme).toContain("Every requirement is a MUST today");
    expect(new Set(requirements.map(({ level }) => level))).toEqual(new Set(["MUST"]));
  });
});
