// For every form and place of the list: the published document, the types, the validators, the
// readers of the service and the oracle of the suite agree about values at and beyond each bound,
// and about the places that are wrong, where members have odd names too (D8, D9).
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import ts from "typescript";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { Contract } from "../../../conformance/oracle/contract.ts";
import { DecisionPoints } from "../../../conformance/oracle/decision-points.ts";
import { bodyFaults, headerFaults, queryFaults } from "../../../conformance/oracle/input.ts";
import { readContract } from "../../../conformance/oracle/read-contract.ts";
import { schemaFaultsOf } from "../../../conformance/oracle/schema.ts";
import type { Contract as ServiceContract } from "../../../src/server/contract.ts";
import { Problem } from "../../../src/server/problem.ts";
import { bodyInput, headerInput, queryInput } from "../../../src/server/request/input.ts";
import { FORMATS } from "./formats.ts";
import { CASES, inPlace, member, SPEC } from "./forms.test-kit.ts";
import { formsTable, type Place } from "./forms.ts";
import { contractIn, generateFrom, write } from "./write.test-kit.ts";

let files: ReadonlyMap<string, string>;
let contract: Contract;
let service: ServiceContract;
let published: Readonly<Record<"Input" | "Answer", ValidateFunction>>;

beforeAll(async () => {
  files = await generateFrom(SPEC);
  contract = readContract(JSON.parse(files.get("contract.json") ?? ""));
  service = await contractIn(files);
  const document = JSON.parse(files.get("openapi.json") ?? "");
  const ajv = new Ajv2020({
    strict: false,
    strictNumbers: true,
    logger: false,
    ownProperties: true,
    formats: FORMATS,
  }).addSchema(document, "document");
  const of = (name: string) => ajv.compile({ $ref: `document#/components/schemas/${name}` });
  published = { Input: of("Input"), Answer: of("Answer") };
});

const of = <T>(table: Readonly<Record<string, T>>, id: string): T => table[id] ?? expect.fail(id);
const contextOf = (id: string) => ({
  contract,
  operation: of(contract.operations, id),
  at: new DecisionPoints(),
});
const placesOf = (errors: readonly object[] = []) =>
  errors.map((one) => Object(one).pointer ?? Object(one).parameter).sort();

/** The places of the faults that the service reports. */
function rejected(read: () => unknown): readonly string[] {
  try {
    read();
    return [];
  } catch (thrown) {
    if (!(thrown instanceof Problem) || thrown.code !== "invalid-input") throw thrown;
    return placesOf(thrown.errors);
  }
}
/** The places where the oracle finds faults, each once. */
const uniquePlaces = (faults: readonly { readonly place: string }[]) =>
  [...new Set(faults.map(({ place }) => place))].sort();

const PLACES = {
  body(name: string, value: unknown) {
    const body = { "@": "form.add", data: { [name]: value } };
    const read = () => bodyInput(of(service.validators, "form.add"), [], structuredClone(body));
    return [rejected(read), uniquePlaces(bodyFaults(contextOf("form.add"), body))];
  },
  query(name: string, text: string) {
    const sent = new Map([[name, text]]);
    const { operations, validators } = service;
    const id = "form.find";
    const read = () => queryInput(of(operations, id), of(validators, id), sent, [name], {});
    return [rejected(read), uniquePlaces(queryFaults(contextOf(id), [...sent]))];
  },
  header(name: string, text: string) {
    const [id, field] = ["form.find", `X-${name}`];
    const { operations, validators } = service;
    const { faults } = headerInput(of(operations, id), of(validators, id), [field, text]);
    const fieldsOf = (other: string) => (other === field ? [text] : []);
    return [placesOf(faults), uniquePlaces(headerFaults(contextOf(id), fieldsOf))];
  },
};

const NAMES = [
  "\ud800",
  "secret <b>",
  "constructor",
  "toString",
  "a~1b#",
  "a/b#",
  "",
  "kind",
  "\0",
];
const VALUES = [7, -1.5, "x", "", true, null, [], {}, [null], 300, { kind: "x" }, { kind: "reel" }];

/** Changes of a value, at any depth. */
function* changed(value: unknown): Generator<unknown> {
  yield* VALUES;
  if (Array.isArray(value)) {
    for (const index of value.keys())
      for (const replacement of changed(value[index])) yield value.with(index, replacement);
    yield [...value, ...value];
  } else if (typeof value === "object" && value !== null) {
    for (const name of NAMES)
      for (const replacement of VALUES) yield { ...value, [name]: replacement };
    for (const [name, member] of Object.entries(value)) {
      yield Object.fromEntries(Object.entries(value).filter(([one]) => one !== name));
      for (const replacement of changed(member)) yield { ...value, [name]: replacement };
    }
  }
}

describe("in a body", () => {
  it.each(inPlace("body"))(
    "$form ($index) takes its values, and is wrong at the same places",
    ({ index, values: { right, wrong } }) => {
      const name = member(index);
      for (const value of right) expect(PLACES.body(name, value)).toEqual([[], []]);
      for (const value of wrong) expect(PLACES.body(name, value)).not.toContainEqual([]);
      for (const value of [...right, ...wrong, ...right.flatMap((one) => [...changed(one)])]) {
        const [places = [], oracle] = PLACES.body(name, value);
        expect(places, JSON.stringify(value)).toEqual(oracle);
        const isRight = published.Input({ [name]: value });
        expect(isRight, JSON.stringify(value)).toBe(places.length === 0);
      }
    },
  );

  it.each<[type: string, value: unknown, ...places: string[]]>([
    ["Odd", { "a/b#": "x", "a~b %é": "x" }, "/a~1b%23", "/a~0b%20%25%C3%A9"],
    ["Odd", { constructor: 7, toString: "x" }, "/constructor", "/toString"],
    ["Record<int8>", { "secret <b>": "no" }, ""],
    ["Tree", { name: "a", kids: [{}] }, "/kids/0/name"],
    ["Paper | Audio", { pages: "x" }, ""],
    ["Reel | Tape", { kind: "x", cuts: 7 }, ""],
    ["Reel | Tape", { kind: "reel", cuts: { secret: "no" }, more: 1 }, "/cuts", ""],
    ["Record<Reel | Tape>[]", [{}, { secret: { kind: "reel" } }], "/1"],
  ])("%s is wrong as %j at %s %s", (type, value, ...places) => {
    const name = member(CASES.findIndex(([, one]) => one === type));
    const all = places.map((place) => `#/data/${name}${place}`).sort();
    expect(PLACES.body(name, value)).toEqual([all, all]);
  });
});

describe("in a response", () => {
  it.each(inPlace("response"))(
    "$form ($index) takes its values, and nothing beyond",
    ({ form, index, values: { right, wrong } }) => {
      const validate = of(service.validators, "form.add").answers["200 application/json"];
      const context = { ...contextOf("form.add"), isResponse: true } as const;
      const schema = context.operation.responses[0]?.schema ?? {};
      for (const value of [...right, ...wrong]) {
        const answer = { [member(index)]: value };
        const isRight = right.includes(value);
        // Published as open, and closed in what the service sends (D9).
        const isOpen = !isRight && form === "open model";
        const faults = schemaFaultsOf(context, schema, answer, { member: "", place: "#" });
        const verdicts = [validate?.(answer), published.Answer(answer) && !isOpen, !faults.length];
        expect(verdicts, JSON.stringify(value)).toEqual([isRight, isRight, isRight]);
      }
    },
  );
});

describe.each(["query", "header"] as const)("in a %s", (place) => {
  it.each(inPlace(place))(
    "$form ($index) takes its texts, and nothing beyond",
    ({ index, values: { rightTexts = [], wrongTexts = [] } }) => {
      const name = member(index);
      for (const text of rightTexts) expect(PLACES[place](name, text), text).toEqual([[], []]);
      const at = place === "query" ? name : `X-${name}`;
      for (const text of wrongTexts) expect(PLACES[place](name, text), text).toEqual([[at], [at]]);
      expect(wrongTexts).not.toEqual([]);
    },
  );
  it("is published with the schemas of a body", () => {
    const { paths, components } = JSON.parse(files.get("openapi.operations.json") ?? "");
    const parameters: { name: string; schema: object; explode?: boolean }[] =
      paths["/api/form.find/../"].get.parameters;
    for (const { index } of inPlace(place)) {
      const name = place === "query" ? member(index) : `X-${member(index)}`;
      const { schema, explode = false } = parameters.find((one) => one.name === name) ?? {};
      const same = components.schemas.Input.properties[member(index)];
      expect([explode, schema]).toEqual([false, same]);
    }
  });
});

it("has exact types of every form", async () => {
  const valuesOf = (type: string, place: Place) =>
    inPlace(place).flatMap(({ index, values: { right, wrong } }) => [
      ...right.map(
        (value) =>
          `void ({ ${member(index)}: ${JSON.stringify(value)} } satisfies Partial<${type}>);`,
      ),
      ...(wrong.length > 0 ? ["// @ts-expect-error of another type"] : []),
      `void ({ ${member(index)}: ${typeof right[0] === "number" ? '"text"' : 7} } ` +
        `satisfies Partial<${type}>);`,
    ]);
  const sameAs = (type: string, place: Place, prefix = "") =>
    inPlace(place).map(({ index }) => {
      const name = member(index);
      return (
        `void ({} as Input["${name}"] satisfies ` +
        `Types["form.find"]["${type}"]["${prefix}${name}"]);`
      );
    });
  const aliases = [
    'type Input = Types["form.add"]["input"];',
    'type Answer = Types["form.add"]["answer"]["body"];',
  ];
  const lines = [
    "import type { Handlers } from " +
      `"${resolve(import.meta.dirname, "../../../src/server/handler.ts")}";`,
    'import type { Types } from "./contract.ts";',
    ...aliases,
    "declare const answer: Answer;",
    'void ((() => answer) satisfies Handlers<Types, object>["form.add"]);',
    "// @ts-expect-error of several responses a bare body does not say which",
    'void ((() => answer) satisfies Handlers<Types, object>["form.read"]);',
    ...valuesOf("Input", "body"),
    ...valuesOf("Answer", "response"),
    ...sameAs("input", "query"),
    ...sameAs("headers", "header", "X-"),
  ];
  const folder = await mkdtemp(join(tmpdir(), "atpoint-forms-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await write(new Map([...files, ["use.ts", lines.join("\n")]]), folder);
  const program = ts.createProgram([join(folder, "use.ts")], {
    noEmit: true,
    strict: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    types: [],
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
  });
  const faults = ts
    .getPreEmitDiagnostics(program)
    .filter(({ file }) => file?.fileName.startsWith(folder));
  expect(faults.map(({ messageText }) => messageText)).toEqual([]);
});

it("documents the list in the library's README", async () => {
  expect(await readFile(resolve(import.meta.dirname, "../README.md"), "utf8")).toContain(
    formsTable(),
  );
});
