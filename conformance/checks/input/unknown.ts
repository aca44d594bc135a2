import { type OperationId, operations } from "../../../generated/operations.ts";
import type { Api } from "../../client/api.ts";
import { expectStatus, fail } from "../../client/expect.ts";
import { queryOf } from "../../client/operation.ts";
import { excerpt } from "../../client/reply.ts";
import { type Check, check } from "../check.ts";
import { inCase } from "../probe.ts";
import { expectUnchanged, stateOf } from "../state.ts";
import {
  bodyOf,
  commands,
  expectInvalid,
  expectTaken,
  faultsIn,
  membersOf,
  queries,
  strangeValue,
} from "./operations.ts";

/** Names that a careless look-up finds in any object. */
const PROTOTYPE = [
  "constructor",
  "toString",
  "valueOf",
  "hasOwnProperty",
  "__proto__",
  "__defineGetter__",
  "prototype",
];

/** Names that no operation takes. */
const STRANGERS = ["unknown", "x", "_", "operation", "version", "@@", "%40", "0", "a b", "\u00e9", "page", "offset"];

/** The credentials' names, in spellings that are not theirs in a query. */
const CREDENTIALS = ["x-api-key", "x-platform", "X_API_KEY", "X-API-Key", "api_key", "key", "platform", "X-PLATFORM "];

/** A name, and what a lax reader would take for it. */
const nearMisses = (name: string) => [
  ...[name.toUpperCase(), `${name[0]?.toUpperCase()}${name.slice(1)}`, ` ${name}`, `${name} `, `${name}s`],
  ...[name.slice(0, -1), `${name}[]`, `${name}[0]`, `${name}.`, `_${name}`, `${name}\u0000`],
];

const namesOf = (id: OperationId) => membersOf(id).map(({ name }) => name);

/** What other operations take, and what other interfaces do. */
const FOREIGN = [
  ...new Set([...queries, ...commands].flatMap(namesOf)),
  ...["callback", "format", "q", "sort", "fields", "debug", "utm_source", "Idempotency-Key", "X-Request-Id"],
];

function strangersTo(id: OperationId): string[] {
  const known = namesOf(id);
  const all = [
    "data",
    ...STRANGERS,
    ...FOREIGN,
    ...PROTOTYPE,
    ...CREDENTIALS,
    ...operations[id].parts,
    ...known.flatMap(nearMisses),
  ];
  return all.filter((name) => !known.includes(name));
}

/** What someone would like to set, and may not. */
const SERVERS_OWN = [
  "id",
  "createdAt",
  "created_at",
  "role",
  "admin",
  "data",
  "input",
  "$ref",
  "",
  "X-API-KEY",
  "@type",
];

/** What is said of an unknown parameter, which must not be named. */
async function unnamedIn(api: Api, id: OperationId): Promise<string> {
  const reply = await api.call(id, { input: api.example(id), query: [["zq7stranger", "1"]] });
  const details = faultsIn(reply, id).flatMap(({ pointer, detail }) => (pointer === "#" ? [detail] : []));
  if (details.length === 0) fail("body", "a fault at #", excerpt(reply.text));
  if (reply.text.includes("zq7stranger")) fail("body", "nothing of the name zq7stranger", excerpt(reply.text));
  return details.join("; ");
}

const hasWord = (text: string, word: string) => new RegExp(`\\b${word}\\b`).test(text);

/** Queries that take nothing unknown (D8). */
const parameters = queries.flatMap((id) => [
  check(`input/unknown-parameter#${id}`, {}, async (api) => {
    const input = api.example(id);
    await expectTaken(api, id);
    for (const name of strangersTo(id))
      await inCase(`the parameter ${JSON.stringify(name)}`, () =>
        expectInvalid(api, id, { input, query: [[name, "1"]] }),
      );
  }),
  check(`input/unknown-parameter#${id}-odd`, {}, async (api) => {
    const input = api.example(id);
    await inCase("an empty value", () => expectInvalid(api, id, { input, query: [["unknown", ""]] }));
    await inCase("an empty name", () => expectInvalid(api, id, { input, query: [["", "1"]] }));
    await inCase("no = behind the name", () =>
      expectInvalid(api, id, { rawQuery: `${queryOf(operations[id], api.example(id))}&unknown` }),
    );
    await inCase("beside credentials in the query", () =>
      expectInvalid(api, id, { input, query: [["unknown", "1"]], credentials: "query" }),
    );
    const head = await api.call(id, { input, query: [["unknown", "1"]], method: "HEAD" });
    await inCase("by HEAD", async () => expectStatus(head, 422));
  }),
  check(`input/unknown-not-named#${id}`, {}, async (api) => {
    const allowed = namesOf(id);
    const detail = await unnamedIn(api, id);
    if (!allowed.every((name) => detail.includes(name)))
      fail("body", `a fault at # that names ${allowed.join(" and ")}`, detail);
    // The parts of a name may not be sent. A word of everyone's, such as "name", counts only where it is this operation's.
    const other = queries.find((one) => operations[one].parts.length === 0 && namesOf(one).length === 0);
    const words = other && operations[id].parts.length > 0 ? await unnamedIn(api, other) : detail;
    const parts = operations[id].parts.filter((part) => hasWord(detail, part) && !hasWord(words, part));
    if (parts.length > 0) fail("body", `a fault at # without ${parts.join(" and ")}, which is no parameter`, detail);
  }),
]);

/** Bodies that hold nothing unknown (D8). */
const members = commands.flatMap((id) => {
  const known = namesOf(id);
  const strangers = [...STRANGERS, ...FOREIGN, ...SERVERS_OWN, ...PROTOTYPE, ...known.flatMap(nearMisses)].filter(
    // A member `__proto__` is no JSON here.
    (name) => !known.includes(name) && name !== "__proto__",
  );
  return [
    check(`input/unknown-member#${id}-in-data`, { effect: "write" }, async (api) => {
      const data = api.example(id);
      const before = await stateOf(api, operations[id], data);
      for (const name of strangers)
        await inCase(`the member ${JSON.stringify(name)}`, () =>
          expectInvalid(api, id, { body: bodyOf(id, { ...data, [name]: strangeValue(id, data) }) }),
        );
      for (const value of [null, {}, [], false, ""])
        await inCase(`the value ${JSON.stringify(value)}`, () =>
          expectInvalid(api, id, { body: bodyOf(id, { ...data, unknown: value }) }),
        );
      await expectUnchanged(api, before);
      await expectTaken(api, id, { input: data });
    }),
    check(`input/unknown-member#${id}-beside-data`, { effect: "write" }, async (api) => {
      const data = api.example(id);
      const before = await stateOf(api, operations[id], data);
      const beside = strangers.filter((name) => name !== "data");
      for (const name of [...beside, ...known, "Data", "DATA", "%40", "@ ", "X-PLATFORM"])
        await inCase(`the member ${JSON.stringify(name)}`, () =>
          expectInvalid(api, id, {
            body: {
              ...bodyOf(id, data),
              [name]: (known.includes(name) ? data[name] : undefined) ?? strangeValue(id, data),
            },
          }),
        );
      for (const value of [null, {}, [], false, ""])
        await inCase(`the value ${JSON.stringify(value)}`, () =>
          expectInvalid(api, id, { body: { unknown: value, ...bodyOf(id, data) } }),
        );
      await expectUnchanged(api, before);
    }),
    check(`input/unknown-not-named#${id}`, { effect: "write" }, async (api) => {
      const data = api.example(id);
      const before = await stateOf(api, operations[id], data);
      for (const name of ["zq7stranger", "zq7/a~b", "zq7 \u00e9", "constructor", "hasOwnProperty"]) {
        await judgeUnnamed(name, "#/data", known, { ...bodyOf(id, { ...data, [name]: 1 }) });
        await judgeUnnamed(name, "#", ["@", "data"], { ...bodyOf(id, data), [name]: 1 });
      }
      await expectUnchanged(api, before);

      async function judgeUnnamed(name: string, parent: string, allowed: readonly string[], body: object) {
        const reply = await api.call(id, { body });
        const told = faultsIn(reply, id).filter(({ pointer }) => pointer === parent);
        if (!told.some(({ detail }) => allowed.every((each) => detail.includes(each))))
          fail("body", `a fault at ${parent} that names ${allowed.join(" and ")}`, excerpt(reply.text));
        if (reply.text.includes(name) || decodeURIComponent(reply.text.replace(/%(?![\da-f]{2})/gi, "")).includes(name))
          fail("body", `nothing of the name ${name}`, excerpt(reply.text));
      }
    }),
    check(`input/post-query#${id}`, { effect: "write" }, async (api) => {
      const input = api.example(id);
      const before = await stateOf(api, operations[id], input);
      for (const name of [...STRANGERS, ...FOREIGN, ...PROTOTYPE, ...CREDENTIALS, "data", ""])
        await inCase(`the parameter ${JSON.stringify(name)}`, () =>
          expectInvalid(api, id, {
            input,
            query: [[name, String((known.includes(name) ? input[name] : undefined) ?? strangeValue(id, input))]],
          }),
        );
      for (const rawQuery of ["unknown", "unknown="])
        await inCase(rawQuery, () => expectInvalid(api, id, { input, rawQuery }));
      await inCase("beside credentials in the query", () =>
        expectInvalid(api, id, { input, query: [["unknown", "1"]], credentials: "query" }),
      );
      await expectUnchanged(api, before);
    }),
  ];
});

export const unknown: readonly Check[] = [...parameters, ...members];
