// This service's spec: what is generated from it, and what it may not change.
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Validator } from "@seriousme/openapi-schema-validator";
import { beforeAll, describe, expect, it } from "vitest";
import contract from "../generated/contract.json" with { type: "json" };
import { faultText } from "../src/server/request/input-errors.ts";
import { generate } from "./protocol/emitter/emit.ts";

const { steps: order, requirements } = contract;

const root = resolve(import.meta.dirname, "..");
let files: ReadonlyMap<string, string>;
beforeAll(async () => {
  files = await generate(join(root, "spec/main.tsp"));
});

describe("what is generated", () => {
  it("is what is committed, byte for byte", () => {
    for (const [path, text] of files)
      expect(text, path).toBe(readFileSync(join(root, "generated", path), "utf8"));
    const there = readdirSync(join(root, "generated"), { recursive: true, withFileTypes: true });
    // What a run of the suite sends follows from the contract too, in minutes: CI compares it.
    const others = there.filter((file) => file.isFile() && file.name !== "covering.json");
    expect(others).toHaveLength(files.size);
  });

  it("is valid OpenAPI 3.1", async () => {
    for (const path of [...files.keys()].filter((path) => path.startsWith("openapi"))) {
      const { valid, errors } = await new Validator().validate(files.get(path) ?? "");
      expect({ path, valid, errors }).toEqual({ path, valid: true, errors: undefined });
    }
  });

  it("names in the reference what each operation needs, once", () => {
    const sections = (files.get("docs/reference.md") ?? "").split("\n## ").slice(1, -1);
    expect(sections).not.toEqual([]);
    for (const section of sections)
      expect(section.match(/Needs (no credentials|an API key)/g), section).toHaveLength(1);
  });

  it("shows faults in the words of the service", () => {
    const document = files.get("openapi.operations.json") ?? "";
    const shown = [...document.matchAll(/"(?:pointer|parameter)": "[^"]*",\s*"detail": "(.*)"/g)];
    const texts = [
      faultText({ keyword: "format", params: { format: "email" } }),
      faultText({ keyword: "additionalProperties", params: {} }, [], "parameters"),
      faultText({ keyword: "minimum", params: { limit: 1 } }),
      faultText({ keyword: "required", params: {} }),
    ];
    expect(new Set(shown.map(([, detail]) => detail))).toEqual(new Set(texts));
  });
});

it("keeps every requirement that was released, of the same level and origin", () => {
  const stated = new Map<string, string>(
    requirements.map(({ id, level, origin }) => [id, `${id} ${level} ${origin}`]),
  );
  const released = readFileSync(join(root, "spec/released.txt"), "utf8").trim().split("\n");
  expect(released.filter((line) => stated.get(line.split(" ", 1)[0] ?? "") !== line)).toEqual([]);
});

it("has the order in which the dispatcher checks a request", () => {
  const source = readFileSync(join(root, "src/server/dispatch.ts"), "utf8");
  const steps = [...source.matchAll(/^ +at\.step = "(\w+)";/gm)].map(([, step]) => step);
  const all = order.map(({ step }) => step);
  expect(steps).toEqual(all.slice(all.indexOf("readQuery")));
});
