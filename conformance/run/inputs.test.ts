import { expect, it } from "vitest";
import type { Exchange } from "../exchange.ts";
import { createResponse } from "../http/response.ts";
import type { Operation } from "../oracle/contract.ts";
import { createOracle } from "../oracle/predict.ts";
import { packaged } from "../packaged.ts";
import { Inputs } from "./inputs.ts";
import type { Input } from "./options.ts";

const RUN = "0123456789abcdef";

const operation = (id: string): Operation => {
  const found = packaged.oracle.contract.operations[id];
  if (!found) throw new Error(`the contract has no operation ${id}`);
  return found;
};

/** A contract with a query and a command for one user, whose id comes from these. */
function inputsFor(query: Operation["exampleFrom"], command: Operation["exampleFrom"]) {
  const [list, create] = [operation("user.list"), operation("user.create")];
  const get = { ...list, id: "user.get", name: "user.get", example: { id: "0" }, exampleFrom: query };
  const remove = { ...create, id: "user.delete", name: "user.delete", example: { id: "0" }, exampleFrom: command };
  const operations = { [get.id]: get, [remove.id]: remove, [list.id]: list, [create.id]: create };
  return new Inputs(createOracle({ ...packaged.oracle.contract, operations }, packaged.oracle.own), RUN);
}

/** Calls operations of a deployment with these bodies. */
function calling(bodies: Readonly<Record<string, unknown>>) {
  const called: (readonly [string, Input])[] = [];
  const call = async ({ id }: Operation, input: Input): Promise<Exchange | null> => {
    called.push([id, input]);
    if (!(id in bodies)) return null;
    const head = { status: 200, reason: "", version: "1.1", fields: [] };
    const response = createResponse(head, Buffer.from(JSON.stringify(bodies[id])));
    const request = { method: "GET", target: "/", fields: [], body: "" };
    return { request, response, error: null, prediction: null, sentAt: 0, endedAt: 1, connection: 1 };
  };
  return { call, called };
}

const FROM_LIST = { id: [{ operation: "user.list", pointer: "/items/0/id" }] };
const FROM_CREATE = { id: [{ operation: "user.create", pointer: "/id" }] };
const BODIES = { "user.list": { items: [{ id: "a" }] }, "user.create": { id: "b" } };

it("are values that exist, of a command those of this run", async () => {
  const inputs = inputsFor({ id: [...FROM_LIST.id, ...FROM_CREATE.id] }, { id: [...FROM_LIST.id, ...FROM_CREATE.id] });
  const { call, called } = calling(BODIES);
  await inputs.find(call, true);
  expect(inputs.all.get("user.get")).toEqual({ id: "a" });
  expect(inputs.all.get("user.delete")).toEqual({ id: "b" });
  expect(inputs.all.get("user.list")).toEqual(operation("user.list").example);
  // Each source is called once; what it creates has the run's id.
  expect(called.map(([id]) => id)).toEqual(["user.list", "user.create"]);
  expect(called[1]?.[1]).toMatchObject({ email: `conformance+${RUN}-02@example.com`, name: "Grace Hopper" });
});

it("lack what no source has, or may not be created", async () => {
  const readOnly = inputsFor(FROM_CREATE, FROM_LIST);
  const { call, called } = calling(BODIES);
  await readOnly.find(call, false);
  expect([...readOnly.lacking]).toEqual([
    ["user.get", "no id for user.get at user.create/id"],
    ["user.delete", "no id for user.delete at user.list/items/0/id"],
  ]);
  expect(called).toEqual([]);
  const empty = inputsFor(FROM_LIST, FROM_CREATE);
  await empty.find(calling({ "user.list": { items: [] } }).call, true);
  expect([...empty.lacking.keys()]).toEqual(["user.get", "user.delete"]);
  expect([empty.isOwn(operation("user.create")), empty.isOwn(null)]).toEqual([true, false]);
});

it("have other values each time where these must be unique", () => {
  const inputs = new Inputs(packaged.oracle, RUN);
  const [one, other] = [1, 2].map(() => inputs.fresh(operation("user.create")));
  expect(one).toEqual({ name: "Grace Hopper", email: `conformance+${RUN}-01@example.com` });
  expect(other?.email).not.toBe(one?.email);
});
