import { expect, it } from "vitest";
import { ExpectedError } from "../expected-error.ts";
import { Problem } from "../problem.ts";
import { errorFacts } from "./error-facts.ts";

const canary = "Canaria Nomen";

it("tells the code, the schema and the frames of a driver's error, but none of its words", () => {
  const place = {
    schema: "public",
    table: "users",
    constraint: "users_name_check",
    routine: "ExecConstraints",
  };
  const texts = {
    detail: canary,
    severity: canary,
    hint: canary,
    where: canary,
    internalQuery: canary,
  };
  const error = new Error(`insert into users values ('${canary}') - ${canary}`);
  const facts = errorFacts(Object.assign(error, { code: "23514", ...texts, ...place }));
  expect(facts).toMatchObject({ name: "Error", code: "23514", ...place });
  expect(facts.stack?.[0]).toContain("error-facts.test.ts");
  expect(JSON.stringify(facts)).not.toContain(canary);
});

it("tells what a system call was about", () => {
  for (const facts of [
    { code: "ENOENT", errno: -2, syscall: "open", path: "/a - b" },
    { code: "ECONNREFUSED", syscall: "connect", address: "127.0.0.1", port: 1 },
  ])
    expect(errorFacts(Object.assign(new Error(canary), facts))).toMatchObject(facts);
});

const fields =
  "code name syscall path address hostname input table column constraint schema routine " +
  "errno port detail";
it.each([...fields.split(" "), "stack"])("takes no %s that has not its form", (field) => {
  expect(
    JSON.stringify(errorFacts(Object.assign(new Error("any"), { [field]: canary }))),
  ).not.toContain(canary);
});

it("cuts a message out of the stack, even one whose lines look like frames", () => {
  const error = new Error(`first\n    at ${canary} (/a.ts:1:1)\n    at b (/b.ts:2:2)`);
  error.message = `select 1 - ${error.message}`;
  const { stack = [] } = errorFacts(error);
  expect(stack.length).toBeGreaterThan(0);
  expect(stack.filter((frame) => frame.includes(canary) || frame.includes("/b.ts"))).toEqual([]);
});

it("tells our own messages, and the causes alike, not deeper than five", () => {
  const errors = [new Error(canary), new RangeError(canary)];
  const cause = new AggregateError(errors, canary, { cause: new ExpectedError("ours") });
  const facts = errorFacts(new Problem("internal-error", { detail: "safe", cause }));
  expect(facts).toMatchObject({ name: "Problem", code: "internal-error", message: "safe" });
  expect(facts.cause).toMatchObject({
    name: "AggregateError",
    errors: [{ name: "Error" }, { name: "RangeError" }],
  });
  expect(facts.cause?.cause).toMatchObject({ name: "ExpectedError", message: "ours" });
  expect(JSON.stringify(facts)).not.toContain(canary);

  const endless = new Error("any");
  endless.cause = endless;
  expect(JSON.stringify(errorFacts(endless)).match(/"cause"/g)).toHaveLength(4);
});

it("tells only the type of what is no error", () => {
  expect(errorFacts(canary)).toEqual({ name: "string" });
  expect(errorFacts({ message: canary, code: "X" })).toEqual({ name: "object" });
  expect(errorFacts(null)).toEqual({ name: "object" });
});
