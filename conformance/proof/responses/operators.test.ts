// A way to break a body that does not change it is no defect: nothing could reject it.
import { expect, it } from "vitest";
import { wholeBody } from "./ways.ts";

const request = { method: "GET", target: "/", fields: [], body: "" };
const answers = (body: string) => {
  const answer = {
    ...{ status: 200, reason: "OK", fields: [["Content-Type", "application/json"]] as const },
    body: Buffer.from(body),
  };
  return wholeBody
    .filter(({ change }) => change(answer, request) !== answer)
    .map(({ name }) => name);
};

it("breaks a body in every way that changes it", () => {
  const all = wholeBody.map(({ name }) => name);
  expect(answers('{"name":"Ada"}')).toEqual(all);
  expect(answers('{"users":1}')).toEqual(all.filter((name) => name !== "answers in Latin-1"));
  expect(answers("")).toEqual([]);
});
