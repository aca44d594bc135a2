import { expect, it } from "vitest";
import type { Exchange } from "../exchange.ts";
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

/** What is found for a query and a command of one user, whose id comes from these, in a deployment with these bodies. */
async function found(
  query: Sources,
  command: Sources,
  bodies: Readonly<Record<string, unknown>>,
  mayWrite = true,
  schema: Schema = {},
) {
  const ofUser = (id: string, like: Operation, from: Sources): Operation => ({
    ...{ ...like, id, name: id, example: { id: "0" }, exampleFrom: { id: from } },
    schema: { type: "object", properties: { id: schema } },
  });
  const all = [
    ofUser("user.get", list, query),
    ofUser("user.delete", create, command),
    list,
    create,
  ];
  const operations = Object.fromEntries(all.map((one) => [one.id, one]));
  const inputs = new Inputs(
    createOracle({ ...packaged.oracle.contract, operations }, packaged.oracle.own),
    RUN,
  );
  const called: (readonly [string, Input])[] = [];
  const call = async ({ id }: Operation, input: Input): Promise<Exchange | null> => {
    called.push([id, input]);
    return id in bodies ? exchangeOf(get("/"), { json: bodies[id] }) : null;
  };
  await inputs.find(call, mayWrite);
  return { inputs, called };
}

const BODIES = { "user.list": { items: [{ id: "a" }] }, "user.create": { id: "b" } };

it("are values that exist, of a command those of this run", async () => {
  const { inputs, called } = await found(
    [FROM_LIST, FROM_CREATE],
    [FROM_LIST, FROM_CREATE],
    BODIES,
  );
  expect(inputs.all.get("user.get")).toEqual({ id: "a" });
  expect(inputs.all.get("user.delete")).toEqual({ id: "b" });
  expect(inputs.all.get("user.list")).toEqual(list.example);
  // Each source is called once; what it creates has the run's id.
  expect(called.map(([id]) => id)).toEqual(["user.list", "user.create"]);
  expect(called[1]?.[1]).toMatchObject({
    email: `conformance+${RUN}-02@example.com`,
    name: "Grace Hopper",
  });
});

it("lack what no source has, or may not be created", async () => {
  const readOnly = await found([FROM_CREATE], [FROM_LIST], BODIES, false);
  expect([...readOnly.inputs.lacking]).toEqual([
    ["user.get", "no id for user.get at user.create/id"],
    ["user.delete", "no id for user.delete at user.list/items/0/id"],
  ]);
  expect(readOnly.called).toEqual([]);
  const { inputs } = await found([FROM_LIST], [FROM_CREATE], { "user.list": { items: [] } });
  expect([...inputs.lacking.keys()]).toEqual(["user.get", "user.delete"]);
});

it.each<{ readonly id: unknown }>(
  [null, 7, "", {}, [], { toString: 1, valueOf: 1 }].map((id) => ({ id })),
)("lack a value that the contract does not allow: %j", async ({ id }) => {
  const schema: Schema = { type: "string", minLength: 1 };
  const { inputs } = await found(
    [FROM_LIST],
    [FROM_CREATE],
    { "user.list": { items: [{ id }] } },
    true,
    schema,
  );
  expect([...inputs.lacking.keys()]).toEqual(["user.get", "user.delete"]);
});

it("have other values each time where these must be unique", () => {
  const inputs = new Inputs(packaged.oracle, RUN);
  const [one, other] = [inputs.fresh(create), inputs.fresh(create)];
  expect(one).toEqual({ name: "Grace Hopper", email: `conformance+${RUN}-01@example.com` });
  expect(other.email).not.toBe(one.email);
});

it("have the next class of values in each record, and optional members each alone, all, and none", () => {
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
  const oracleOf = (one: Operation) =>
    createOracle({ ...packaged.oracle.contract, operations: { [one.id]: one } }, []);
  const inputs = new Inputs(oracleOf(open), RUN);
  const records = Array.from({ length: 8 }, () => inputs.forRecord(open));
  expect(records.map((one) => Object.keys(one).slice(1).join())).toEqual([
    ...["seats,isOpen", "seats", "seats,isOpen", "", "seats,isOpen", "isOpen", "seats,isOpen", ""],
  ]);
  expect(new Set(records.map(({ title }) => title)).size).toBeGreaterThan(3);
  // Where its handler may reject what the contract allows, the example is sent.
  const full: Operation = { ...open, problems: [...problems, "email-taken"] };
  expect(new Inputs(oracleOf(full), RUN).forRecord(full)).toEqual(example);
});
