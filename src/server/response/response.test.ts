import { expect, it } from "vitest";
import { contract } from "../../../generated/contract.ts";
import { responseCheck } from "./response.ts";

const validator = contract.validators["user.list"];
const wrong = { status: 200, mediaType: "application/json", body: {} };

it("checks every response in tests, else one in a hundred of each status", () => {
  let reports = 0;
  const check = responseCheck("log", () => void reports++);
  for (const status of [503, ...new Array<number>(201).fill(200)])
    check("user.list", validator, { ...wrong, status }, "id");
  expect(reports).toBe(4);
  const strict = responseCheck("throw", () => expect.unreachable());
  for (const _ of [1, 2])
    expect(() => strict("user.list", validator, wrong, "id")).toThrow("user.list");
});
