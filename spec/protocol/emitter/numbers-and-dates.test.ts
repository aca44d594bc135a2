// The generated validators, the readers of the service and the oracle of the suite agree about every kind of number and date (D8, D9).
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { type Contract, readContract } from "../../../conformance/oracle/contract.ts";
import { Points } from "../../../conformance/oracle/points.ts";
import { bodyFaults, faultsOf, headerFaults, queryFaults } from "../../../conformance/oracle/schema.ts";
import type { Operation, OperationValidators } from "../../../src/server/contract.ts";
import { Problem } from "../../../src/server/problem.ts";
import { bodyInput, headerInput, queryInput } from "../../../src/server/request/input.ts";
import { generate } from "./emit.ts";
import { contractIn } from "./write.test-kit.ts";

const { MIN_SAFE_INTEGER: LEAST, MAX_SAFE_INTEGER: MOST, MAX_VALUE, MIN_VALUE } = Number;
const INTEGERS = {
  int8: [-128, 127],
  int16: [-32_768, 32_767],
  int32: [-2_147_483_648, 2_147_483_647],
  int64: [LEAST, MOST],
  uint8: [0, 255],
  uint16: [0, 65_535],
  uint32: [0, 4_294_967_295],
  uint64: [0, MOST],
  safeint: [LEAST, MOST],
  integer: [LEAST, MOST],
} as const;

interface Values {
  readonly right: readonly unknown[];
  readonly wrong: readonly unknown[];
  /** The same as texts of a query or a header. */
  readonly rightTexts: readonly string[];
  readonly wrongTexts: readonly string[];
}

const NO_NUMBERS = ["1", true, null, [], {}];
const NO_NUMBER_TEXTS = "01 -01 +1 --1 1. .5 1e3 0x1 1_0 NaN true".split(" ");
const integer = ([least, most]: readonly [number, number]): Values => {
  const [right, beyond] = [
    [least, 0, most],
    [least - 1, most + 1],
  ];
  const wrongTexts = [...beyond.map(String), "-0", "1.0", "9007199254740993", ...NO_NUMBER_TEXTS];
  return { right, wrong: [...beyond, 1.5, 1e300, ...NO_NUMBERS], rightTexts: right.map(String), wrongTexts };
};
const rightTexts = ["-1.5", "0", "0.1", "-0.5", `${BigInt(MAX_VALUE)}`, `-${BigInt(MAX_VALUE)}`];
const float: Values = {
  ...{ right: [-MAX_VALUE, -1.5, 0, MIN_VALUE, MAX_VALUE], wrong: [JSON.parse("1e400"), ...NO_NUMBERS] },
  ...{ rightTexts, wrongTexts: ["9".repeat(400), ...NO_NUMBER_TEXTS] },
};
const texts = (right: string, wrong: string): Values => {
  const [rightTexts, wrongTexts] = [right.split(" "), wrong.split(" ")];
  return { right: rightTexts, wrong: [...wrongTexts, "", 20260131, true, null, []], rightTexts, wrongTexts };
};
const dateTime = texts(
  "2026-01-31T12:00:00Z 2024-02-29T23:59:59.123456789-23:59 0000-01-01T00:00:00+23:59 9999-12-31T23:59:59-23:59 2016-12-31T23:59:60Z 2015-06-30T23:59:60.5+00:00 1990-12-31T15:59:60-08:00 2017-01-01T00:59:60+01:00 2015-07-01T05:29:60+05:30",
  "2026-02-30T12:00:00Z 2025-02-29T12:00:00Z 2026-01-31T24:00:00Z 2026-01-31T12:60:00Z 2026-01-31T12:00:61Z 2016-12-31T23:58:60Z 2016-12-30T23:59:60Z 2016-03-31T23:59:60Z 2016-12-31T23:59:60+01:00 2017-01-01T00:59:60Z 2016-12-31T00:59:60+01:00 2026-01-31T12:00:00 2026-01-31T12:00:00+24:00 2026-01-31T12:00:00z 2026-01-31",
);
const KINDS: Readonly<Record<string, Values>> = {
  ...Object.fromEntries(Object.entries(INTEGERS).map(([kind, bounds]) => [kind, integer(bounds)])),
  ...{ float, float32: float, float64: float, numeric: float },
  plainDate: texts(
    "0000-01-01 9999-12-31 2024-02-29 2000-02-29 2026-04-30",
    "2026-02-30 2025-02-29 1900-02-29 2026-04-31 2026-13-01 2026-00-10 2026-01-00 2026-01-32 2026-1-31 26-01-31 2026-01-31Z",
  ),
  plainTime: texts("00:00:00 23:59:59 12:00:00.5", "24:00:00 12:60:00 23:59:60 12:00 12:00:00Z 12:00:00+01:00 1:00:00"),
  ...{ utcDateTime: dateTime, offsetDateTime: dateTime },
};
const kinds = Object.keys(KINDS);

const protocol = resolve(import.meta.dirname, "..");
const parameters = kinds.map((kind) => {
  const encoded = kind.endsWith("DateTime") ? '@encode("rfc3339") ' : "";
  return `@query ${kind}?: ${kind}; ${encoded}@header("X-${kind}") h${kind}?: ${kind};`;
});
const SPEC = `import "${protocol}";
using Http;
using OpenAPI;
@service(#{ title: "Kinds" })
@info(#{ version: "1.0.0" })
namespace Atpoint;
model Kinds { ...Record<never>; ${kinds.map((kind) => `${kind}?: ${kind};`).join(" ")} }
@summary("x") @doc("x") @useAuth(NoAuth)
op kindFind is Query<"kind.find", { ${parameters.join(" ")} }, Ok<Kinds>>;
@opExample(#{ parameters: #{ body: #{ \`@\`: "kind.add", data: #{ int8: 1 } } } })
@summary("x") @doc("x") @useAuth(NoAuth)
op kindAdd is Command<"kind.add", Kinds, Ok<Kinds>>;
`;

let contract: Contract;
let operations: Record<"kind.find", Operation>;
let validators: Record<"kind.find" | "kind.add", OperationValidators>;

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), "atpoint-kinds-"));
  try {
    await writeFile(join(folder, "main.tsp"), SPEC);
    const files = await generate(join(folder, "main.tsp"));
    contract = readContract(JSON.parse(files.get("contract.json") ?? ""));
    const { "kind.find": find, "kind.add": add } = (await contractIn(files)).validators;
    const { "kind.find": operation } = (await contractIn(files)).operations;
    if (!find || !add || !operation) return expect.unreachable();
    operations = { "kind.find": operation };
    validators = { "kind.find": find, "kind.add": add };
  } finally {
    await rm(folder, { recursive: true });
  }
});

const isAccepted = (read: () => unknown): boolean => {
  try {
    read();
    return true;
  } catch (thrown) {
    if (thrown instanceof Problem && thrown.code === "invalid-input") return false;
    throw thrown;
  }
};
const contextOf = (id: string) => {
  const { [id]: operation } = contract.operations;
  if (!operation) throw new Error(`the contract has no ${id}`);
  return { contract, operation, at: new Points() };
};

type Verdicts = { readonly service: boolean; readonly oracle: boolean };
const places = {
  body(kind: string, value: unknown): Verdicts {
    const body = { "@": "kind.add", data: { [kind]: value } };
    const service = isAccepted(() => bodyInput(validators["kind.add"], [], body));
    return { service, oracle: bodyFaults(contextOf("kind.add"), body).length === 0 };
  },
  response(kind: string, value: unknown): Verdicts {
    const service = validators["kind.add"].answers["200 application/json"]?.({ [kind]: value }) === true;
    const context = contextOf("kind.add");
    const schema = context.operation.responses[0]?.schema ?? {};
    const faults = faultsOf(context, schema, { [kind]: value }, { member: "", place: "#" });
    return { service, oracle: faults.length === 0 };
  },
  query(kind: string, text: string): Verdicts {
    const { "kind.find": operation } = operations;
    const sent = new Map([[kind, text]]);
    const service = isAccepted(() => queryInput(operation, validators["kind.find"], sent, [kind], {}));
    return { service, oracle: queryFaults(contextOf("kind.find"), [...sent]).length === 0 };
  },
  header(kind: string, text: string): Verdicts {
    const { faults } = headerInput(operations["kind.find"], validators["kind.find"], [`X-${kind}`, text]);
    const fieldsOf = (name: string) => (name === `X-${kind}` ? [text] : []);
    return { service: faults.length === 0, oracle: headerFaults(contextOf("kind.find"), fieldsOf).length === 0 };
  },
};

describe.each(Object.entries(KINDS))("%s", (kind, { right, wrong, rightTexts, wrongTexts }) => {
  const both = (verdict: boolean) => ({ service: verdict, oracle: verdict });

  it.each(["body", "response"] as const)("takes its values in a %s, and nothing beyond", (place) => {
    for (const value of right) expect(places[place](kind, value), JSON.stringify(value)).toEqual(both(true));
    for (const value of wrong) expect(places[place](kind, value), JSON.stringify(value)).toEqual(both(false));
  });

  it.each(["query", "header"] as const)("takes its texts in a %s, and nothing beyond", (place) => {
    for (const text of rightTexts) expect(places[place](kind, text), text).toEqual(both(true));
    for (const text of wrongTexts) expect(places[place](kind, text), text).toEqual(both(false));
    expect(places.query(kind, "")).toEqual(both(false));
  });
});

it("agrees about any day, second and offset", () => {
  const digits = (...values: number[]) => fc.constantFrom(...values.map((value) => String(value).padStart(2, "0")));
  const offset = fc.oneof(
    fc.constant("Z"),
    fc
      .tuple(fc.constantFrom("+", "-"), digits(0, 1, 5, 23, 24), digits(0, 1, 30, 59))
      .map(([sign, hours, minutes]) => `${sign}${hours}:${minutes}`),
  );
  const time = fc.tuple(digits(0, 1, 5, 22, 23, 24), digits(0, 1, 29, 58, 59, 60), digits(0, 59, 60, 61));
  const day = fc.tuple(
    fc.constantFrom("0000", "1900", "2000", "2023", "2024"),
    digits(0, 1, 2, 6, 7, 11, 12, 13),
    digits(0, 1, 28, 29, 30, 31, 32),
  );
  fc.assert(
    fc.property(day, time, offset, (date, clock, zone) => {
      const text = `${date.join("-")}T${clock.join(":")}${zone}`;
      for (const [kind, sent] of [["plainDate", text.slice(0, 10)] as const, ["offsetDateTime", text] as const]) {
        const { service, oracle } = places.body(kind, sent);
        expect(service, sent).toBe(oracle);
      }
    }),
    { numRuns: 3000 },
  );
});
