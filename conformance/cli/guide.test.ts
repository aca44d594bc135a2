import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { contract } from "../contract.ts";

const { requirements } = contract;
const read = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), "utf8");
const readme = read("conformance/README.md");

it("names requirements that there are, without variants, and says rightly which levels there are", () => {
  const known = new Set<string>(requirements.map(({ id }) => id));
  const areas = new Set([...known].map((id) => id.split("/", 1)[0]));
  const named = [...readme.matchAll(/(?<![\w./-])([\w.]+)\/[\w-]+(?:#[\w.-]+)?/g)].flatMap(([id, area]) =>
    areas.has(area) ? [id] : [],
  );
  expect(new Set(named).size).toBeGreaterThan(1);
  expect(named.filter((id) => !known.has(id))).toEqual([]);
  expect(readme).toContain("Every requirement is a MUST but one: `http/body-crumbs` is a SHOULD");
  const others = requirements.flatMap(({ id, level }) => (level === "MUST" ? [] : [`${id} ${level}`]));
  expect(others).toEqual(["http/body-crumbs SHOULD"]);
});

it("runs nothing by a name that anybody could take in the registry", () => {
  for (const guide of ["conformance/README.md", "README.md", "scripts/deploy/README.md"])
    expect(read(guide).match(/\bnpx (?!--no-install )[^`\n]*atpoint/)).toBeNull();
  expect(new Set(readme.match(/atpoint-conformance-\S+tgz/g))).toEqual(
    new Set(["atpoint-conformance-*.tgz", "atpoint-conformance-VERSION.tgz"]),
  );
});

it("has at most 900 words outside its blocks of code", () => {
  expect(readme.replace(/^```.*?^```$/gms, "").match(/\S*\w\S*/g)?.length).toBeLessThanOrEqual(900);
});
