// Requests that overlap: what had its response before another began comes before it.
import { expect, it } from "vitest";
import { compare } from "../laws/compare.ts";
import { exchangeOf, get, type Sent, worldOf } from "../laws/exchange.test-kit.ts";
import { packaged } from "../packaged.ts";
import { explained, stateOf } from "./linearize.ts";

const { contract } = packaged.oracle;
const JSON_TYPE = ["Content-Type", "application/json; charset=utf-8"] as const;
const BY = ["X-Operation", "user.create"] as const;

const data = { name: "Ada", email: "ada@example.com" };
const create = {
  ...get("/api/", "POST"),
  fields: [...Object.entries({ Host: "h", "X-API-KEY": "k", "X-PLATFORM": "web" }), JSON_TYPE],
  body: JSON.stringify({ "@": "user.create", data }),
};
const user = {
  id: "01900000-0000-7000-8000-000000000001",
  ...data,
  createdAt: "2026-01-31T12:00:00Z",
};
const made: Sent = { status: 201, fields: [JSON_TYPE, BY], json: user };
const taken: Sent = { status: 409, fields: [BY], json: { code: "email-taken" } };
/** Without a response it may have been carried out. */
const lost = null;

type Raced = readonly [sent: Sent | null, began: number, ended: number];

/** What is found about the same command, sent several times: `index of the request: expected`. */
function findingsOf(...all: readonly Raced[]): readonly string[] {
  const model = worldOf(packaged.oracle);
  const raced = all.map(([sent, began, ended], index) => {
    const prediction = packaged.oracle.predict(create, model);
    const exchange = { ...exchangeOf(create, sent), prediction, began, ended };
    return { index, exchange };
  });
  const results = explained(stateOf(model), raced, ({ exchange }, prediction) =>
    [(exchange.response && compare({ ...exchange, prediction }, contract)) ?? []].flat(),
  );
  return results.flatMap(({ raced: { index }, findings }) =>
    findings.map(({ expected }) => `${index}: ${expected}`),
  );
}

it.each<[what: string, expected: readonly string[], ...Raced[]]>([
  ["a conflict beside the command that made it", [], [taken, 0, 10], [made, 5, 15]],
  ["a conflict behind it", [], [made, 0, 10], [taken, 11, 15]],
  ["a conflict before it", ["0: 201"], [taken, 0, 10], [made, 11, 15]],
  ["a success behind a success", ["1: 409 email-taken"], [made, 0, 10], [made, 11, 15]],
  [
    "what ended first, in whatever order they were sent",
    ["1: 201"],
    [made, 11, 15],
    [taken, 0, 10],
  ],
  ["a success behind a request without a response", [], [lost, 0, 10], [made, 11, 15]],
])("of %s finds %j", (_, expected, ...all) => {
  expect(findingsOf(...all)).toEqual(expected);
});
