import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { contract } from "../../generated/contract.ts";

const { problems } = contract;

it("publishes no code that nothing here throws", () => {
  const root = resolve(import.meta.dirname, "..");
  const files = readdirSync(root, { recursive: true, encoding: "utf8" });
  const sources = files.filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"));
  const text = sources.map((file) => readFileSync(join(root, file), "utf8")).join("\n");
  expect(Object.keys(problems).filter((code) => !text.includes(`"${code}"`))).toEqual([]);
});
