import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import data from "../../generated/contract.json" with { type: "json" };
import { checks } from "../suite.ts";

const { requirements } = data;

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

  it("runs nothing by a name that anybody could take in the registry", () => {
    for (const guide of ["../README.md", "../../README.md", "../../scripts/deploy/README.md"]) {
      const commands = readFileSync(path.join(import.meta.dirname, guide), "utf8").match(/\bnpx [^`\n]*atpoint/g) ?? [];
      expect(commands.filter((command) => !command.startsWith("npx --no-install "))).toEqual([]);
    }
    expect(new Set(readme.match(/atpoint-conformance-\S+tgz/g))).toEqual(new Set(["atpoint-conformance-*.tgz"]));
  });

  it("has at most 900 words outside its blocks of code", () => {
    const prose = readme.replace(/^```.*?^```$/gms, "");
    expect(prose.match(/\S*\w\S*/g)?.length).toBeLessThanOrEqual(900);
  });

  it("says rightly which levels there are", () => {
    expect(readme).toContain("Every requirement is a MUST but one: `http/body-crumbs` is a SHOULD");
    const others = requirements.flatMap(({ id, level }) => (level === "MUST" ? [] : [`${id} ${level}`]));
    expect(others).toEqual(["http/body-crumbs SHOULD"]);
  });
});
