import { expect, it } from "vitest";
import { contract } from "../../../generated/contract.ts";
import { responseCheck } from "./response.ts";

const { validators } = contract;

const wrong = { status: 200, mediaType: "application/json", body: {} };

function reportsOf(mode: "off" | "log", statuses: readonly number[]): number {
  let reports = 0;
  const check = responseCheck(mode, () => {
    reports += 1;
  });
  for (const status of statuses)
    check("user.list", validators["user.list"], { ...wrong, status }, "id");
  return reports;
}

it("holds every response against the contract in tests, none when that is off, and else one in a hundred of each status", () => {
  const many = new Array<number>(201).fill(200);
  expect([
    reportsOf("log", many),
    reportsOf("log", [200, 503, 200, 503]),
    reportsOf("off", many),
  ]).toEqual([3, 2, 0]);
  const check = responseCheck("throw", () => expect.unreachable());
  for (const _ of [1, 2])
    expect(() => check("user.list", validators["user.list"], wrong, "id")).toThrow("user.list");
});
