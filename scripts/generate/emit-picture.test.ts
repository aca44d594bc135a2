import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { order } from "../../generated/order.ts";
import { main } from "../generate.ts";

const svg = readFileSync(join(main.folder, "docs/order.svg"), "utf8");

it("shows every step in the order of checks, between the request and the response", () => {
  const textsOf = (pattern: RegExp) => [...svg.matchAll(pattern)].map(([, text]) => text);
  const steps = order.map(({ step }) => step.replace(/[A-Z]/g, " $&").toLowerCase());
  expect(textsOf(/<text x="\d+" y="\d+">([^<]*)</g)).toEqual(["Request", ...steps, "Response"]);
  expect(textsOf(/<text class="small number"[^>]*>(\d+)</g)).toEqual(order.map((_, index) => `${index + 1}`));
});

it("is small, has a title and a description, and has colours for light and dark", () => {
  expect(Buffer.byteLength(svg)).toBeLessThanOrEqual(10_000);
  for (const part of ["<title id=", "<desc id=", "prefers-color-scheme: dark"]) expect(svg).toContain(part);
});

it("loads nothing and runs nothing", () => {
  expect(svg.replace('xmlns="http://www.w3.org/2000/svg"', "")).not.toMatch(/https?:|<script|<image|@import|\bon\w+=/);
});
