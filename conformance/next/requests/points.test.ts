// Every decision of the oracle, and the order of its checks, made wrongly in every way, is shown by a case.
import { expect, it } from "vitest";
import { special } from "../../client/credentials.ts";
import { ours } from "../../lists/ours.ts";
import { FILES } from "../../models/model.ts";
import { EQUIVALENT, OPEN } from "../../mutants/equivalent.ts";
import { mutationsOf, nameOf, predictedBy, trialsOf } from "../../mutants/points.ts";
import { visible } from "../../oracle/predict.ts";
import { cases, tablesOf } from "./generate.ts";
import { sampleOf } from "./sample.ts";

it("every point of the oracle, decided wrongly for all requests, has another right response to a case", () => {
  const { source, world } = sampleOf(ours.contract, FILES);
  const tables = tablesOf(ours.contract, { paths: FILES, kinds: special });
  const requests = [...cases(tables, source, ours, world)].map(({ request }) => request);
  const survivors: string[] = [];
  for (const [mutation, some] of mutationsOf(ours, trialsOf(ours, world, requests), ["all"])) {
    const name = nameOf(mutation);
    // No request shows these: to look for one takes most of the time.
    if ([...EQUIVALENT, ...OPEN].some(([mutants]) => mutants.test(name))) continue;
    const predict = predictedBy(ours, mutation);
    const isShown = ({ request, right }: (typeof some)[number]) =>
      visible(predict(request, world), request.method === "HEAD") !== right;
    if (!some.some(isShown)) survivors.push(name);
  }
  expect(survivors).toEqual([]);
});
