// A way to break a body that does not change it is no defect: nothing could reject it.
import { expect, it } from "vitest";
import { wholeBody } from "./operators.ts";

const request = {
  ...({ method: "GET", target: "/", version: "1.1", headers: [] } as const),
  ...{ body: Buffer.alloc(0), rawBytes: Buffer.alloc(0) },
};
const answers = (body: string) => {
  const answer = {
    ...{ status: 200, reason: "OK", version: "1.1", headers: [["Content-Type", "application/json"]] as const },
    body: Buffer.from(body),
  };
  return wholeBody.filter(({ change }) => change(answer, request) !== answer).map(({ name }) => name);
};

it("breaks a body in every way that changes it", () => {
  const all = wholeBody.map(({ name }) => name);
  expect(answers('{"name":"Ada"}')).toEqual(all);
  expect(answers('{"users":1}')).toEqual(all.filter((name) => name !== "answers in Latin-1"));
  expect(answers("")).toEqual([]);
});
