import type { Api } from "../../client/api.ts";
import { expectStatus } from "../../client/expect.ts";
import { commands, every, type Known, nameOf, operationCalled, queries, queryOf } from "../../client/operation.ts";
import { check } from "../check.ts";
import { askEach, expectReached, expectRefusedAs, expectUnknown, inCase, inEach, reach, shown } from "../probe.ts";

/** How a name is compared (D1): exactly. */

const title = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const fullWidth = (text: string) =>
  text.replace(/[!-~]/g, (each) => String.fromCodePoint((each.codePointAt(0) ?? 0) + 0xfee0));

/** Cyrillic letters that look like the Latin ones. */
const LOOKALIKES = new Map(
  [..."aeosic"].map((letter, index) => [letter, "\u0430\u0435\u043e\u0455\u0456\u0441"[index]]),
);

/** Names that are nearly the name of an operation, by the mistake that would take them for it: with something around it, at `~`, or changed. */
const MISTAKES: Readonly<Record<string, readonly [around: readonly string[], changed?: (name: string) => string[]]>> = {
  "letter-case": [
    [],
    (name) => [
      ...[name.toUpperCase(), name.toLowerCase(), title(name), name.split(".").map(title).join(".")],
      name.slice(0, -1) + name.slice(-1).toUpperCase(),
    ],
  ],
  blanks: [[" ~", "~ ", " ~ ", "\t~", "~\t", "~\u00a0"], (name) => [name.replace(".", " . "), name.replace(".", " ")]],
  parts: [
    ["~x", "x~", "~~", "~.~"],
    (name) => [name.slice(0, -1), name.slice(1), ...name.split("."), name.split(".").reverse().join(".")],
  ],
  dots: [["~.", ".~", "~..", "~.x", "x.~", "~.json", "./~", "/~", "~/"], (name) => [name.replace(".", "..")]],
  separators: [[], (name) => [..."/-_:x\\\u2024", ""].map((mark) => name.replaceAll(".", mark))],
  lists: [["~,sysinfo", "sysinfo,~", "~;sysinfo", "~|sysinfo", '["~"]', '"~"', "'~'"]],
  patterns: [
    ["^~$", "(~)", "/~/", ".*", "*"],
    (name) => [...[..."?_%"].map((any) => name.slice(0, -1) + any), `${name.slice(0, 3)}*`],
  ],
  controls: [["~\u0000", "\u0000~", "~\u0000x", "~\n", "~\r\n", "\n~", "~\u001f", "~\u007f", "~\u0085"]],
  lookalikes: [
    ["~\u200b", "\ufeff~", "~\u0301", "\u202e~", "~\ufe0f"],
    (name) => [fullWidth(name), name.replace(/[aeosic]/, (letter) => LOOKALIKES.get(letter) ?? letter)],
  ],
  encodings: [
    ["~%20", "~%00", "~+"],
    (name) => [
      name.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
      ...["&#x75;", "\\u0075"].map((first) => first + name.slice(1)),
    ],
  ],
};

/** What no operation is called. `docs.get.readme` is a name that an operation has, though not one of a document. */
function spellings(mistake: string, name: string): string[] {
  const [around = [], changed = () => []] = MISTAKES[mistake] ?? [];
  const all = [...around.map((text) => text.replaceAll("~", () => name)), ...changed(name)];
  return [...new Set(all)].filter((each) => each !== "" && operationCalled(each) === null);
}

/** Names around a template, whose part stands at `~`: nothing, several parts, and what the part does not allow. */
const BESIDE_TEMPLATES = [
  ...["", "a.b", "~.md", "~.", ".~", "-a", "_a", "a b", "a/b", "../~", "~\n", "~\u0000", "\u00e9", "*", "{name}"],
  ...["%2e%2e", "a".repeat(65)],
];

function besideTemplate({ name, example, parts }: Known): string[] {
  const prefix = name.slice(0, name.indexOf("{"));
  const part = String(example[parts[0] ?? ""]);
  const names = [prefix.slice(0, -1), ...BESIDE_TEMPLATES.map((text) => prefix + text.replace("~", () => part))];
  return names.filter((each) => operationCalled(each) === null);
}

/** A name as it stands: that of a template without its part would be called with the part of its example. */
const callNamed = (api: Api, name: string, method: string, data = {}) =>
  method === "POST"
    ? api.call("", { method, body: { "@": name, data } })
    : api.call("", { method, rawQuery: `@=${encodeURIComponent(name).replaceAll("'", "%27")}` });

/** Sends names in the style of the operation that they nearly are; with input that this operation would take. */
async function expectNotTaken(api: Api, { id, method }: Known, names: readonly string[]): Promise<void> {
  const data = method === "POST" ? api.example(id) : {};
  // A name without a dot has no other separators: of one operation there may be nothing to send.
  for (const name of names)
    await inCase(shown(name), async () => expectUnknown(await callNamed(api, name, method, data)));
}

const percent = (text: string) =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");

export const names = [
  ...Object.keys(MISTAKES).flatMap((mistake) =>
    [queries, commands].map((operations) =>
      check(
        `dispatch/case-sensitive#${mistake}${operations === commands ? "-in-body" : ""}`,
        { effect: operations === commands ? "write" : "read" },
        async (api) => {
          for (const operation of operations)
            await expectNotTaken(api, operation, spellings(mistake, nameOf(operation)));
        },
      ),
    ),
  ),
  check("dispatch/case-sensitive#by-another-method", {}, (api) =>
    inEach(every, async (operation) => {
      const other = operation.method === "GET" ? "POST" : "GET";
      const nearly = Object.keys(MISTAKES).flatMap((each) => spellings(each, nameOf(operation)).slice(0, 1));
      for (const method of ["HEAD", other])
        for (const name of new Set(nearly))
          await inCase(`${method} of ${shown(name)}`, async () => expectUnknown(await callNamed(api, name, method)));
      expectReached(await reach(api, operation), operation);
    }),
  ),
  ...queries
    .filter(({ parts }) => parts.length > 0)
    .map((operation) =>
      check(`dispatch/case-sensitive#${operation.id}-parts`, {}, (api) =>
        expectNotTaken(api, operation, besideTemplate(operation)),
      ),
    ),

  check("dispatch/percent-encoded#name", {}, (api) =>
    inEach(queries, async (operation) => {
      for (const at of ["@", "%40"] as const) expectReached(await reach(api, operation, { at }), operation);
    }),
  ),
  check("dispatch/percent-encoded#everywhere", {}, async (api) => {
    const at = "%40";
    expectStatus(await api.call("sysinfo", { method: "HEAD", at }), 200);
    for (const operation of commands)
      for (const method of ["GET", "HEAD"])
        expectRefusedAs(await api.call(nameOf(operation), { method, at }), "method-not-allowed");
    await askEach(api, ["%40=", "%40"], (reply) => expectRefusedAs(reply, "operation-missing"));
    expectUnknown(await api.call(`no.${api.runId}`, { at }));
  }),
  check("dispatch/percent-encoded#value", {}, (api) =>
    inEach(queries, async (operation) => {
      const [name = "", ...members] = queryOf(operation, api.required(operation.id)).slice("@=".length).split("&");
      const value = percent(name);
      for (const first of [`@=${value}`, `%40=${value.toUpperCase()}`]) {
        const rawQuery = [first, ...members.map((member) => member.replace(/^[^=]*/, percent))].join("&");
        await inCase(rawQuery, async () => expectReached(await reach(api, operation, { rawQuery }), operation));
      }
    }),
  ),
];
