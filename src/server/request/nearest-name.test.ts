import { expect, it } from "vitest";
import { contract } from "../../../generated/contract.ts";
import { nearestName } from "./nearest-name.ts";
import { nearestOperation } from "./operation-table.ts";

const LONG = "l".repeat(64);

it.each([
  ["limt", "limit"],
  ["Limit", "limit"],
  ["lmiit", "limit"],
  ["limitxx", "limit"],
  ["limitxxx", undefined],
  ["LIMIT", undefined],
  ["lïmit", "limit"],
  // It is as near to both: the first counts.
  ["ab", "ac"],
  // `@` would be as near.
  ["", "ac"],
  ["limits;", "limit"],
  [LONG, `${LONG}1`],
  [`${LONG}l`, undefined],
  ["__proto__", undefined],
  ["constructor", undefined],
])("the known name nearest to %j is %j", (name, near) => {
  expect(nearestName(name, ["@", "limit", "cursor", "ac", "ad", `${LONG}1`])).toBe(near);
});

it.each([
  ["user.lst", "user.list"],
  ["usr.lsit", undefined],
  ["docs.gt.README", "docs.get.README"],
  ["docs.gt.x", "docs.get.{name}"],
  ["docs.get.not a name", "docs.get.{name}"],
  ["docs.get", "docs.get.{name}"],
  ["docs.gt.a.b", undefined],
  ["constructor", undefined],
])("the operation nearest to %j is %j", (name, near) => {
  expect(nearestOperation(Object.values(contract.operations), name)).toBe(near);
});
