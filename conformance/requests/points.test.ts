// Every decision of the oracle, and the order of its checks, made wrongly in every way, is shown by a case.

import { expect, it } from "vitest";
import { visible } from "../oracle/predict.ts";
import { packaged } from "../packaged.ts";
import { EQUIVALENT, OPEN } from "../proof/equivalent.ts";
import { cases } from "./generate.ts";
import { mutationsOf, nameOf, predictedBy, trialsOf } from "./points.ts";
import { sampleOf } from "./sample.ts";

it("every point of the oracle, decided wrongly for all requests, has another right response to a case", () => {
  const { source, world } = sampleOf(packaged.oracle.contract, packaged.paths);
  const tables = packaged.tables;
  const requests = [...cases(tables, source, packaged.oracle, world)].map(({ request }) => request);
  const survivors: string[] = [];
  for (const [mutation, some] of mutationsOf(packaged.oracle, trialsOf(packaged.oracle, world, requests), ["all"])) {
    const name = nameOf(mutation);
    // No request shows these: to look for one takes most of the time.
    if ([...EQUIVALENT, ...OPEN].some(([mutants]) => mutants.test(name))) continue;
    const predict = predictedBy(packaged.oracle, mutation);
    const isShown = ({ request, right }: (typeof some)[number]) =>
      visible(predict(request, world), request.method === "HEAD") !== right;
    if (!some.some(isShown)) survivors.push(name);
  }
  expect(survivors).toEqual([]);
});
