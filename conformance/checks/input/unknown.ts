import { type OperationId, operations } from "../../../generated/operations.ts";
import type { Api } from "../../client/api.ts";
import { expectStatus, fail } from "../../client/expect.ts";
import { queryOf } from "../../client/operation.ts";
import { excerpt, type Reply } from "../../client/reply.ts";
import { type Check, check } from "../check.ts";
import { inCase } from "../probe.ts";
import { expectUnchanged, stateOf } from "../state.ts";
import {
  bodyOf,
  commands,
  type Data,
  expectAllInvalid,
  expectNoneTaken,
  expectTaken,
  type Fault,
  faultsIn,
  membersOf,
  queries,
  strangeValue,
} from "./operations.ts";

/** Names that a careless look-up finds in any object. */
const PROTOTYPE = "constructor toString valueOf hasOwnProperty __proto__ __defineGetter__ prototype".split(" ");

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

/** What someone would like to set, and may not. */
const SERVERS_OWN = "id createdAt created_at role admin data input $ref X-API-KEY @type".split(" ");

/** What this operation does not take, these among them. */
function strangersTo(id: OperationId, ...more: readonly string[]): string[] {
  const known = namesOf(id);
  const all = [...STRANGERS, ...FOREIGN, ...PROTOTYPE, ...more, ...operations[id].parts, ...known.flatMap(nearMisses)];
  return [...new Set(all)].filter((name) => !known.includes(name));
}

/** The whole run's own name for what nobody knows. */
const strangerOf = (api: Api) => `zq${api.runId}`;

/** Faults at a parent that name what is allowed there, and an answer that does not say the unknown name. */
function expectUnnamed(reply: Reply, name: string, parent: string, allowed: readonly string[]): Fault[] {
  const told = faultsIn(reply).filter(({ pointer }) => pointer === parent);
  if (!told.some(({ detail }) => allowed.every((each) => detail.includes(each))))
    fail("body:/errors", `a fault at ${parent} that names ${allowed.join(" and ") || "nothing"}`, excerpt(reply.text));
  const decoded = decodeURIComponent(reply.text.replace(/%(?![\da-f]{2})/gi, ""));
  if ([reply.text, decoded].some((text) => text.includes(name)))
    fail("body:/errors", `nothing of the name ${name}`, excerpt(reply.text));
  return told;
}

/** What is said of an unknown parameter. */
async function toldOfUnknown(api: Api, id: OperationId): Promise<string> {
  const name = strangerOf(api);
  const reply = await api.call(id, { input: api.example(id), query: [[name, "1"]] });
  return expectUnnamed(reply, name, "#", namesOf(id))
    .map(({ detail }) => detail)
    .join("; ");
}

const hasWord = (text: string, word: string) => new RegExp(`\\b${word}\\b`).test(text);

/** Queries that take nothing unknown (D8). */
const parameters = queries.flatMap((id) => [
  check(`input/unknown-parameter#${id}`, {}, async (api) => {
    const input = api.example(id);
    await expectTaken(api, id);
    await expectAllInvalid(api, id, [
      ...strangersTo(id, "data", ...CREDENTIALS).map((name) => ({ input, query: [[name, "1"] as const] })),
      // Without a value, a name, an equals sign; beside credentials.
      ...[["unknown", ""] as const, ["", "1"] as const].map((pair) => ({ input, query: [pair] })),
      { rawQuery: `${queryOf(operations[id], input)}&unknown` },
      { input, query: [["unknown", "1"]], credentials: "query" },
    ]);
    const head = await api.call(id, { input, query: [["unknown", "1"]], method: "HEAD" });
    await inCase("by HEAD", () => expectStatus(head, 422));
  }),
  check(`input/unknown-not-named#${id}`, {}, async (api) => {
    const told = await toldOfUnknown(api, id);
    // The parts of a name may not be sent. A word of everyone's, such as "name", counts only where it is this operation's.
    const other = queries.find((one) => operations[one].parts.length === 0 && namesOf(one).length === 0);
    const words = other && operations[id].parts.length > 0 ? await toldOfUnknown(api, other) : told;
    const parts = operations[id].parts.filter((part) => hasWord(told, part) && !hasWord(words, part));
    if (parts.length > 0)
      fail("body:/errors", `a fault at # without ${parts.join(" and ")}, which is no parameter`, told);
  }),
]);

/** Bodies that hold nothing unknown (D8). */
const members = commands.flatMap((id) => {
  const known = namesOf(id);
  // A member `__proto__` is no JSON here.
  const strangers = strangersTo(id, ...SERVERS_OWN, "").filter((name) => name !== "__proto__");
  const values = [null, {}, [], false, ""];
  /** What another name might be taken for. */
  const lentTo = (data: Data, name: string) => (known.includes(name) ? data[name] : strangeValue(id, data));
  return [
    check(`input/unknown-member#${id}-in-data`, { effect: "write" }, async (api) => {
      await expectNoneTaken(api, id, (data) => [
        ...strangers.map((name) => ({ body: bodyOf(id, { ...data, [name]: strangeValue(id, data) }) })),
        ...values.map((unknown) => ({ body: bodyOf(id, { ...data, unknown }) })),
      ]);
      await expectTaken(api, id);
    }),
    check(`input/unknown-member#${id}-beside-data`, { effect: "write" }, (api) =>
      expectNoneTaken(api, id, (data) => [
        ...[...strangers, ...known, "Data", "DATA", "%40", "@ ", "X-PLATFORM"].flatMap((name) =>
          name === "data" ? [] : [{ body: { ...bodyOf(id, data), [name]: lentTo(data, name) } }],
        ),
        ...values.map((unknown) => ({ body: { unknown, ...bodyOf(id, data) } })),
      ]),
    ),
    check(`input/unknown-not-named#${id}`, { effect: "write" }, async (api) => {
      const data = api.example(id);
      const before = await stateOf(api, operations[id], data);
      const own = strangerOf(api);
      for (const name of [own, `${own}/a~b`, `${own} \u00e9`, "constructor", "hasOwnProperty"])
        await inCase(name, async () => {
          const inside = await api.call(id, { body: bodyOf(id, { ...data, [name]: 1 }) });
          expectUnnamed(inside, name, "#/data", known);
          const beside = await api.call(id, { body: { ...bodyOf(id, data), [name]: 1 } });
          expectUnnamed(beside, name, "#", ["@", "data"]);
        });
      await expectUnchanged(api, before);
    }),
    check(`input/post-query#${id}`, { effect: "write" }, (api) =>
      expectNoneTaken(api, id, (input) => [
        ...[...strangersTo(id, "data", "", ...CREDENTIALS), ...known].map((name) => ({
          input,
          query: [[name, String(lentTo(input, name))] as const],
        })),
        ...["unknown", "unknown="].map((rawQuery) => ({ input, rawQuery })),
        { input, query: [["unknown", "1"]], credentials: "query" },
      ]),
    ),
  ];
});

export const unknown: readonly Check[] = [...parameters, ...members];
