// Whatever a target answers, a run ends with a verdict: it is never a fault of the suite.
import { expect, it } from "vitest";
import { documentedDifference } from "../laws/compare.ts";
import { exchanged, worldOf } from "../laws/exchange.test-kit.ts";
import { ImmutableFieldTracker } from "../model/immutable-fields.ts";
import { learn } from "../model/learn.ts";
import { stateDifference } from "../model/pages.ts";
import { packaged } from "../packaged.ts";
import { plain, written } from "../requests/draft.ts";
import { stateFindings } from "./exchange.ts";
import { begun } from "./run.test-kit.ts";

const { oracle, laws, parse } = packaged;
const { contract } = oracle;

/** Values without a text of their own, without an escape, or of no type that any member has. */
const ODD: readonly unknown[] = [
  null,
  -0.5,
  "\ud800 %zz",
  "http://[",
  "__proto__",
  { toString: 1, valueOf: 1 },
  [[{ toString: null, valueOf: null }]],
  { "\ud800%": { "a/b~c": 1 } },
  { length: -1, constructor: { prototype: null } },
];

const ITEM = {
  id: "a",
  name: "b",
  operation: "c",
  title: "d",
  mediaType: "e",
  size: 1,
  checks: {},
  errors: [],
};
const PROBLEM = {
  type: "f",
  code: "g",
  status: 1,
  title: "h",
  detail: "i",
  requestId: "j",
  errors: [{ detail: "k" }],
};

/** The same with an odd value in place of each member, in each place. */
const withOdd = (whole: Readonly<Record<string, unknown>>): readonly unknown[] =>
  ODD.flatMap((odd) => [
    odd,
    ...Object.keys(whole).map((name) => ({ ...whole, [name]: odd })),
    { items: [odd, odd], nextCursor: odd },
    { items: Object.keys(whole).map((name) => ({ ...whole, [name]: odd })) },
    {
      ...whole,
      errors: [odd, { pointer: odd }, { parameter: odd, detail: odd }],
      checks: { a: odd },
    },
  ]);

it.each(Object.values(contract.operations).map((one) => [one.id, one] as const))(
  "%s",
  (_, operation) => {
    const run = begun("http://127.0.0.1:1");
    const model = worldOf(oracle);
    const caller = { ...run.source.caller, key: "k", platform: "web" };
    const request = written(plain(operation, operation.example, caller));
    const types = {
      200: "application/json",
      201: "application/json",
      422: "application/problem+json",
    };
    for (const json of [...withOdd({ ...ITEM, ...operation.example }), ...withOdd(PROBLEM)])
      for (const [status, type] of Object.entries(types)) {
        const exchange = exchanged(model, request, {
          status: Number(status),
          json,
          fields: [["Content-Type", type]],
        });
        const { prediction } = exchange;
        if (!prediction) expect.fail();
        for (const law of laws) if (law.applies(exchange)) law.check(exchange, run.memory);
        stateFindings({ ...run, model }, { ...exchange, prediction }, 0);
        const parsed = parse(exchange);
        if (parsed) documentedDifference(parsed, operation);
        stateDifference(model, new ImmutableFieldTracker("0"), exchange, 0);
        learn(model, exchange);
      }
  },
);
