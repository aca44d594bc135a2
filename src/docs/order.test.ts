import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { contract } from "../../generated/contract.ts";

const { problems, steps: order } = contract;

const svg = readFileSync(new URL("order.svg", import.meta.url), "utf8");
const textsOf = (pattern: RegExp) => [...svg.matchAll(pattern)].map(([, text]) => text);
const steps = order.map(({ step, problems: codes }) => ({
  name: step.replace(/[A-Z]/g, " $&").toLowerCase(),
  statuses: [...new Set(codes.map((code) => problems[code].status))].sort().join(" "),
}));

it("shows every step in the order of checks with its statuses", () => {
  expect(textsOf(/<text x="\d+" y="\d+">([^<]*)</g)).toEqual([
    "Request",
    ...steps.map(({ name }) => name),
    "Response",
  ]);
  expect(textsOf(/<text class="small number"[^>]*>(\d+)</g)).toEqual(
    steps.map((_, index) => `${index + 1}`),
  );
  expect(textsOf(/<text class="small" [^>]*>([^<]*)</g).slice(1, -2)).toEqual(
    steps.map(({ statuses }) => statuses),
  );
  const list = steps
    .map(({ name, statuses }, index) => `${index + 1} ${name} (${statuses})`)
    .join(", ");
  expect(svg).toContain(`these checks in this order: ${list}. The first check that fails`);
});

it("loads nothing and runs nothing", () => {
  expect(svg.replace('xmlns="http://www.w3.org/2000/svg"', "")).not.toMatch(
    /https?:|<script|<image|@import|\bon\w+=/,
  );
});
