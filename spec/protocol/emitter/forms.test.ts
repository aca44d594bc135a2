// For every form and place of the list: the published document, the types, the validators, the readers of the service and the oracle
// of the suite agree about values at and beyond each bound (D8, D9).
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import fc from "fast-check";
import ts from "typescript";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { Contract } from "../../../conformance/oracle/contract.ts";
import { Points } from "../../../conformance/oracle/points.ts";
import { readContract } from "../../../conformance/oracle/read-contract.ts";
import {
  bodyFaults,
  faultsOf,
  headerFaults,
  queryFaults,
} from "../../../conformance/oracle/schema.ts";
import type { Contract as ServiceContract } from "../../../src/server/contract.ts";
import { Problem } from "../../../src/server/problem.ts";
import { bodyInput, headerInput, queryInput } from "../../../src/server/request/input.ts";
import { FORMATS } from "./formats.ts";
import { CASES, inPlace, member, SPEC } from "./forms.test-kit.ts";
import { formsTable, type Place } from "./forms.ts";
import { contractIn, generateFrom, write } from "./write.test-kit.ts";

let files: ReadonlyMap<string, string>;
let contract: Contract;
let operations: ServiceContract["operations"];
let validators: ServiceContract["validators"];
let published: Readonly<Record<"Input" | "Answer", ValidateFunction>>;

beforeAll(async () => {
  files = await generateFrom(SPEC);
  contract = readContract(JSON.parse(files.get("contract.json") ?? ""));
  ({ operations, validators } = await contractIn(files));
  const document = JSON.parse(files.get("openapi.json") ?? "");
  const ajv = new Ajv2020({
    strict: false,
    strictNumbers: true,
    logger: false,
    formats: FORMATS,
  }).addSchema(document, "document");
  const of = (name: string) => ajv.compile({ $ref: `document#/components/schemas/${name}` });
  published = { Input: of("Input"), Answer: of("Answer") };
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
const known = <T>(table: Readonly<Record<string, T>>, id: string): T => {
  const { [id]: found } = table;
  if (found === undefined) throw new Error(`there is no ${id}`);
  return found;
};
const contextOf = (id: string) => ({
  contract,
  operation: known(contract.operations, id),
  at: new Points(),
});

type Verdicts = Readonly<Record<"published" | "service" | "oracle", boolean>>;
const PLACES = {
  body(name: string, value: unknown): Verdicts {
    const body = { "@": "form.add", data: { [name]: value } };
    const service = isAccepted(() =>
      bodyInput(known(validators, "form.add"), [], structuredClone(body)),
    );
    const oracle = bodyFaults(contextOf("form.add"), body).length === 0;
    return { published: published.Input(body.data), service, oracle };
  },
  response(name: string, value: unknown): Verdicts {
    const answer = { [name]: value };
    const service =
      known(validators, "form.add").answers["200 application/json"]?.(answer) === true;
    const context = { ...contextOf("form.add"), isResponse: true } as const;
    const schema = context.operation.responses[0]?.schema ?? {};
    const oracle = faultsOf(context, schema, answer, { member: "", place: "#" }).length === 0;
    return { published: published.Answer(answer), service, oracle };
  },
  query(name: string, text: string): boolean[] {
    const sent = new Map([[name, text]]);
    const read = () =>
      queryInput(known(operations, "form.find"), known(validators, "form.find"), sent, [name], {});
    return [isAccepted(read), queryFaults(contextOf("form.find"), [...sent]).length === 0];
  },
  header(name: string, text: string): boolean[] {
    const field = `X-${name}`;
    const { faults } = headerInput(known(operations, "form.find"), known(validators, "form.find"), [
      field,
      text,
    ]);
    const fieldsOf = (other: string) => (other === field ? [text] : []);
    return [faults.length === 0, headerFaults(contextOf("form.find"), fieldsOf).length === 0];
  },
};

describe.each(["body", "response"] as const)("in a %s", (place) => {
  const all = (verdict: boolean) => ({ published: verdict, service: verdict, oracle: verdict });
  it.each(inPlace(place))(
    "$form ($index) takes its values, and nothing beyond",
    ({ form, index, values }) => {
      for (const value of values.right)
        expect(PLACES[place](member(index), value), JSON.stringify(value)).toEqual(all(true));
      for (const value of values.wrong) {
        const { published, ...others } = PLACES[place](member(index), value);
        // Published as open, and closed in what the service sends (D9).
        const isOpen = published && form === "open model";
        expect({ ...others, published: published && !isOpen }, JSON.stringify(value)).toEqual(
          all(false),
        );
      }
    },
  );
});

describe.each(["query", "header"] as const)("in a %s", (place) => {
  it.each(inPlace(place))(
    "$form ($index) takes its texts, and nothing beyond",
    ({ index, values }) => {
      const { rightTexts = [], wrongTexts = [] } = values;
      for (const text of rightTexts)
        expect(PLACES[place](member(index), text), text).toEqual([true, true]);
      for (const text of wrongTexts)
        expect(PLACES[place](member(index), text), text).toEqual([false, false]);
      expect(wrongTexts).not.toEqual([]);
    },
  );
  it("is published with the schemas of a body", () => {
    const { paths, components } = JSON.parse(files.get("openapi.operations.json") ?? "");
    const parameters: { name: string; in: string; schema: object; explode?: boolean }[] =
      paths["/api/form.find/../"].get.parameters;
    for (const { index } of inPlace(place)) {
      const name = place === "query" ? member(index) : `X-${member(index)}`;
      const { schema, explode = false } = known(
        Object.fromEntries(parameters.map((one) => [one.name, one])),
        name,
      );
      expect([explode, schema]).toEqual([
        false,
        components.schemas.Input.properties[member(index)],
      ]);
    }
  });
});

it("has exact types of every form", async () => {
  const valuesOf = (type: string, place: Place) =>
    inPlace(place).flatMap(({ index, values: { right } }) => [
      ...right.map(
        (value) =>
          `void ({ ${member(index)}: ${JSON.stringify(value)} } satisfies Partial<${type}>);`,
      ),
      "// @ts-expect-error of another type",
      `void ({ ${member(index)}: ${typeof right[0] === "number" ? '"text"' : 7} } satisfies Partial<${type}>);`,
    ]);
  const sameAs = (type: string, place: Place, prefix = "") =>
    inPlace(place).map(({ index }) => {
      const name = member(index);
      return `void ({} as Input["${name}"] satisfies Types["form.find"]["${type}"]["${prefix}${name}"]);`;
    });
  const aliases = [
    'type Input = Types["form.add"]["input"];',
    'type Answer = Types["form.add"]["answer"]["body"];',
  ];
  const lines = [
    `import type { Handlers } from "${resolve(import.meta.dirname, "../../../src/server/handler.ts")}";`,
    ...['import type { Types } from "./contract.ts";', ...aliases],
    "declare const answer: Answer;",
    'void ((() => answer) satisfies Handlers<Types, object>["form.add"]);',
    "// @ts-expect-error of several responses a bare body does not say which",
    'void ((() => answer) satisfies Handlers<Types, object>["form.read"]);',
    ...[...valuesOf("Input", "body"), ...valuesOf("Answer", "response")],
    ...[...sameAs("input", "query"), ...sameAs("headers", "header", "X-")],
  ];
  const folder = await mkdtemp(join(tmpdir(), "atpoint-forms-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await write(new Map([...files, ["use.ts", lines.join("\n")]]), folder);
  const program = ts.createProgram([join(folder, "use.ts")], {
    ...{
      noEmit: true,
      strict: true,
      skipLibCheck: true,
      allowImportingTsExtensions: true,
      types: [],
    },
    ...{ target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.NodeNext },
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

it("agrees about any day, second and offset", () => {
  const digits = (...values: number[]) =>
    fc.constantFrom(...values.map((value) => String(value).padStart(2, "0")));
  const offset = fc.oneof(
    fc.constant("Z"),
    fc
      .tuple(fc.constantFrom("+", "-"), digits(0, 1, 5, 23, 24), digits(0, 1, 30, 59))
      .map(([sign, hours, minutes]) => `${sign}${hours}:${minutes}`),
  );
  const time = fc.tuple(
    digits(0, 1, 5, 22, 23, 24),
    digits(0, 1, 29, 58, 59, 60),
    digits(0, 59, 60, 61),
  );
  const day = fc.tuple(
    fc.constantFrom("0000", "1900", "2000", "2023", "2024"),
    digits(0, 1, 2, 6, 7, 11, 12, 13),
    digits(0, 1, 28, 29, 30, 31, 32),
  );
  const [dates, times] = ["plainDate", "offsetDateTime"].map((name) =>
    member(CASES.findIndex(([, type]) => type === name)),
  );
  fc.assert(
    fc.property(day, time, offset, (date, clock, zone) => {
      const text = `${date.join("-")}T${clock.join(":")}${zone}`;
      for (const [name, sent] of [[dates, text.slice(0, 10)] as const, [times, text] as const]) {
        const { service, oracle } = PLACES.body(String(name), sent);
        expect(service, sent).toBe(oracle);
      }
    }),
    { numRuns: 3000 },
  );
});
