// The suite finds nothing in right servers of small contracts, and a sample of broken ones; all of
// them: `npm run mutants -- effects`.
import { expect, it } from "vitest";
import { judgedEffects } from "./effects.ts";

/** Right servers, and one broken server for each requirement in one of the contracts. */
const SAMPLE = new RegExp(
  `^(?:\\w+ right.*|${[
    "register has a filter that does nothing",
    "register answers a delete and deletes nothing",
    "register takes what is taken",
    "ledger orders by ids alone",
    "ledger moves what is moved",
    "ledger creates with a number of 1",
    "queue removes what an update leaves out",
    "queue leaves out the newest record",
    "queue creates for an owner that is not there",
  ].join("|")})$`,
);

it("finds nothing in right servers, and the fault of each broken one", async () => {
  let output = "";
  const print = (text: string) => {
    output += text;
  };
  const isRight = await judgedEffects({ isQuick: true, seeds: 1, pattern: SAMPLE, print });
  expect(`${isRight}\n${output}`).toMatch(/^true\n/);
});
