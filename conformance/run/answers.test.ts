// Whatever a target answers, a run ends with a verdict: it is never a fault of the suite.
import { expect, it } from "vitest";
import { documentedDifference } from "../laws/compare.ts";
import { exchanged, worldOf } from "../laws/exchange.test-kit.ts";
import { learn } from "../model/learn.ts";
import { stateDifference } from "../model/pages.ts";
import { Unchanged } from "../model/unchanged.ts";
import type { Operation } from "../oracle/contract.ts";
import { packaged } from "../packaged.ts";
import { deploy, KEY } from "../proof/kits/deployment.test-kit.ts";
import type { Arrived } from "../proof/kits/server.test-kit.ts";
import { runAt as runSuiteAt } from "../proof/service.ts";
import { plain, written } from "../requests/draft.ts";
import { createSuite } from "../suite.ts";
import { differences } from "./exchange.ts";
import { everything } from "./options.ts";
import { begun } from "./run.test-kit.ts";

const { oracle, laws, views } = packaged;
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
    const world = worldOf(oracle);
    const caller = { ...run.source.caller, key: "k", platform: "web" };
    const request = written(plain(operation, operation.example, caller));
    const types = {
      200: "application/json",
      201: "application/json",
      422: "application/problem+json",
    };
    for (const json of [...withOdd({ ...ITEM, ...operation.example }), ...withOdd(PROBLEM)])
      for (const [status, type] of Object.entries(types)) {
        const exchange = exchanged(world, request, {
          status: Number(status),
          json,
          fields: [["Content-Type", type]],
        });
        const { prediction } = exchange;
        if (!prediction) expect.fail();
        for (const law of laws) if (law.applies(exchange)) law.check(exchange, run.memory);
        differences({ ...run, world }, { ...exchange, prediction }, new Map());
        const view = views(exchange);
        if (view) documentedDifference(view, operation);
        stateDifference(world, new Unchanged("0"), exchange, new Map());
        learn(world, exchange);
      }
  },
);

/** Commands about a record that another command creates, in a spec of their own. */
const {
  "user.create": create = expect.fail(),
  sysinfo = expect.fail(),
  "user.list": list = expect.fail(),
} = contract.operations;
const rename: Operation = {
  ...{ ...create, id: "user.rename", name: "user.rename", decides: {} },
  example: { id: "0", name: "Ada" },
  exampleFrom: { id: [{ operation: "user.create", pointer: "/id" }] },
  input: { id: { type: "string", required: true }, name: { type: "string", required: true } },
  schema: {
    type: "object",
    required: ["id", "name"],
    properties: { id: { type: "string" }, name: { type: "string" } },
  },
};
const suite = createSuite({
  ...contract,
  operations: Object.fromEntries([sysinfo, list, create, rename].map((one) => [one.id, one])),
});

it.each([
  ["fails", { status: 500, body: "{}" }],
  ["answers what is no record", { status: 201, body: '{"id":{"toString":1}}' }],
])("a run ends with a verdict where the command that another one needs %s", async (_, answer) => {
  const before = ({ method, body }: Arrived) =>
    method === "POST" && body.includes('"name"') ? answer : null;
  const url = await deploy({ before });
  const credentials = { full: { key: KEY, platform: "web" }, special: {} };
  const id = "user.rename id again + as a query, with its input there and in the body";
  const { verdict, results } = await runSuiteAt(
    url,
    credentials,
    { selection: { ...everything, case: id } },
    suite,
  );
  expect([verdict, results.faults]).toEqual(["not conformant", []]);
});
