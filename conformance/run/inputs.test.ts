import { expect, it } from "vitest";
import { exchangeOf, get } from "../laws/exchange.test-kit.ts";
import type { Operation, Schema } from "../oracle/contract.ts";
import { createOracle } from "../oracle/predict.ts";
import { packaged } from "../packaged.ts";
import { Inputs } from "./inputs.ts";
import type { Input } from "./options.ts";

const RUN = "0123456789abcdef";
const { "user.list": list = expect.fail(), "user.create": create = expect.fail() } =
  packaged.oracle.contract.operations;
const FROM_LIST = { operation: "user.list", pointer: "/items/0/id" };
const FROM_CREATE = { operation: "user.create", pointer: "/id" };
type Sources = Operation["exampleFrom"][string];

/**
 * What is found for a query and a command of one user, whose id comes from these, in a deployment
 * with these bodies.
 */
async function findInputs(
  query: Sources,
  command: Sources,
  bodies: Readonly<Record<string, unknown>>,
  allowWrite = true,
) {
  const ofUser = (id: string, like: Operation, from: Sources): Operation => ({
    ...like,
    id,
    name: id,
    example: { id: "0" },
    exampleFrom: { id: from },
    schema: { type: "object", properties: { id: { type: "string", minLength: 1 } } },
  });
  const userOperations = [ofUser("user.get", list, query), ofUser("user.delete", create, command)];
  const operations = Object.fromEntries(
    [...userOperations, list, create].map((one) => [one.id, one]),
  );
  const { contract, operationExtensions: knowing } = packaged.oracle;
  const inputs = new Inputs(createOracle({ ...contract, operations }, knowing), RUN);
  const called: (readonly [string, Input])[] = [];
  await inputs.find(async ({ id }, input) => {
    called.push([id, input]);
    return id in bodies ? exchangeOf(get("/"), { json: bodies[id] }) : null;
  }, allowWrite);
  return { inputs, called };
}

/** What could not be called, with a target that answers so. */
async function unprovenWith(call: Parameters<Inputs["find"]>[0]): Promise<readonly string[]> {
  const reading = { ...list, id: "user.get", exampleFrom: { id: [FROM_CREATE] } };
  const operations = { "user.get": reading, "user.create": create };
  const inputs = new Inputs(createOracle({ ...packaged.oracle.contract, operations }, []), RUN);
  await inputs.find(call, true);
  return [...inputs.unproven];
}

const BODIES = { "user.list": { items: [{ id: "a" }] }, "user.create": { id: "b" } };

it("are values that exist, of a command those of this run", async () => {
  const both = [FROM_LIST, FROM_CREATE];
  const { inputs, called } = await findInputs(both, both, BODIES);
  const wanted = { "user.get": { id: "a" }, "user.delete": { id: "b" }, "user.list": list.example };
  expect(Object.fromEntries(inputs.all)).toMatchObject(wanted);
  // Each source is called once; what it creates has the run's id.
  const email = `conformance+${RUN}-1002@example.com`;
  expect(called).toMatchObject([
    ["user.list", {}],
    ["user.create", { email, name: "Grace Hopper" }],
  ]);
});

it("lack what no source has, or may not be created", async () => {
  const readOnly = await findInputs([FROM_CREATE], [FROM_LIST], BODIES, false);
  expect([...readOnly.inputs.lacking]).toEqual([
    ["user.get", "no id for user.get at user.create/id"],
    ["user.delete", "no id for user.delete at user.list/items/0/id"],
  ]);
  expect(readOnly.called).toEqual([]);
  const { inputs } = await findInputs([FROM_LIST], [FROM_CREATE], { "user.list": { items: [] } });
  expect([...inputs.lacking.keys()]).toEqual(["user.get", "user.delete"]);
});

it.each([null, 7, "", {}, [], { toString: 1, valueOf: 1 }].map((id) => ({ id })))(
  "lack a value that the contract does not allow: %j",
  async (item) => {
    const { inputs } = await findInputs([FROM_LIST], [FROM_CREATE], {
      "user.list": { items: [item] },
    });
    expect([...inputs.lacking.keys()]).toEqual(["user.get", "user.delete"]);
  },
);

it("have other values each time where these must be unique", () => {
  const inputs = new Inputs(packaged.oracle, RUN);
  const [firstInput, secondInput] = [inputs.fresh(create), inputs.fresh(create)];
  expect(firstInput).toEqual({
    name: "Grace Hopper",
    email: `conformance+${RUN}-1001@example.com`,
  });
  expect(secondInput.email).not.toBe(firstInput.email);
});

it.each([
  ["^[A-Z0-9-]+$", 50, `A1-${RUN.toUpperCase()}-1001`],
  ["^[a-z0-9]+$", 50, `a1${RUN}1001`],
  ["^[A-Za-z0-9]+$", 18, `${RUN}01`],
  // Without room for it, the contract rejects what is sent.
  ["^[0-9]{4}$", 50, `2026-${RUN}-1001`],
])("name the run as %s with %i characters takes it", (pattern, maxLength, expected) => {
  const value = expected.slice(0, Math.max(2, expected.search(/-?0123/)));
  const email: Schema = { type: "string", pattern, maxLength };
  const schema: Schema = { type: "object", properties: { email } };
  const operation: Operation = { ...create, schema };
  const inputs = new Inputs(packaged.oracle, RUN);
  const { email: named } = inputs.fresh(operation, { email: value });
  expect(named).toBe(expected);
  expect(inputs.isOfRun(String(named))).toBe(true);
});

it("are missing though the target may be called for them", async () => {
  const found = (status: number | null) =>
    unprovenWith(async () => (status === null ? null : exchangeOf(get("/"), { status, json: {} })));
  expect(await found(422)).toEqual(["no id for user.get at user.create/id"]);
  expect(await found(201)).toEqual(["no id for user.get at user.create/id"]);
  // A key may lack the scope, and a run may not write.
  expect(await found(403)).toEqual([]);
  expect(await found(null)).toEqual([]);
});

it("have the next class of values in each record; optional members each alone, all, none", () => {
  const schema: Schema = {
    type: "object",
    properties: {
      title: { type: "string", pattern: "^[a-z]+$" },
      seats: { type: "integer" },
      isOpen: { type: "boolean" },
    },
  };
  const isRequired = (required: boolean) => ({ type: "string", required });
  const input = { title: isRequired(true), seats: isRequired(false), isOpen: isRequired(false) };
  const example = { title: "ab", seats: 3, isOpen: true };
  const problems = create.problems.filter((code) => code !== "email-taken");
  const open: Operation = { ...create, id: "room.open", schema, input, example, problems };
  const oracleOf = (operation: Operation) =>
    createOracle({ ...packaged.oracle.contract, operations: { [operation.id]: operation } }, []);
  const inputs = new Inputs(oracleOf(open), RUN);
  const records = Array.from({ length: 8 }, () => inputs.forRecord(open));
  expect(records.map((one) => Object.keys(one).slice(1).join())).toEqual([
    "seats,isOpen",
    "seats",
    "seats,isOpen",
    "",
    "seats,isOpen",
    "isOpen",
    "seats,isOpen",
    "",
  ]);
  expect(new Set(records.map(({ title }) => title)).size).toBeGreaterThan(3);
  // Where its handler may reject what the contract allows, scenarios send the example.
  const { effect: _, ...unstated } = open;
  const full: Operation = { ...unstated, problems: [...problems, "email-taken"] };
  const examples = new Inputs(oracleOf(full), RUN);
  expect([examples.forRecord(full), examples.forRecord(full)]).toEqual([example, example]);
  expect([inputs.hasNew(open), examples.hasNew(full)]).toEqual([false, true]);
  while (examples.hasNew(full)) records.push(examples.newRecord(full));
  expect(new Set(records.slice(8).map(({ seats }) => seats))).toContain(-1);
  // If it names a record of the run, every other one is.
  const sources = { title: [{ operation: "room.open", pointer: "/title" }] };
  const requires = { title: { resource: "Room", code: "no-room" } };
  const naming: Operation = { ...full, exampleFrom: sources, requires };
  const ofRun = new Inputs(oracleOf(naming), RUN);
  const seats = Array.from({ length: 8 }, () => ofRun.forRecord(naming).seats);
  expect(seats.filter((_, nth) => nth % 2 === 0)).toEqual([3, 3, 3, 3]);
  expect(new Set(seats).size).toBeGreaterThan(1);
});

it("name new records where a code that nothing predicts may reject them", async () => {
  const { contract, operationExtensions } = packaged.oracle;
  const requires = { userId: { resource: "User", code: "no-user" } };
  const { effect: _, ...unstated } = create;
  const call: Operation = {
    ...unstated,
    id: "call.create",
    example: { userId: "0" },
    exampleFrom: { userId: [FROM_CREATE] },
    requires,
    schema: { type: "object", properties: { userId: { type: "string" } } },
  };
  const operations = { [create.id]: create, [call.id]: call };
  const inputs = new Inputs(createOracle({ ...contract, operations }, operationExtensions), RUN);
  const made = async () => exchangeOf(get("/"), { json: { id: "new" } });
  expect(await inputs.withNewRecords(call, { userId: "0" }, made)).toEqual({ userId: "new" });
});
