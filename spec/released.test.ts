import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import contract from "../generated/contract.json" with { type: "json" };

it("keeps every released requirement, unless withdrawn, with its level and origin", () => {
  const stated = new Map<string, string>(
    contract.requirements.map(({ id, level, origin }) => [id, `${id} ${level} ${origin}`]),
  );
  const file = new URL("released.txt", import.meta.url);
  const released = readFileSync(file, "utf8").trim().split("\n");
  const current = ([id = "", level]: readonly string[]) =>
    stated.get(id) ?? (level === "withdrawn" ? `${id} withdrawn` : "");
  expect(released.filter((line) => current(line.split(" ")) !== line)).toEqual([]);
});
