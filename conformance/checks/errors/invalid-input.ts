import type { OperationId } from "../../../generated/operations.ts";
import type { RequirementId } from "../../../generated/requirements.ts";
import type { Api } from "../../client/api.ts";
import type { CallOptions } from "../../client/call.ts";
import { expectObject, fail } from "../../client/expect.ts";
import { every, type Known, queries } from "../../client/operation.ts";
import { excerpt, type Reply } from "../../client/reply.ts";
import { type Check, check } from "../check.ts";
import { bodyOf, expectInvalid, expectPlaces, type Fault, faultsIn, membersOf, placeOf } from "../input/operations.ts";
import { effectOf, inCase } from "../probe.ts";

const POINTER = /^#(?:\/(?:[A-Za-z0-9\-._!$&'()*+,;=:@?]|%[0-9A-Fa-f]{2}|~[01]|\/)*)?$/;

/** What no type and no syntax allows in a member. */
const WRONG = { string: [], integer: "x", number: "x", boolean: "x", strings: "x", integers: "x", json: undefined };

function judgeFaults(reply: Reply): void {
  const { errors } = expectObject(reply.json());
  if (!Array.isArray(errors) || errors.length === 0)
    fail("body:/errors", "a list of faults that is not empty", excerpt(reply.text));
  for (const error of errors) {
    const { pointer, parameter, detail, ...more } = expectObject(error);
    const said = excerpt(JSON.stringify(error));
    if (typeof detail !== "string" || detail === "") fail("body:/errors/*/detail", "a detail in each fault", said);
    if ((pointer === undefined) === (parameter === undefined))
      fail("body:/errors/*", "either a pointer or a parameter", said);
    if (pointer !== undefined && (typeof pointer !== "string" || !POINTER.test(pointer)))
      fail("body:/errors/*/pointer", "a JSON pointer as a URI fragment", said);
    if (parameter !== undefined && typeof parameter !== "string")
      fail("body:/errors/*/parameter", "the name of a parameter", said);
    if (Object.keys(more).length > 0)
      fail(`body:/errors/*/${Object.keys(more)[0]}`, "pointer or parameter, detail and nothing else", said);
  }
}

const pairs = (count: number) => Array.from({ length: count }, (_, at): [string, string] => [`unknown${at}`, "1"]);

/** As many faults as can be: unknown members here and there, wrong ones, unknown parameters. */
const faultyBody = (id: OperationId) => ({
  ...bodyOf(id, {
    ...Object.fromEntries(pairs(40)),
    ...Object.fromEntries(membersOf(id).map(({ name, type }) => [name, WRONG[type]])),
  }),
  ...Object.fromEntries(pairs(40)),
});

/** What the schema of an operation refuses, with few faults and with many. */
function casesOf(api: Api, { id, method }: Known): readonly (readonly [what: string, options: CallOptions])[] {
  if (method === "POST")
    return [
      ["82 faults", { body: faultyBody(id), query: pairs(40) }],
      ["no data", { body: bodyOf(id, undefined) }],
      ["empty data", { body: bodyOf(id, {}) }],
      ["null for data", { body: bodyOf(id, null) }],
      ["unknown parameters", { body: bodyOf(id, {}), query: pairs(1) }],
    ];
  const integers = membersOf(id).filter(({ type }) => type === "integer");
  return [
    ["40 unknown parameters", { input: api.example(id), query: pairs(40) }],
    ...integers.map(({ name }) => [`${name}=x`, { input: { ...api.required(id), [name]: "x" } }] as const),
  ];
}

/** Over the faults of every operation. */
const everyList = (requirement: RequirementId, judge: (reply: Reply) => void): readonly Check[] =>
  every.map((operation) =>
    check(`${requirement}#${operation.id}`, { effect: effectOf(operation) }, async (api) => {
      for (const [what, options] of casesOf(api, operation))
        await inCase(what, async () => judge(await api.call(operation.id, options)));
    }),
  );

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
  if (others.length > 0)
    fail("body:/errors", `faults at ${places.join(" and ")} only`, excerpt(JSON.stringify(others)));
}

const expectMore = (faults: readonly Fault[], count: number) => {
  if (faults.length < count)
    fail("body:/errors", "a fault for the unknown parameter too", excerpt(JSON.stringify(faults)));
};

/** Over faults at members of `data`. */
const memberFaults = (
  id: `${RequirementId}#members`,
  judge: (faults: readonly Fault[], places: readonly string[]) => void,
) =>
  check(id, { effect: "write" }, async (api) => {
    for (const [what, data, places] of MEMBER_FAULTS)
      await inCase(what, async () => judge(await expectInvalid(api, "user.create", create(data)), places));
  });

/** The list of a 422 (D8). */
export const invalidInput: readonly Check[] = [
  ...everyList("errors/invalid-input", (reply) => {
    judgeFaults(reply);
    faultsIn(reply);
  }),
  ...everyList("errors/at-most-20", (reply) => {
    const { length } = faultsIn(reply);
    if (length > 20) fail("body:/errors", "at most 20 faults", String(length));
  }),
  memberFaults("errors/all-faults#members", expectPlaces),
  memberFaults("errors/pointer#members", expectOnly),
  check("errors/all-faults#unknown-and-wrong", { effect: "write" }, async (api) => {
    for (const [body, places] of [
      [create({ name: "", email: "x", unknown: 1 }, { unknown: 1 }), ["#", "#/data", "#/data/name", "#/data/email"]],
      [create({ unknown: 1, name: "Ada" }), ["#/data", "#/data/email"]],
      [create(undefined, { unknown: 1 }), ["#", "#/data"]],
    ] as const)
      expectPlaces(await expectInvalid(api, "user.create", body), places);
    const faults = await expectInvalid(api, "user.create", { ...create({ name: "" }), query: pairs(1) });
    expectPlaces(faults, ["#/data/name", "#/data/email"]);
    expectMore(faults, 3);
  }),
  check("errors/all-faults#parameters", {}, async (api) => {
    for (const rawQuery of ["@=user.list&limit=x&unknown=1", "@=user.list&unknown=1&limit=0"]) {
      const faults = await expectInvalid(api, "user.list", { rawQuery });
      expectPlaces(faults, ["limit"]);
      expectMore(faults, 2);
    }
  }),
  check("errors/pointer#parents", { effect: "write" }, async (api) => {
    const good = { name: "Ada", email: api.email() };
    expectOnly(await expectInvalid(api, "user.create", create({ ...good, unknown: 1 })), ["#/data"]);
    expectOnly(await expectInvalid(api, "user.create", create(good, { unknown: 1 })), ["#"]);
    expectOnly(await expectInvalid(api, "user.create", create(undefined)), ["#/data"]);
  }),
  ...queries.flatMap(({ id }) =>
    membersOf(id)
      .filter(({ type }) => type === "integer")
      .map(({ name }) =>
        check(`errors/parameter#${id}-${name}`, {}, async (api) => {
          for (const value of ["", "x", "-1", "1.5", "01"])
            await inCase(`${name}=${value}`, async () => {
              const input = { ...api.required(id), [name]: value };
              const faults = await expectInvalid(api, id, { input });
              if (!faults.some(({ parameter, pointer }) => parameter === name && pointer === undefined))
                fail("body:/errors/*/parameter", `a fault of the parameter ${name}`, excerpt(JSON.stringify(faults)));
              expectOnly(faults, [name]);
            });
        }),
      ),
  ),
];
