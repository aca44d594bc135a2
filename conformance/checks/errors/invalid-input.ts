import { operations } from "../../../generated/operations.ts";
import type { Api } from "../../client/api.ts";
import { expectObject, fail } from "../../client/expect.ts";
import { nameOf } from "../../client/operation.ts";
import { excerpt, type Reply } from "../../client/reply.ts";
import { type Check, check } from "../check.ts";
import { effectOf } from "../credentials/calls.ts";
import {
  bodyOf,
  commands,
  expectInvalid,
  expectPlaces,
  type Fault,
  faultsIn,
  membersOf,
  placeOf,
  queries,
} from "../input/operations.ts";
import { inCase } from "../probe.ts";

const POINTER = /^#(?:\/(?:[A-Za-z0-9\-._!$&'()*+,;=:@?]|%[0-9A-Fa-f]{2}|~[01]|\/)*)?$/;

/** What no type and no syntax allows in a member. */
const WRONG = { string: [], integer: "x", number: "x", boolean: "x", strings: "x", integers: "x", json: undefined };

function judgeFaults(reply: Reply): void {
  const { errors } = expectObject(reply.json());
  if (!Array.isArray(errors) || errors.length === 0)
    fail("body", "a list of faults that is not empty", excerpt(reply.text));
  for (const error of errors) {
    const { pointer, parameter, detail, ...more } = expectObject(error);
    const said = excerpt(JSON.stringify(error));
    if (typeof detail !== "string" || detail === "") fail("body", "a detail in each fault", said);
    if ((pointer === undefined) === (parameter === undefined)) fail("body", "either a pointer or a parameter", said);
    if (pointer !== undefined && (typeof pointer !== "string" || !POINTER.test(pointer)))
      fail("body", "a JSON pointer as a URI fragment", said);
    if (parameter !== undefined && typeof parameter !== "string") fail("body", "the name of a parameter", said);
    if (Object.keys(more).length > 0) fail("body", "pointer or parameter, detail and nothing else", said);
  }
}

const pairs = (count: number) => Array.from({ length: count }, (_, at): [string, string] => [`unknown${at}`, "1"]);

/** As many faults as can be: unknown members here and there, wrong ones, unknown parameters. */
const faultyBody = (id: (typeof commands)[number]) => ({
  ...bodyOf(id, {
    ...Object.fromEntries(pairs(40)),
    ...Object.fromEntries(membersOf(id).map(({ name, type }) => [name, WRONG[type]])),
  }),
  ...Object.fromEntries(pairs(40)),
});

const everyCase = (api: Api) => [
  ...commands.flatMap((id) => [
    { id, what: `${id} with 82 faults`, options: { body: faultyBody(id), query: pairs(40) } },
    { id, what: `${id} without data`, options: { body: { "@": nameOf(operations[id]) } } },
    { id, what: `${id} with empty data`, options: { body: bodyOf(id, {}) } },
    { id, what: `${id} with null for data`, options: { body: bodyOf(id, null) } },
    { id, what: `${id} with unknown parameters`, options: { body: bodyOf(id, {}), query: pairs(1) } },
  ]),
  ...queries.flatMap((id) => [
    { id, what: `${id} with 40 unknown parameters`, options: { input: api.example(id), query: pairs(40) } },
    ...membersOf(id).flatMap(({ name, type }) =>
      type === "integer" ? [{ id, what: `${id} with ${name}=x`, options: { input: { [name]: "x" } } }] : [],
    ),
  ]),
];

const create = (data: unknown, beside: object = {}) => ({ body: { "@": "user.create", data, ...beside } });

/** `data` and the places of its faults, all of them at members. */
const MEMBER_FAULTS: readonly (readonly [what: string, data: unknown, places: readonly string[]])[] = [
  ["both members missing", {}, ["#/data/name", "#/data/email"]],
  ["no name", { email: "ada@example.com" }, ["#/data/name"]],
  ["no e-mail", { name: "Ada" }, ["#/data/email"]],
  ["a wrong e-mail", { name: "Ada", email: "x" }, ["#/data/email"]],
  ["a wrong name", { name: "", email: "ada@example.com" }, ["#/data/name"]],
  ["both members wrong", { name: " ", email: "x" }, ["#/data/name", "#/data/email"]],
  ["both of a wrong type", { name: 1, email: null }, ["#/data/name", "#/data/email"]],
  ["one missing, one wrong", { email: "x" }, ["#/data/name", "#/data/email"]],
  ["one wrong, one missing", { name: "" }, ["#/data/name", "#/data/email"]],
  ["null for data", null, ["#/data"]],
  ["an array for data", [], ["#/data"]],
];

function expectOnly(faults: readonly Fault[], places: readonly string[]): void {
  expectPlaces(faults, places);
  const others = faults.filter((fault) => !places.includes(placeOf(fault)));
  if (others.length > 0) fail("body", `faults at ${places.join(" and ")} only`, excerpt(JSON.stringify(others)));
}

/** The list of a 422 (D8). */
export const invalidInput: readonly Check[] = [
  ...[...commands, ...queries].map((id) =>
    check(`errors/invalid-input#${id}`, { effect: effectOf(operations[id]) }, async (api) => {
      for (const { what, options } of everyCase(api).filter((each) => each.id === id))
        await inCase(what, async () => {
          const reply = await api.call(id, options);
          judgeFaults(reply);
          faultsIn(reply, id);
        });
    }),
  ),
  ...[...commands, ...queries].map((id) =>
    check(`errors/at-most-20#${id}`, { effect: effectOf(operations[id]) }, async (api) => {
      for (const { what, options } of everyCase(api).filter((each) => each.id === id))
        await inCase(what, async () => {
          const { length } = await expectInvalid(api, id, options);
          if (length > 20) fail("body", "at most 20 faults", String(length));
        });
    }),
  ),
  check("errors/all-faults#members", { effect: "write" }, async (api) => {
    for (const [what, data, places] of MEMBER_FAULTS)
      await inCase(what, async () => expectPlaces(await expectInvalid(api, "user.create", create(data)), places));
  }),
  check("errors/all-faults#unknown-and-wrong", { effect: "write" }, async (api) => {
    const data = { name: "", email: "x", unknown: 1 };
    const faults = await expectInvalid(api, "user.create", create(data, { unknown: 1 }));
    expectPlaces(faults, ["#", "#/data", "#/data/name", "#/data/email"]);
    const missing = await expectInvalid(api, "user.create", create({ unknown: 1, name: "Ada" }));
    expectPlaces(missing, ["#/data", "#/data/email"]);
    const without = await expectInvalid(api, "user.create", { body: { "@": "user.create", unknown: 1 } });
    expectPlaces(without, ["#", "#/data"]);
  }),
  check("errors/all-faults#parameters", {}, async (api) => {
    for (const rawQuery of ["@=user.list&limit=x&unknown=1", "@=user.list&unknown=1&limit=0"]) {
      const faults = await expectInvalid(api, "user.list", { rawQuery });
      expectPlaces(faults, ["limit"]);
      if (faults.length < 2) fail("body", "a fault for the unknown parameter too", excerpt(JSON.stringify(faults)));
    }
  }),
  check("errors/all-faults#post-query-and-body", { effect: "write" }, async (api) => {
    const faults = await expectInvalid(api, "user.create", { ...create({ name: "" }), query: pairs(1) });
    expectPlaces(faults, ["#/data/name", "#/data/email"]);
    if (faults.length < 3) fail("body", "a fault for the unknown parameter too", excerpt(JSON.stringify(faults)));
  }),
  check("errors/pointer#members", { effect: "write" }, async (api) => {
    for (const [what, data, places] of MEMBER_FAULTS)
      await inCase(what, async () => expectOnly(await expectInvalid(api, "user.create", create(data)), places));
  }),
  check("errors/pointer#parents", { effect: "write" }, async (api) => {
    const good = { name: "Ada", email: api.email() };
    expectOnly(await expectInvalid(api, "user.create", create({ ...good, unknown: 1 })), ["#/data"]);
    expectOnly(await expectInvalid(api, "user.create", create(good, { unknown: 1 })), ["#"]);
    expectOnly(await expectInvalid(api, "user.create", { body: { "@": "user.create" } }), ["#/data"]);
  }),
  ...queries.flatMap((id) =>
    membersOf(id).flatMap(({ name, type }) =>
      type !== "integer"
        ? []
        : check(`errors/parameter#${id}-${name}`, {}, async (api) => {
            for (const value of ["", "x", "-1", "1.5", "01"])
              await inCase(`${name}=${value}`, async () => {
                const faults = await expectInvalid(api, id, { input: { [name]: value } });
                if (!faults.some(({ parameter, pointer }) => parameter === name && pointer === undefined))
                  fail("body", `a fault of the parameter ${name}`, excerpt(JSON.stringify(faults)));
                expectOnly(faults, [name]);
              });
          }),
    ),
  ),
];
