// The suite finds nothing in right servers of small contracts, and a sample of broken ones; all of
// them: `npm run mutants -- effects`.
import { expect, it } from "vitest";
import { judgedEffects } from "./effects.ts";

/** A right server, and a broken one of each contract. */
const SAMPLE = new RegExp(
  `^(?:${[
    "register right otherwise",
    "register has a filter that does nothing",
    "ledger moves what is moved",
    "queue removes what an update leaves out",
  ].join("|")})$`,
);

it("finds nothing in a right server, and the fault of each broken one", async () => {
  let output = "";
  const print = (text: string) => {
    output += text;
  };
  const isRight = await judgedEffects({ isQuick: true, seeds: 1, pattern: SAMPLE, print });
  expect(`${isRight}\n${output}`).toMatch(/^true\n/);
});
