// Predictions for any contract: what the cases of this service's own do not show.
import { expect, it } from "vitest";
import { exchanged, get, worldOf } from "../laws/exchange.test-kit.ts";
import { learn } from "../model/learn.ts";
import { packaged } from "../packaged.ts";
import type { Operation } from "./contract.ts";
import type { Request } from "./model-state.ts";
import { createOracle } from "./predict.ts";
import { readContract } from "./read-contract.ts";

/** Another service: a query that declares `If-None-Match`, and one that does not. */
const { sysinfo } = packaged.oracle.contract.operations;
const query = (id: string, headers: Operation["headers"]): Operation =>
  // The contract has it.
  ({ ...sysinfo, id, name: id, headers, decides: {} }) as Operation;
const conditional = { name: "If-None-Match", required: false, schema: { type: "string" } } as const;
const library = readContract({
  ...packaged.oracle.contract,
  operations: {
    "cover.get": query("cover.get", [conditional]),
    "cover.list": query("cover.list", []),
  },
});

const [COVER, LIST, FILE] = ["/api/?@=cover.get", "/api/?@=cover.list", "/robots.txt"];
const TAGGED = { fields: [["ETag", '"t"']] } as const;

it.each<[target: string, copies: string, seen: object | null, statuses: readonly number[]]>([
  [COVER, "*", null, [304]],
  [COVER, "*", TAGGED, [304]],
  [COVER, '"t"', TAGGED, [304]],
  [COVER, '"u"', TAGGED, [200]],
  [COVER, '"t"', null, [200]],
  // A list has no tag: there is no copy that could be current.
  [LIST, "*", null, [200]],
  [LIST, '"t"', TAGGED, [200]],
  [FILE, "*", TAGGED, [304]],
  // A file may have no tag: one that has is looked at by the laws about it.
  [FILE, "*", null, [200, 304]],
  [FILE, "*", {}, [200, 304]],
  [FILE, '"t"', TAGGED, [304]],
])("%s with If-None-Match: %s, where %j was seen, is %j", (target, copies, seen, statuses) => {
  const oracle = createOracle(library);
  const model = worldOf(oracle);
  model.files.add(FILE);
  if (seen) learn(model, exchanged(model, get(target), seen));
  for (const method of ["GET", "HEAD"]) {
    const plain = get(target, method);
    const request: Request = { ...plain, fields: [...plain.fields, ["If-None-Match", copies]] };
    const { status, orStatus } = oracle.predict(request, model);
    expect([method, status, ...(orStatus === undefined ? [] : [orStatus])]).toEqual([
      method,
      ...statuses,
    ]);
  }
});
