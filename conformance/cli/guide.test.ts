import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { contract } from "../contract.ts";

const { requirements } = contract;
const root = path.resolve(import.meta.dirname, "../..");
const read = (name: string) => readFileSync(path.join(root, name), "utf8");
const readme = read("conformance/README.md");

describe("the README", () => {
  it("names requirements that there are, without variants", () => {
    const known = new Set<string>(requirements.map(({ id }) => id));
    const areas = new Set([...known].map((id) => id.split("/", 1)[0]));
    const named = [...readme.matchAll(/(?<![\w./-])([\w.]+)\/[\w-]+(?:#[\w.-]+)?/g)].flatMap(([id, area]) =>
      areas.has(area) ? [id] : [],
    );
    expect(new Set(named).size).toBeGreaterThan(1);
    expect(named.filter((id) => !known.has(id))).toEqual([]);
  });

  it("runs nothing by a name that anybody could take in the registry", () => {
    for (const guide of ["conformance/README.md", "README.md", "scripts/deploy/README.md"]) {
      const commands = read(guide).match(/\bnpx [^`\n]*atpoint/g) ?? [];
      expect(commands.filter((command) => !command.startsWith("npx --no-install "))).toEqual([]);
    }
    expect(new Set(readme.match(/atpoint-conformance-\S+tgz/g))).toEqual(
      new Set(["atpoint-conformance-*.tgz", "atpoint-conformance-VERSION.tgz"]),
    );
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
