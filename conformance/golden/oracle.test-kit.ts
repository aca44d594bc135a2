import { Expectation } from "../client/expectation.ts";
import { Reply } from "../client/reply.ts";
import type { Answer } from "../client/wire/exchange.ts";
import { compare } from "../lists/compare.ts";
import { Model } from "../models/model.ts";
import type { Points } from "../oracle/points.ts";
import type { Oracle } from "../oracle/predict.ts";
import type { Request } from "../oracle/world.ts";
import { sampleOf, wireOfGolden } from "./message.ts";
import type { Golden } from "./read.ts";
import { type Source, Values } from "./values.ts";

const key = (name: string) => ({ key: `atp_${name}`, platform: "web" });
const special = Object.fromEntries(
  ["noScopes", "otherPlatform", "expired", "revoked"].map((name) => [name, key(name)]),
);

/** Values without a deployment. */
export function sourceOfTest(): Source {
  let issued = 0;
  return {
    ...{ base: "http://one.invalid", platform: "web" },
    keyOf: (name) => (name === "key" ? key("full").key : special[name]?.key),
    email: (shape) => {
      issued += 1;
      return shape(`golden-${issued}`);
    },
  };
}

export const exchangeOf = ({ method, target, fields: headers, body }: Request, answer: Answer) => ({
  request: { method, url: `http://one.invalid${target}`, headers, body: Buffer.from(body, "latin1"), raw: null },
  ...{ answer, error: null, durationMs: 0 },
});

/**
 * How the prediction of an oracle differs from the hand-written response, in the first exchange of a scenario that differs; null
 * if none does.
 */
export function differenceOf(golden: Golden, oracle: Oracle, at?: Points): string | null {
  const model = new Model(oracle, { full: key("full"), special });
  const values = new Values(sourceOfTest());
  for (const { request, responses } of golden.exchanges) {
    values.begin();
    const wire = wireOfGolden(request, values, "one.invalid");
    const prediction = oracle.predict(wire, model, at);
    for (const response of responses) {
      const exchange = exchangeOf(wire, sampleOf(response, values));
      try {
        compare(new Reply(exchange, exchange.answer), prediction, oracle.contract);
      } catch (error) {
        if (error instanceof Expectation)
          return `by ${prediction.by}: predicted ${error.expected}, written ${error.actual}`;
        throw error;
      }
      model.see(exchange);
    }
  }
  return null;
}
